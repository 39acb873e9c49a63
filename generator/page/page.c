/* page.c: the words of a page, as functions that Lua calls.
 *
 *     simd_width = 32              new_fact: a global that is assigned
 *     speculative.f32.W = 8        read_global gives a path "speculative", path_index the path
 *                                  "speculative", "f32", and path_newindex takes the value
 *     inherit "kepler"             sg_page_inherit (inherit.c)
 *
 * A mistake in an assignment is reported and the page runs on, so that all mistakes show at once.
 * Lua's own errors end the page. */
#include "generator/page/page.h"

#include <lauxlib.h>
#include <string.h>

#include "generator/lua/fields.h"
#include "common/did_you_mean.h"
#include "generator/page/page_state.h"
#include "generator/base/data_files.h"
#include "generator/base/text.h"
#include "generator/base/value_types.h"

enum { MOST_ERRORS = 20 };

/* METHOD or METHOD.TYPE: a name that is not a fact may be a method's. */
typedef struct key_path {
    const char *method, *type;
} key_path;

#define PATH_META "spmvgen.path"

/* ---- mistakes -------------------------------------------------------------------------------- */

static void count_error(lua_State *L, sg_page_state *page)
{
    if (++page->errors < MOST_ERRORS)
        return;
    sg_diag(page->chain->diags, SG_NOTE, sg_lua_here(L), "too many errors; the rest is not read");
    sg_lua_reported(L);
}

static int unknown_name(lua_State *L, const char *name)
{
    const sg_page_state *page = sg_lua_context(L);
    const sg_facts *facts = page->chain->facts;
    const char **names = sg_arena_alloc(page->chain->arena, (facts->count + 1) * sizeof *names);
    char hint[100];

    names[0] = "inherit";
    for (size_t i = 0; i < facts->count; i++)
        names[i + 1] = facts->names[i];
    sg_did_you_mean(hint, sizeof hint, name, names, facts->count + 1);
    return luaL_error(L, "unknown name '%s'%s", name, hint);
}

/* Runs when a page computes with, compares or calls a path: a name that has no value. */
static int use_path(lua_State *L)
{
    const key_path *path = luaL_testudata(L, 1, PATH_META);

    if (!path)
        path = luaL_testudata(L, 2, PATH_META);
    return unknown_name(L, path ? path->method : "?");
}

/* ---- assignments ----------------------------------------------------------------------------- */

static bool has_own_line(lua_State *L, sg_page_state *page, const char *name)
{
    const sg_loc here = sg_lua_here(L);

    if (here.line == page->last_line) {
        sg_diag(page->chain->diags, SG_ERROR, here,
                "'%s' needs a line of its own: one assignment a line, so that each value has a "
                "place", name);
        count_error(L, page);
        return false;
    }
    page->last_line = here.line;
    return true;
}

/* Reports a name in place of a value: perhaps a string without its quotes. */
static int bare_name(lua_State *L, const char *name, bool takes_words)
{
    if (!takes_words)
        return unknown_name(L, name);
    return luaL_error(L, "unknown name '%s'; a word is a string and stands in quotes: \"%s\"", name,
                      name);
}

/* Reads the value at index 3. Returns false, with an error, if a page cannot state it. */
static bool take_value(lua_State *L, sg_page_state *page, const char *name, const char *expected,
                       bool takes_words, sg_value *value)
{
    const key_path *path = luaL_testudata(L, 3, PATH_META);

    if (path)
        bare_name(L, path->method, takes_words);
    const char *fault = sg_lua_value(L, 3, page->chain->arena, value);
    if (!fault)
        return true;
    sg_diag(page->chain->diags, SG_ERROR, sg_lua_here(L), "%s must be %s, found %s%s", name,
            expected, fault,
            lua_istable(L, 3) ? "; a page has no table constructors: one value a line" : "");
    count_error(L, page);
    return false;
}

static void report_repeated(lua_State *L, sg_page_state *page, const char *name, sg_loc first)
{
    sg_diag(page->chain->diags, SG_ERROR, sg_lua_here(L),
            "'%s' is assigned twice on one page; keep one of the two lines", name);
    sg_diag(page->chain->diags, SG_NOTE, first, "the first is here");
    count_error(L, page);
}

static int unknown_fact(lua_State *L, sg_page_state *page, const char *name)
{
    if (!strcmp(name, "inherit"))
        sg_diag(page->chain->diags, SG_ERROR, sg_lua_here(L),
                "unknown key 'inherit'; a page is inherited without '=': inherit \"NAME\"");
    else
        sg_facts_report_unknown(page->chain->facts, page->chain->diags, sg_lua_here(L), name);
    count_error(L, page);
    return 0;
}

/* FACT = value */
static int new_fact(lua_State *L)
{
    sg_page_state *page = sg_lua_context(L);
    sg_chain *chain = page->chain;
    const char *name = sg_lua_name(L, 2);
    const sg_fact_decl *decl = sg_facts_find(chain->facts, name);
    sg_value value;

    if (!decl)
        return unknown_fact(L, page, name);
    if (!has_own_line(L, page, name) ||
        !take_value(L, page, name, sg_kind_text(decl->kind), decl->kind == SG_STRING, &value))
        return 0;
    sg_fact_state *state = &chain->states[decl - chain->facts->decls];
    if (state->is_set && state->depth == page->depth) {
        report_repeated(L, page, name, state->origin);
        return 0;
    }
    if (!sg_fact_check(chain->diags, sg_lua_here(L), decl, &value)) {
        count_error(L, page);
        return 0;
    }
    *state = (sg_fact_state){ true, page->depth, value, sg_lua_here(L) };
    return 0;
}

static bool same_type(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* METHOD.PARAM = value, METHOD.TYPE.PARAM = value */
static int path_newindex(lua_State *L)
{
    sg_page_state *page = sg_lua_context(L);
    sg_chain *chain = page->chain;
    const key_path *path = luaL_checkudata(L, 1, PATH_META);
    const char *param = sg_lua_name(L, 2);
    sg_assignment a = { .method = path->method, .type = path->type, .depth = page->depth };

    if (!sg_is_name(param) || sg_value_type_find(param))
        return luaL_error(L, "expected METHOD.PARAM = VALUE or METHOD.f32.PARAM = VALUE, found "
                             "'%s' as the parameter", param);
    const char *name = sg_arena_printf(chain->arena, "%s%s%s.%s", a.method, a.type ? "." : "",
                                       a.type ? a.type : "", param);
    if (!has_own_line(L, page, name) ||
        !take_value(L, page, name, "an integer, or a string that names a choice", true, &a.value))
        return 0;
    for (size_t i = 0; i < chain->assignment_count; i++) {
        const sg_assignment *other = &chain->assignments[i];
        if (other->depth == page->depth && !strcmp(other->method, a.method) &&
            !strcmp(other->param, param) && same_type(other->type, a.type)) {
            report_repeated(L, page, name, other->origin);
            return 0;
        }
    }
    a.param = sg_arena_strdup(chain->arena, param);
    a.origin = sg_lua_here(L);
    sg_chain_assign(chain, &a);
    return 0;
}

/* ---- names that are read --------------------------------------------------------------------- */

static int push_path(lua_State *L, const char *method, const char *type)
{
    key_path *path = lua_newuserdatauv(L, sizeof *path, 0);

    path->method = method;
    path->type = type;
    luaL_setmetatable(L, PATH_META);
    return 1;
}

/* True for a letter and digits, like the name of a type. */
static bool looks_like_type(const char *key)
{
    return *key >= 'a' && *key <= 'z' && key[1] && !key[1 + strspn(key + 1, "0123456789")];
}

/* "csr5.f32.PARAM or csr5.f64.PARAM" */
static const char *typed_names(lua_State *L, const char *method)
{
    const sg_page_state *page = sg_lua_context(L);
    sg_arena *arena = page->chain->arena;

    return sg_value_type_list(arena, sg_arena_printf(arena, "%s.", method), ".PARAM");
}

static int path_index(lua_State *L)
{
    const key_path *path = luaL_checkudata(L, 1, PATH_META);
    const char *key = sg_lua_name(L, 2);

    const sg_type *type = path->type ? NULL : sg_value_type_find(key);
    if (type)
        return push_path(L, path->method, type->name);
    if (!path->type && looks_like_type(key))
        return luaL_error(L, "there is no value type '%s': a parameter is written %s.PARAM for all "
                             "types, %s for one", key, path->method, typed_names(L, path->method));
    return luaL_error(L, "'%s.%s%s%s' cannot be read: only facts can, that a line above assigns; "
                         "a parameter is written METHOD.PARAM or METHOD.f32.PARAM",
                      path->method, path->type ? path->type : "", path->type ? "." : "", key);
}

static int read_global(lua_State *L)
{
    const sg_page_state *page = sg_lua_context(L);
    const sg_chain *chain = page->chain;
    const char *name = sg_lua_name(L, 2);
    const sg_fact_decl *decl = sg_facts_find(chain->facts, name);

    if (!strcmp(name, "inherit")) {
        lua_pushcfunction(L, sg_page_inherit);
        return 1;
    }
    if (!decl) {
        if (!sg_is_name(name))
            return unknown_name(L, name);
        return push_path(L, sg_arena_strdup(chain->arena, name), NULL);
    }
    const sg_fact_state *state = &chain->states[decl - chain->facts->decls];
    if (!state->is_set)
        return luaL_error(L, "'%s' has no value here; assign it on a line above", name);
    sg_lua_push(L, &state->value);
    return 1;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Explains Lua's syntax error at inherit NAME, without quotes. */
static const char *explain_inherit(sg_arena *arena, const char *line)
{
    static const char word[] = "inherit";
    const char *at = line + strspn(line, " \t");

    if (strncmp(at, word, strlen(word)))
        return "";
    at += strlen(word);
    if (*at != ' ' && *at != '\t')
        return "";
    at += strspn(at, " \t");
    const char *name = sg_arena_strndup(arena, at, strcspn(at, " \t\r\n"));
    return sg_is_data_file_name(name)
        ? sg_arena_printf(arena, "; a page's name stands in quotes: inherit \"%s\"", name) : "";
}

static int define_words(lua_State *L)
{
    static const char *const uses[] = {
        "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band", "__bor",
        "__bxor", "__shl", "__shr", "__bnot", "__concat", "__len", "__lt", "__le", "__call"
    };

    luaL_newmetatable(L, PATH_META);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        lua_pushcfunction(L, use_path);
        lua_setfield(L, -2, uses[i]);
    }
    lua_pushcfunction(L, path_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, path_newindex);
    lua_setfield(L, -2, "__newindex");

    lua_newtable(L);
    lua_pushcfunction(L, read_global);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, new_fact);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, 1);
    return 0;
}

bool sg_page_run(sg_chain *chain, const char *path, const char *shown, int depth)
{
    sg_page_state page = { .chain = chain, .depth = depth, .path = path, .shown = shown };
    sg_lua_job job = {
        .path = path, .shown = shown, .what = "a page", .before = define_words,
        .explain = explain_inherit, .context = &page
    };

    chain->paths[depth] = path;
    chain->pages[depth].file = shown;
    chain->page_count = (size_t)depth + 1;
    const bool ran = sg_lua_run(chain->arena, chain->diags, &job);
    chain->pages[depth].hash = job.hash;
    if (!ran || page.errors)
        return false;
    /* Facts that are not inherited are cleared before the inheriting page assigns anything. */
    for (size_t i = 0; depth > 0 && i < chain->facts->count; i++)
        if (chain->facts->decls[i].own_page_only)
            chain->states[i].is_set = false;
    return true;
}

bool sg_chain_load(sg_chain *chain, const char *path, const char *shown)
{
    chain->states = sg_arena_alloc(chain->arena, (chain->facts->count + 1) * sizeof *chain->states);
    return sg_page_run(chain, path, shown, 0);
}
