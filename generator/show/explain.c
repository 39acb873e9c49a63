/* explain.c: shows the origin of a parameter's or a fact's value. Reads files only to show the line
 * that an origin names. */
#include "generator/show/explain.h"

#include <inttypes.h>
#include <string.h>

#include "generator/page/facts.h"
#include "generator/assemble/banner.h"
#include "generator/show/tunable.h"
#include "common/did_you_mean.h"
#include "generator/base/text_table.h"

enum { LARGEST_PAGE = 1 << 20, TEXT_WIDTH = 84 };

#define INDENT "  "

/* The line that an origin names, without the space around it and with at most two spaces in a row;
 * "" if it cannot be read. For the command line: the option. */
static const char *line_at(sg_arena *arena, const char *root, const sg_target *target, sg_loc loc)
{
    sg_text line = sg_text_in(arena);
    const char *text;
    size_t length;

    if (loc.line == SG_COMMAND_LINE)
        return strstr(loc.file, "--set ");
    if (sg_read_file(arena, sg_input_path(arena, root, target, loc.file), LARGEST_PAGE, &text,
                     &length))
        return "";
    for (int i = 1; i < loc.line && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    for (; text && *text && *text != '\n' && *text != '\r'; text++)
        if (*text != ' ' || (line.length && strncmp(text + 1, "  ", 2)))
            sg_text_append_bytes(&line, text, 1);
    return line.data;
}

static const char *place(sg_arena *arena, sg_loc loc)
{
    if (loc.line == SG_COMMAND_LINE)
        return "the command line";
    return sg_arena_printf(arena, "%s:%d", loc.file, loc.line);
}

static const char *range_text(sg_arena *arena, int64_t min, int64_t max)
{
    if (min == INT64_MIN && max == INT64_MAX)
        return "";
    return sg_arena_printf(arena, "%" PRId64 " to %" PRId64, min, max);
}

/* The length of the words that fit on a line, or of one word that does not fit. */
static size_t wrap(const char *text)
{
    size_t end = strlen(text);

    if (end <= TEXT_WIDTH)
        return end;
    for (end = TEXT_WIDTH; end && text[end] != ' '; end--)
        ;
    return end ? end : strcspn(text, " ");
}

/* Adds a detail, unless its text is empty. */
static void detail(sg_text_table *table, const char *name, const char *text)
{
    while (text && *text) {
        const size_t length = wrap(text);
        sg_text_table_row(table, (const char *[]){ name, sg_arena_strndup(table->arena, text,
                                                                       length) });
        text += length;
        text += strspn(text, " ");
        name = "";
    }
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* A method's values for every value type. */
typedef struct values {
    sg_params of[SG_VALUE_TYPES];
    bool emitted[SG_VALUE_TYPES];
    sg_loc denied[SG_VALUE_TYPES];
} values;

static bool resolve(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                    const sg_method *method, const sg_target *target, values *out)
{
    bool good = true;

    for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
        out->emitted[t] = sg_target_has_type(target, &sg_value_types[t], &out->denied[t]);
        good = sg_method_resolve(arena, diags, catalog->root, method, target,
                                 sg_value_types[t].name, &out->of[t]) && good;
    }
    return good;
}

static const char *choices_text(sg_arena *arena, const sg_param_decl *decl)
{
    sg_text out = sg_text_in(arena);

    for (size_t i = 0; i < decl->choice_count; i++)
        sg_text_printf(&out, "%s%s (%" PRId64 ")", i ? ", " : "", decl->choices[i].name,
                       decl->choices[i].value);
    return out.data;
}

static void explain_param(sg_arena *arena, const sg_catalog *catalog, const sg_target *target,
                          const sg_method *method, const values *v, size_t index, sg_text *out)
{
    const sg_param_decl *decl = v->of[0].param[index].decl;
    sg_text_table table = sg_text_table_in(arena, 4), details = sg_text_table_in(arena, 2);
    size_t stated = 0;

    sg_text_printf(out, "%s.%s for %s\n", method->name, decl->name, target->name);
    for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
        const sg_param *param = &v->of[t].param[index];
        const char *line = param->from_page
                               ? line_at(arena, catalog->root, target, param->origin)
                               : "derived, as no page states it";
        stated += param->from_page;
        sg_text_table_row(&table, (const char *[]){ sg_value_types[t].name,
                                               sg_param_shown(arena, param),
                                               place(arena, param->origin), line });
    }
    sg_text_table_print(&table, out, INDENT);
    for (size_t t = 0; t < SG_VALUE_TYPES; t++)
        if (!v->emitted[t])
            detail(&details, "note",
                   sg_arena_printf(arena, "%s is not emitted: %s says %s", sg_value_types[t].name,
                                   place(arena, v->denied[t]),
                                   line_at(arena, catalog->root, target, v->denied[t])));
    detail(&details, "meaning", decl->meaning);
    detail(&details, decl->choice_count ? "choices" : "range",
           decl->choice_count ? choices_text(arena, decl)
                              : range_text(arena, decl->min, decl->max));
    detail(&details, "unit", decl->unit);
    detail(&details, "derivation",
           stated < SG_VALUE_TYPES ? decl->derivation
                                   : sg_arena_printf(arena, "%s (where no page states it)",
                                                     decl->derivation));
    for (size_t t = 0; t < SG_VALUE_TYPES; t++)
        if (v->of[t].param[index].tune_count)
            detail(&details, sg_arena_printf(arena, "tune %s", sg_value_types[t].name),
                   sg_tune_text(arena, &v->of[t].param[index]));
    detail(&details, "source", decl->source);
    detail(&details, "method", sg_arena_printf(arena, "%s; %s", method->title, method->source));
    detail(&details, "declared", place(arena, decl->loc));
    sg_text_table_print(&details, out, INDENT);
}

/* Columns of a method's list: name, a value and an origin for each type, and the unit. */
enum { LIST_COLUMNS = 2 + 2 * SG_VALUE_TYPES };

static void list_param(sg_arena *arena, const values *v, size_t index, const char **cells)
{
    const sg_param *first = &v->of[0].param[index];
    const char *where = place(arena, first->origin);

    *cells++ = first->decl->name;
    for (size_t t = 0; t < SG_VALUE_TYPES; t++)
        *cells++ = sg_param_shown(arena, &v->of[t].param[index]);
    *cells++ = first->decl->unit;
    *cells++ = where;
    for (size_t t = 1; t < SG_VALUE_TYPES; t++) {
        const char *other = place(arena, v->of[t].param[index].origin);
        *cells++ = strcmp(where, other) ? other : "";
    }
}

static void explain_method(sg_arena *arena, const sg_target *target, const sg_method *method,
                           const values *v, sg_text *out)
{
    sg_text_table table = sg_text_table_in(arena, LIST_COLUMNS);
    const char *cells[LIST_COLUMNS] = { "PARAMETER" };

    for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
        cells[1 + t] = sg_value_types[t].name;
        cells[2 + SG_VALUE_TYPES + t] = t ? "" : "STATED AT";
    }
    cells[1 + SG_VALUE_TYPES] = "UNIT";
    sg_text_table_row(&table, cells);
    for (size_t i = 0; i < v->of[0].count; i++) {
        list_param(arena, v, i, cells);
        sg_text_table_row(&table, cells);
    }
    sg_text_printf(out, "%s for %s: %s; %s\n", method->name, target->name, method->title,
                   method->source);
    sg_text_table_print(&table, out, INDENT);
}

/* ---- facts --------------------------------------------------------------------------------- */

static void explain_fact(sg_arena *arena, const sg_catalog *catalog, const sg_target *target,
                         const sg_fact_decl *decl, sg_text *out)
{
    const sg_fact *fact = sg_target_fact(target, decl->name);
    sg_text_table table = sg_text_table_in(arena, 3), details = sg_text_table_in(arena, 2);
    sg_text words = sg_text_in(arena);

    sg_text_printf(out, "%s for %s\n", decl->name, target->name);
    if (fact) {
        const char *line = fact->from_page
                               ? line_at(arena, catalog->root, target, fact->origin)
                               : "the default, as no page states it";
        sg_text_table_row(&table, (const char *[]){ sg_value_text(arena, &fact->value),
                                               place(arena, fact->origin), line });
    } else {
        sg_text_table_row(&table, (const char *[]){ "no value", "", "no page states it" });
    }
    sg_text_table_print(&table, out, INDENT);
    detail(&details, "meaning", decl->meaning);
    for (size_t i = 0; decl->choices && decl->choices[i]; i++)
        sg_text_printf(&words, "%s%s", i ? ", " : "", decl->choices[i]);
    detail(&details, "choices", words.data);
    if (decl->kind == SG_INTEGER)
        detail(&details, "range", range_text(arena, decl->min, decl->max));
    detail(&details, "unit", decl->unit);
    detail(&details, "declared", place(arena, decl->loc));
    sg_text_table_print(&details, out, INDENT);
}

/* ---- dispatch ------------------------------------------------------------------------------ */

static const sg_fact_decl *find_fact(const sg_target *target, const char *name)
{
    for (size_t i = 0; i < target->decl_count; i++)
        if (!strcmp(target->decls[i].name, name))
            return &target->decls[i];
    return NULL;
}

static bool fail_unknown(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                         const sg_target *target, const char *what)
{
    const size_t count = target->decl_count + catalog->method_count;
    const char **names = sg_arena_alloc(arena, (count + 1) * sizeof *names);
    char hint[96];

    for (size_t i = 0; i < target->decl_count; i++)
        names[i] = target->decls[i].name;
    for (size_t i = 0; i < catalog->method_count; i++)
        names[target->decl_count + i] = catalog->methods[i]->name;
    sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "'%s' is neither a fact nor a method%s", what,
            sg_did_you_mean(hint, sizeof hint, what, names, count));
    return false;
}

static bool fail_unknown_param(sg_arena *arena, sg_diags *diags, const sg_method *method,
                               const char *param)
{
    const sg_param_decl *near;

    sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "method '%s' has no parameter '%s'%s", method->name,
            param, sg_method_param_hint(arena, method, param, &near));
    return false;
}

bool sg_explain(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                const sg_target *target, const char *what, sg_text *out)
{
    const char *dot = strchr(what, '.');
    const char *name = dot ? sg_arena_strndup(arena, what, (size_t)(dot - what)) : what;
    const sg_method *method = NULL;
    values v;

    const sg_fact_decl *decl = dot ? NULL : find_fact(target, name);
    if (decl) {
        explain_fact(arena, catalog, target, decl, out);
        return true;
    }
    for (size_t i = 0; i < catalog->method_count; i++)
        if (!strcmp(catalog->methods[i]->name, name))
            method = catalog->methods[i];
    if (!method)
        return fail_unknown(arena, diags, catalog, target, name);
    if (!resolve(arena, diags, catalog, method, target, &v))
        return false;
    if (!dot) {
        explain_method(arena, target, method, &v, out);
        return true;
    }
    for (size_t i = 0; i < v.of[0].count; i++)
        if (!strcmp(v.of[0].param[i].decl->name, dot + 1)) {
            explain_param(arena, catalog, target, method, &v, i, out);
            return true;
        }
    return fail_unknown_param(arena, diags, method, dot + 1);
}
