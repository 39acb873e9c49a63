/* override.c: see override.h. Texts are untrusted: a manifest may hold them. */
#include "generator/page/override.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "generator/lua/fields.h"
#include "generator/lua/value.h"
#include "generator/page/page_state.h"
#include "generator/base/value_types.h"

/* The parts of one KEY=VALUE. */
typedef struct override {
    const char *key;             /* "csr5.f64.sigma" */
    const char *method, *type, *param;   /* of a parameter; method NULL: the key is a fact's */
    const char *text;            /* of the value, without quotes */
    bool is_quoted;
    sg_loc loc;
} override;

static const char *trimmed(sg_arena *arena, const char *text, size_t length)
{
    for (; length && strchr(" \t", *text); length--)
        text++;
    for (; length && strchr(" \t", text[length - 1]);)
        length--;
    return sg_arena_strndup(arena, text, length);
}

/* ---- the key ------------------------------------------------------------------------------- */

/* METHOD.PARAM, METHOD.TYPE.PARAM or FACT */
static bool read_key(sg_chain *chain, override *o)
{
    enum { MOST_PARTS = 3 };
    const char *part[MOST_PARTS] = { NULL };
    size_t count = 0;
    bool good = true;

    for (const char *at = o->key; good; at++) {
        const size_t length = strcspn(at, ".");
        good = count < MOST_PARTS;
        if (good) {
            part[count] = sg_arena_strndup(chain->arena, at, length);
            good = sg_is_name(part[count++]);
        }
        at += length;
        if (!*at)
            break;
    }
    good = good && (count == 1 || !sg_value_type_find(part[count - 1]));
    if (!good) {
        sg_diag(chain->diags, SG_ERROR, o->loc, "'%s' is not a key; expected FACT=VALUE, "
                "METHOD.PARAM=VALUE or METHOD.f32.PARAM=VALUE", o->key);
        return false;
    }
    if (count == MOST_PARTS && !sg_value_type_find(part[1])) {
        sg_diag(chain->diags, SG_ERROR, o->loc, "there is no value type '%s': a parameter is "
                "written %s.%s for all types, %s for one", part[1], part[0], part[2],
                sg_value_type_list(chain->arena, sg_arena_printf(chain->arena, "%s.", part[0]),
                                   sg_arena_printf(chain->arena, ".%s", part[2])));
        return false;
    }
    if (count > 1) {
        o->method = part[0];
        o->type = count == MOST_PARTS ? part[1] : NULL;
        o->param = part[count - 1];
    }
    return true;
}

/* ---- the value ----------------------------------------------------------------------------- */

static bool read_quotes(sg_chain *chain, override *o)
{
    const char quote = *o->text;
    const size_t length = strlen(o->text);

    if (quote != '"' && quote != '\'')
        return true;
    if (strchr(o->text + 1, quote) != o->text + length - 1 || length < 2) {
        sg_diag(chain->diags, SG_ERROR, o->loc, "the value of %s begins with a quotation mark; "
                "expected the same mark at its end, and none between", o->key);
        return false;
    }
    o->text = sg_arena_strndup(chain->arena, o->text + 1, length - 2);
    o->is_quoted = true;
    return true;
}

static bool read_integer(const char *text, int64_t *out)
{
    const char *digits = text + (*text == '-');
    const bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;

    digits += is_hex ? 2 : 0;
    if (!*digits || digits[strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789")])
        return false;
    errno = 0;
    const intmax_t number = strtoimax(text, &end, is_hex ? 16 : 10);
    *out = number;
    return !*end && !errno && number >= INT64_MIN && number <= INT64_MAX;
}

static sg_value value_of(const override *o, bool is_text)
{
    sg_value value = { .kind = SG_STRING, .string = o->text };
    int64_t number;

    if (is_text || o->is_quoted)
        return value;
    if (!strcmp(o->text, "true") || !strcmp(o->text, "false"))
        value = (sg_value){ .kind = SG_BOOLEAN, .integer = *o->text == 't' };
    else if (read_integer(o->text, &number))
        value = (sg_value){ .kind = SG_INTEGER, .integer = number };
    return value;
}

/* Reads KEY=VALUE and drops spaces around both. */
static bool read_override(sg_chain *chain, const char *text, override *o)
{
    sg_arena *arena = chain->arena;
    const char *equals = strchr(text, '=');

    *o = (override){ .loc = { sg_arena_printf(arena, "the command line: --set %s", text),
                              SG_COMMAND_LINE, 0 } };
    if (!equals || equals == text) {
        sg_diag(chain->diags, SG_ERROR, o->loc, "expected a key, '=' and a value: FACT=VALUE, "
                "METHOD.PARAM=VALUE or METHOD.f32.PARAM=VALUE");
        return false;
    }
    o->key = trimmed(arena, text, (size_t)(equals - text));
    o->text = trimmed(arena, equals + 1, strlen(equals + 1));
    if (!read_key(chain, o))
        return false;
    if (!*o->text) {
        sg_diag(chain->diags, SG_ERROR, o->loc, "%s lacks a value behind '='; an empty string is "
                "written %s=\"\"", o->key, o->key);
        return false;
    }
    if (!read_quotes(chain, o))
        return false;
    const char *fault = sg_string_fault(arena, o->text, strlen(o->text));
    if (fault)
        sg_diag(chain->diags, SG_ERROR, o->loc, "a value is one line of printable text without C "
                "comment marks; found %s", fault);
    return !fault;
}

/* ---- above the pages ----------------------------------------------------------------------- */

static bool override_fact(sg_chain *chain, const override *o, sg_value *value)
{
    const sg_fact_decl *decl = sg_facts_find(chain->facts, o->key);

    if (!strcmp(o->key, "inherit") || (decl && decl->own_page_only)) {
        sg_diag(chain->diags, SG_ERROR, o->loc, "'%s' can only be stated on a page; write a page "
                "of your own, FILE.lua", o->key);
        return false;
    }
    if (!decl) {
        sg_facts_report_unknown(chain->facts, chain->diags, o->loc, o->key);
        return false;
    }
    *value = value_of(o, decl->kind == SG_STRING);
    chain->states[decl - chain->facts->decls] =
        (sg_fact_state){ true, SG_COMMAND_LINE_DEPTH, *value, o->loc };
    return sg_fact_check(chain->diags, o->loc, decl, value);
}

/* KEY=VALUE, with quotation marks if the value would be read differently without them. */
static const char *written(sg_arena *arena, const override *o, const sg_value *value, bool is_text)
{
    sg_arena *scratch = sg_arena_create();
    override plain = *o;
    bool needs_quotes = false;

    if (value->kind == SG_STRING) {
        plain.is_quoted = false;
        needs_quotes = !*o->text || strchr("\"' \t", *o->text) ||
                       strchr(" \t", o->text[strlen(o->text) - 1]) ||
                       value_of(&plain, is_text).kind != SG_STRING;
    }
    const char *mark = !needs_quotes ? "" : strchr(o->text, '"') ? "'" : "\"";
    const char *text = value->kind == SG_STRING ? o->text : sg_value_text(scratch, value);
    const char *result = sg_arena_printf(arena, "%s=%s%s%s", o->key, mark, text, mark);
    sg_arena_destroy(scratch);
    return result;
}

static bool is_repeated_later(const override *overrides, size_t index, size_t count)
{
    for (size_t i = index + 1; i < count; i++)
        if (!strcmp(overrides[i].key, overrides[index].key))
            return true;
    return false;
}

bool sg_override_chain(sg_chain *chain, const sg_name_set *values, sg_name_set *canonical)
{
    override *overrides = sg_arena_alloc(chain->arena, (values->count + 1) * sizeof *overrides);
    sg_name_set names = { 0 };
    bool readable = true, good = true;

    for (size_t i = 0; i < values->count; i++)
        readable = read_override(chain, values->name[i], &overrides[i]) && readable;
    for (size_t i = 0; i < values->count && readable; i++) {
        const override *o = &overrides[i];
        sg_value value;
        if (is_repeated_later(overrides, i, values->count))
            continue;
        if (o->method) {
            value = value_of(o, false);
            sg_chain_assign(chain, &(sg_assignment){ o->method, o->type, o->param, value, o->loc,
                                                     SG_COMMAND_LINE_DEPTH });
        } else if (!override_fact(chain, o, &value)) {
            good = false;
            continue;
        }
        sg_name_set_add(chain->arena, &names,
                        written(chain->arena, o, &value, !o->method && value.kind == SG_STRING));
    }
    *canonical = sg_name_set_sorted(chain->arena, &names);
    return readable && good;
}
