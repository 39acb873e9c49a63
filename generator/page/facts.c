/* facts.c: reads targets/facts.lua, and checks values against it. */
#include "generator/page/facts.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <string.h>

#include "generator/lua/fields.h"
#include "common/did_you_mean.h"
#include "generator/base/text.h"

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    sg_arena *arena;
    sg_fact_decl *decls;
    size_t count;
} reader;

static const sg_fact_decl *find_decl(const sg_fact_decl *decls, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(decls[i].name, name))
            return &decls[i];
    return NULL;
}

static sg_kind read_kind(lua_State *L, sg_arena *arena, const char *of)
{
    static const struct {
        const char *name;
        sg_kind kind;
    } kinds[] = {
        { "integer", SG_INTEGER }, { "boolean", SG_BOOLEAN }, { "string", SG_STRING }
    };
    const char *name = sg_lua_text_field(L, 1, arena, "type", NULL, of);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].kind;
    luaL_error(L, "%s: 'type' must be integer, boolean or string, found \"%s\"", of, name);
    return SG_INTEGER;
}

/* { ... }: upvalue 1 is the name, 2 the line. */
static int declare_fact(lua_State *L)
{
    static const char *const keys[] = { "type", "min", "max", "unit", "meaning", "choices",
                                        "default", "inherited", "expression", NULL };
    reader *r = sg_lua_context(L);
    sg_fact_decl decl = { .min = INT64_MIN, .max = INT64_MAX, .loc = sg_lua_here(L) };

    decl.name = sg_arena_strdup(r->arena, lua_tostring(L, lua_upvalueindex(1)));
    const char *of = sg_arena_printf(r->arena, "fact '%s'", decl.name);
    luaL_checktype(L, 1, LUA_TTABLE);
    sg_lua_check_keys(L, 1, r->arena, keys, of);
    decl.loc.line = (int)lua_tointeger(L, lua_upvalueindex(2));
    decl.kind = read_kind(L, r->arena, of);
    sg_lua_integer_field(L, 1, r->arena, "min", &decl.min, of);
    sg_lua_integer_field(L, 1, r->arena, "max", &decl.max, of);
    decl.unit = sg_lua_text_field(L, 1, r->arena, "unit", "", of);
    decl.meaning = sg_lua_text_field(L, 1, r->arena, "meaning", NULL, of);
    decl.choices = sg_lua_list_field(L, 1, r->arena, "choices", of);
    decl.own_page_only = !sg_lua_boolean_field(L, 1, r->arena, "inherited", true, of);
    decl.is_expression = sg_lua_boolean_field(L, 1, r->arena, "expression", false, of);
    if (decl.is_expression && decl.kind != SG_STRING)
        luaL_error(L, "%s: an 'expression' is a string", of);
    if (lua_getfield(L, 1, "default") != LUA_TNIL) {
        const char *fault = sg_lua_value(L, -1, r->arena, &decl.default_value);
        if (fault || decl.default_value.kind != decl.kind)
            luaL_error(L, "%s: 'default' must be %s", of, sg_kind_text(decl.kind));
        decl.has_default = true;
    }
    r->decls = sg_arena_more(r->arena, r->decls, r->count, sizeof *r->decls);
    r->decls[r->count++] = decl;
    return 0;
}

/* fact "name" */
static int open_fact(lua_State *L)
{
    const reader *r = sg_lua_context(L);
    const char *name = sg_lua_name(L, 1);

    if (!sg_is_name(name))
        return luaL_error(L, "a fact's name consists of letters, digits and '_', a letter first");
    if (find_decl(r->decls, r->count, name))
        return luaL_error(L, "fact '%s' is declared twice", name);
    lua_settop(L, 1);
    lua_pushinteger(L, sg_lua_here(L).line);
    lua_pushcclosure(L, declare_fact, 2);
    return 1;
}

static int define_words(lua_State *L)
{
    lua_pushcfunction(L, open_fact);
    lua_setfield(L, 1, "fact");
    return 0;
}

bool sg_facts_load(sg_arena *arena, sg_diags *diags, const char *root, sg_facts *out)
{
    reader r = { .arena = arena };
    sg_lua_job job = {
        .path = sg_path_join(arena, root, "targets/facts.lua"),
        .shown = "targets/facts.lua",
        .what = "the list of facts",
        .before = define_words,
        .context = &r,
    };

    if (!sg_lua_run(arena, diags, &job))
        return false;
    const char **names = sg_arena_alloc(arena, (r.count + 1) * sizeof *names);
    for (size_t i = 0; i < r.count; i++)
        names[i] = r.decls[i].name;
    out->decls = r.decls;
    out->count = r.count;
    out->names = names;
    for (size_t i = 0; i < r.count; i++)
        if (r.decls[i].has_default &&
            !sg_fact_check(diags, r.decls[i].loc, &r.decls[i], &r.decls[i].default_value))
            return false;
    return true;
}

const sg_fact_decl *sg_facts_find(const sg_facts *facts, const char *name)
{
    return find_decl(facts->decls, facts->count, name);
}

void sg_facts_report_unknown(const sg_facts *facts, sg_diags *diags, sg_loc loc,
                             const char *name)
{
    const char *near = sg_nearest(name, facts->names, facts->count);

    if (near) {
        sg_diag(diags, SG_ERROR, loc, "unknown key '%s'; did you mean '%s'?", name, near);
        sg_diag(diags, SG_NOTE, sg_facts_find(facts, near)->loc, "%s is declared here",
                near);
    } else {
        sg_diag(diags, SG_ERROR, loc, "unknown key '%s'; facts are declared in "
                "targets/facts.lua, and a parameter is written METHOD.PARAM = VALUE", name);
    }
}

/* ---- checking -------------------------------------------------------------------------------- */

static void note_declaration(sg_diags *diags, const sg_fact_decl *decl)
{
    sg_diag(diags, SG_NOTE, decl->loc, "%s is declared here", decl->name);
}

static bool check_choice(sg_diags *diags, sg_loc loc, const sg_fact_decl *decl, const char *word)
{
    sg_arena *arena;
    char hint[100];
    size_t count = 0;

    for (; decl->choices[count]; count++)
        if (!strcmp(decl->choices[count], word))
            return true;
    arena = sg_arena_create();
    sg_text list = sg_text_in(arena);
    for (size_t i = 0; i < count; i++)
        sg_text_printf(&list, "%s\"%s\"", i ? ", " : "", decl->choices[i]);
    sg_diag(diags, SG_ERROR, loc, "%s must be one of %s, found \"%s\"%s", decl->name, list.data,
            word, sg_did_you_mean(hint, sizeof hint, word, decl->choices, count));
    note_declaration(diags, decl);
    sg_arena_destroy(arena);
    return false;
}

/* An empty text is allowed, although it is no expression. */
static bool check_expression(sg_diags *diags, sg_loc loc, const sg_fact_decl *decl,
                             const char *text)
{
    sg_arena *arena = sg_arena_create();
    const char *fault = *text ? sg_expression_fault(arena, text) : NULL;

    if (fault) {
        sg_diag(diags, SG_ERROR, loc, "%s must be one C expression, found %s", decl->name, fault);
        note_declaration(diags, decl);
    }
    sg_arena_destroy(arena);
    return !fault;
}

bool sg_fact_check(sg_diags *diags, sg_loc loc, const sg_fact_decl *decl, const sg_value *value)
{
    if (value->kind != decl->kind) {
        sg_arena *arena = sg_arena_create();
        sg_diag(diags, SG_ERROR, loc, "%s must be %s, found %s", decl->name,
                sg_kind_text(decl->kind), sg_value_text(arena, value));
        note_declaration(diags, decl);
        sg_arena_destroy(arena);
        return false;
    }
    if (decl->kind == SG_INTEGER && (value->integer < decl->min || value->integer > decl->max)) {
        sg_diag(diags, SG_ERROR, loc,
                "%s must be from %" PRId64 " to %" PRId64 "%s%s, found %" PRId64, decl->name,
                decl->min, decl->max, *decl->unit ? " " : "", decl->unit, value->integer);
        note_declaration(diags, decl);
        return false;
    }
    if (decl->is_expression)
        return check_expression(diags, loc, decl, value->string);
    if (decl->kind == SG_STRING && decl->choices)
        return check_choice(diags, loc, decl, value->string);
    return true;
}
