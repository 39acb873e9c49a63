/* declare.c: the words method, param, check, bits and include of params.lua. */
#include "generator/method/declare.h"

#include <ctype.h>
#include <inttypes.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "generator/lua/fields.h"
#include "common/did_you_mean.h"
#include "generator/page/page.h"
#include "generator/base/data_files.h"
#include "generator/base/text.h"

#define SHARED "templates/common"

size_t sg_declared_find(const sg_declared *d, const char *name)
{
    size_t i = 0;

    while (i < d->param_count && strcmp(d->params[i].decl.name, name))
        i++;
    return i;
}

/* Every word begins with this check: functions of the file run while its parameters are resolved,
 * and may not declare more. */
static sg_declared *open_declared(lua_State *L)
{
    sg_declared *d = sg_lua_context(L);

    if (d->is_closed)
        luaL_error(L, "nothing can be declared once the file has run; move this out of the "
                      "function");
    return d;
}

/* ---- method ---------------------------------------------------------------------------------- */

/* method { title = ..., source = ... } */
static int declare_method(lua_State *L)
{
    static const char *const keys[] = { "title", "source", NULL };
    sg_declared *d = open_declared(L);

    luaL_checktype(L, 1, LUA_TTABLE);
    if (d->title)
        return luaL_error(L, "the method is declared twice");
    sg_lua_check_keys(L, 1, d->arena, keys, "the method");
    d->source = sg_lua_text_field(L, 1, d->arena, "source", NULL, "the method");
    d->title = sg_lua_text_field(L, 1, d->arena, "title", NULL, "the method");
    return 0;
}

/* ---- param ----------------------------------------------------------------------------------- */

static int compare_choices(const void *a, const void *b)
{
    const int64_t x = ((const sg_choice *)a)->value, y = ((const sg_choice *)b)->value;
    return x < y ? -1 : x > y;
}

/* choices = { NAME = INTEGER, ... }; does nothing if the field is nil. */
static void read_choices(lua_State *L, sg_arena *arena, sg_param_decl *decl, const char *of)
{
    size_t count = 0;

    if (lua_getfield(L, 1, "choices") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    luaL_argcheck(L, lua_istable(L, -1), 1, "'choices' must be a table: { name = number }");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        count++;
    sg_choice *choices = sg_arena_alloc(arena, (count + 1) * sizeof *choices);
    size_t used = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (!sg_is_name(sg_lua_name(L, -2)) || !lua_isinteger(L, -1))
            luaL_error(L, "%s: 'choices' must be names with integers: { name = number }", of);
        choices[used].name = sg_arena_strdup(arena, sg_lua_name(L, -2));
        choices[used++].value = lua_tointeger(L, -1);
    }
    lua_pop(L, 1);
    if (!count)
        luaL_error(L, "%s: 'choices' has no entry", of);
    qsort(choices, count, sizeof *choices, compare_choices);
    for (size_t i = 1; i < count; i++)
        if (choices[i].value == choices[i - 1].value)
            luaL_error(L, "%s: two choices have the value %d", of, (int)choices[i].value);
    decl->choices = choices;
    decl->choice_count = count;
    decl->min = choices[0].value;
    decl->max = choices[count - 1].value;
}

static void read_range(lua_State *L, sg_arena *arena, sg_param_decl *decl, const char *of)
{
    const bool has_min = sg_lua_integer_field(L, 1, arena, "min", &decl->min, of);
    const bool has_max = sg_lua_integer_field(L, 1, arena, "max", &decl->max, of);

    if (has_min != has_max || has_min == (decl->choices != NULL))
        luaL_error(L, "%s needs either 'min' and 'max', or 'choices'", of);
    if (decl->min > decl->max || decl->min < INT32_MIN || decl->max > INT32_MAX)
        luaL_error(L, "%s: 'min' must not exceed 'max', and both must fit an enumerator (int)", of);
}

static const char *upper_case(sg_arena *arena, const char *name)
{
    char *upper = sg_arena_strdup(arena, name);

    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return upper;
}

static void check_benchmark_only(lua_State *L, const sg_declared_param *param, const char *of)
{
    for (const char *const *name = param->benchmark_only; name && *name; name++) {
        bool known = false;
        for (size_t i = 0; i < param->decl.choice_count; i++)
            known = known || !strcmp(param->decl.choices[i].name, *name);
        if (!known)
            luaL_error(L, "%s: 'benchmark_only' names '%s', which is no choice", of, *name);
    }
}

static void check_costs(lua_State *L, const sg_param_decl *decl, const char *of)
{
    for (const char *const *cost = decl->costs; cost && *cost; cost++)
        if (strcmp(*cost, "registers") && strcmp(*cost, "local memory"))
            luaL_error(L, "%s: 'costs' lists 'registers' and 'local memory', not '%s'", of, *cost);
}

/* { ... }: upvalue 1 is the name, 2 the file, 3 the line. */
static int declare_param(lua_State *L)
{
    static const char *const keys[] = { "min", "max", "choices", "benchmark_only", "costs", "unit",
                                        "meaning", "source", "derivation", "default", "tune",
                                        NULL };
    sg_declared *d = open_declared(L);
    sg_declared_param param = { .decl = { .loc = { .column = 1 } } };
    sg_param_decl *decl = &param.decl;

    luaL_checktype(L, 1, LUA_TTABLE);
    decl->name = sg_arena_strdup(d->arena, lua_tostring(L, lua_upvalueindex(1)));
    decl->c_name = upper_case(d->arena, decl->name);
    decl->loc.file = lua_touserdata(L, lua_upvalueindex(2));
    decl->loc.line = (int)lua_tointeger(L, lua_upvalueindex(3));
    const char *of = sg_arena_printf(d->arena, "param '%s'", decl->name);
    sg_lua_check_keys(L, 1, d->arena, keys, of);
    read_choices(L, d->arena, decl, of);
    read_range(L, d->arena, decl, of);
    decl->unit = sg_lua_text_field(L, 1, d->arena, "unit", "", of);
    decl->meaning = sg_lua_text_field(L, 1, d->arena, "meaning", NULL, of);
    decl->source = sg_lua_text_field(L, 1, d->arena, "source", NULL, of);
    decl->derivation = sg_lua_text_field(L, 1, d->arena, "derivation", NULL, of);
    param.benchmark_only = sg_lua_list_field(L, 1, d->arena, "benchmark_only", of);
    check_benchmark_only(L, &param, of);
    decl->costs = sg_lua_list_field(L, 1, d->arena, "costs", of);
    check_costs(L, decl, of);
    if (lua_getfield(L, 1, "default") != LUA_TFUNCTION)
        return luaL_error(L, "%s lacks its 'default', a function of t", of);
    param.default_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    const int tune = lua_getfield(L, 1, "tune");
    if (tune != LUA_TNIL && tune != LUA_TFUNCTION)
        return luaL_error(L, "%s: 'tune' must be a function of t that returns a list", of);
    param.tune_ref = tune == LUA_TNIL ? LUA_NOREF : luaL_ref(L, LUA_REGISTRYINDEX);

    d->params = sg_arena_more(d->arena, d->params, d->param_count, sizeof *d->params);
    d->params[d->param_count++] = param;
    return 0;
}

/* param "name" */
static int open_param(lua_State *L)
{
    const sg_declared *d = open_declared(L);
    const char *name = sg_lua_name(L, 1);

    if (!sg_is_name(name))
        return luaL_error(L, "a parameter's name consists of letters, digits and '_', a letter "
                             "first");
    const char *c_name = upper_case(d->arena, name);
    if (!strcmp(c_name, SG_FIGURES_ENUMERATOR))
        return luaL_error(L, "a parameter cannot be called '%s': the enumerator "
                             SG_FIGURES_ENUMERATOR " says in every template whether --figures was "
                             "given", name);
    if (!strcmp(c_name, SG_SEVERAL_VECTORS_ENUMERATOR))
        return luaL_error(L, "a parameter cannot be called '%s': the enumerator "
                             SG_SEVERAL_VECTORS_ENUMERATOR " says in every template whether "
                             "--one-vector was given", name);
    for (size_t i = 0; i < d->param_count; i++)
        if (!strcmp(d->params[i].decl.c_name, c_name))
            return luaL_error(L, "'%s' is declared twice: its enumerator is %s, which '%s' has",
                              name, c_name, d->params[i].decl.name);
    const sg_loc here = sg_lua_here(L);
    lua_settop(L, 1);
    lua_pushlightuserdata(L, (void *)here.file);
    lua_pushinteger(L, here.line);
    lua_pushcclosure(L, declare_param, 3);
    return 1;
}

/* ---- check ----------------------------------------------------------------------------------- */

/* check({ "a", "b" }, function(p, t) ... end, "message"); the list is optional. */
static int declare_check(lua_State *L)
{
    sg_declared *d = open_declared(L);
    sg_declared_check check = { .loc = sg_lua_here(L) };

    if (lua_istable(L, 1)) {
        lua_newtable(L);
        lua_pushvalue(L, 1);
        lua_setfield(L, -2, "parameters");
        check.params = sg_lua_list_field(L, -1, d->arena, "parameters", "a check");
        lua_pop(L, 1);
        lua_remove(L, 1);
    }
    for (const char *const *name = check.params; name && *name; name++)
        if (sg_declared_find(d, *name) == d->param_count)
            return luaL_error(L, "a check names '%s', which is not declared above it", *name);
    sg_value message;
    if (!lua_isfunction(L, 1) || lua_gettop(L) != 2 || sg_lua_value(L, 2, d->arena, &message) ||
        message.kind != SG_STRING)
        return luaL_error(L, "expected check({ \"PARAM\", ... }, function(p, t) ... end, "
                             "\"message\")");
    check.message = message.string;
    lua_settop(L, 1);
    check.function_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    d->checks = sg_arena_more(d->arena, d->checks, d->check_count, sizeof *d->checks);
    d->checks[d->check_count++] = check;
    return 0;
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* bits(function(p, t) ... end) */
static int declare_bits(lua_State *L)
{
    sg_declared *d = open_declared(L);

    if (!lua_isfunction(L, 1) || lua_gettop(L) != 1)
        return luaL_error(L, "expected bits(function(p, t) ... end)");
    if (d->bits_ref)
        return luaL_error(L, "bits is declared twice");
    d->bits_loc = sg_lua_here(L);
    d->bits_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* ---- include --------------------------------------------------------------------------------- */

/* include "NAME": runs templates/common/NAME.lua at this place. */
static int include_shared(lua_State *L)
{
    const sg_declared *d = open_declared(L);
    char hint[100];
    size_t count = 0;

    if (lua_type(L, 1) != LUA_TSTRING || lua_gettop(L) != 1)
        return luaL_error(L, "include takes the name of a file of " SHARED "/: include \"name\"");
    const char *name = sg_lua_name(L, 1);
    if (!sg_is_lower_name(name))
        return luaL_error(L, "a shared file is included by its name in " SHARED "/, without .lua: "
                             "lower-case letters, digits and '_', a letter first");
    const char *shown = sg_arena_printf(d->arena, SHARED "/%s.lua", name);
    const char *path = sg_path_join(d->arena, d->root, shown);
    if (!sg_is_file(path)) {
        const char *const *names =
            sg_data_file_names(d->arena, sg_path_join(d->arena, d->root, SHARED), &count);
        return luaL_error(L, "there is no shared file '%s' in " SHARED "/%s", name,
                          sg_did_you_mean(hint, sizeof hint, name, names, count));
    }
    sg_lua_include(L, path, shown, "a shared file");
    return 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int define_words(lua_State *L)
{
    static const luaL_Reg words[] = {
        { "method", declare_method }, { "param", open_param }, { "check", declare_check },
        { "bits", declare_bits }, { "include", include_shared }, { NULL, NULL }
    };

    luaL_setfuncs(L, words, 0);
    sg_lua_add_math(L, 1);
    return 0;
}

static int close_words(lua_State *L)
{
    sg_declared *d = sg_lua_context(L);

    d->is_closed = true;
    return d->after ? d->after(L) : 0;
}

/* The file itself, then the files that it included. */
static void list_inputs(sg_declared *out, const sg_lua_job *job)
{
    const size_t count = 1 + job->included_count;
    sg_input *inputs = sg_arena_alloc(out->arena, count * sizeof *inputs);

    inputs[0] = (sg_input){ out->file, job->hash };
    for (size_t i = 1; i < count; i++)
        inputs[i] = job->included[i - 1];
    out->inputs = inputs;
    out->input_count = count;
}

bool sg_declare(sg_arena *arena, sg_diags *diags, const char *root, const char *name,
                lua_CFunction after, sg_declared *out)
{
    sg_lua_job job = { .what = "params.lua", .before = define_words, .after = close_words,
                       .context = out };

    *out = (sg_declared){ .arena = arena, .diags = diags, .root = root, .after = after,
                          .context = out->context };
    out->dir = sg_arena_printf(arena, "templates/%s", name);
    out->file = sg_arena_printf(arena, "%s/params.lua", out->dir);
    job.path = sg_path_join(arena, root, out->file);
    job.shown = out->file;
    const bool ran = sg_lua_run(arena, diags, &job);
    list_inputs(out, &job);
    if (ran && !out->title) {
        sg_diag(diags, SG_ERROR, (sg_loc){ out->file, 0, 0 },
                "params.lua lacks method { title = \"...\", source = \"...\" }");
        return false;
    }
    return ran;
}
