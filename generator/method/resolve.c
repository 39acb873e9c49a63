/* resolve.c: a method's parameters for one target and value type (method.h).
 *
 * params.lua runs again, so that its functions exist. Then each parameter in order gets the page's
 * value, or the result of its default function. The lines of the page that a running function reads
 * are recorded, so that an error of a derived value is reported at the line that it was derived
 * from. */
#include "generator/method/method.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "generator/method/accept.h"
#include "generator/method/declare.h"
#include "generator/page/facts.h"
#include "generator/lua/value.h"
#include "common/did_you_mean.h"
#include "generator/base/text.h"
#include "generator/base/value_types.h"

#define FACTS_META "spmvgen.facts"
#define PARAMS_META "spmvgen.params"

enum { MOST_FACTS = 8 };         /* noted behind a broken rule */

typedef struct resolver {
    const sg_method *method;
    const sg_target *target;
    const char *type;
    int64_t value_bits;
    sg_param *values;
    size_t count;                /* resolved so far */
    sg_loc read;                 /* first line of a page that the running function has read */
    const sg_fact *facts[MOST_FACTS];    /* of pages, that the function has read */
    size_t fact_count;
    bool is_deriving;            /* the running function is a default */
    bool failed;
    bool benchmark_only;
    const char *bits;
} resolver;

static resolver *resolver_of(lua_State *L)
{
    const sg_declared *d = sg_lua_context(L);
    return d->context;
}

/* ---- t and p, as params.lua sees them -------------------------------------------------------- */

/* Distance of a place: 0 for the command line, 1 for the page itself, more for its ancestors. The
 * user changes the nearest place first. */
static size_t distance_of(const resolver *r, sg_loc loc)
{
    size_t i = 0;

    if (loc.line == SG_COMMAND_LINE)
        return 0;
    while (loc.file && i < r->target->page_count && strcmp(r->target->pages[i].file, loc.file))
        i++;
    return loc.file ? i + 1 : SIZE_MAX;
}

/* The nearer of two places; of equally near ones the first. */
static sg_loc more_derived(const resolver *r, sg_loc a, sg_loc b)
{
    return distance_of(r, b) < distance_of(r, a) ? b : a;
}

static void note_read(resolver *r, sg_loc loc)
{
    r->read = more_derived(r, r->read, loc);
}

static void begin_function(resolver *r, bool is_deriving)
{
    r->read = (sg_loc){ NULL, 0, 0 };
    r->fact_count = 0;
    r->is_deriving = is_deriving;
}

static void note_fact(resolver *r, const sg_fact *fact)
{
    note_read(r, fact->origin);
    for (size_t i = 0; i < r->fact_count; i++)
        if (r->facts[i] == fact)
            return;
    if (r->fact_count < MOST_FACTS)
        r->facts[r->fact_count++] = fact;
}

static int read_only(lua_State *L)
{
    return luaL_error(L, "facts and parameters cannot be assigned here");
}

static int unknown_fact(lua_State *L, const sg_declared *d, const char *key)
{
    const resolver *r = d->context;
    const char **names = sg_arena_alloc(d->arena, (r->target->decl_count + 4) * sizeof *names);
    char hint[100];
    size_t count = 0;

    if (sg_declared_find(d, key) < d->param_count)
        return luaL_error(L, "'%s' is a parameter: t.p.%s", key, key);
    names[count++] = "type";
    names[count++] = "value_bits";
    names[count++] = "form";
    names[count++] = "p";
    for (size_t i = 0; i < r->target->decl_count; i++)
        names[count++] = r->target->decls[i].name;
    return luaL_error(L, "there is no fact '%s'%s", key,
                      sg_did_you_mean(hint, sizeof hint, key, names, count));
}

static bool is_declared(const sg_target *target, const char *fact)
{
    for (size_t i = 0; i < target->decl_count; i++)
        if (!strcmp(target->decls[i].name, fact))
            return true;
    return false;
}

/* t.KEY */
static int read_t(lua_State *L)
{
    const sg_declared *d = sg_lua_context(L);
    resolver *r = d->context;
    const char *key = sg_lua_name(L, 2);

    const sg_fact *fact = sg_target_fact(r->target, key);

    if (!strcmp(key, "type")) {
        lua_pushstring(L, r->type);
    } else if (!strcmp(key, "value_bits")) {
        lua_pushinteger(L, r->value_bits);
    } else if (!strcmp(key, "form")) {
        lua_pushstring(L, r->target->form);          /* nil if it is NULL */
    } else if (!strcmp(key, "p")) {
        luaL_getmetafield(L, 1, "parameters");
    } else if (fact) {
        if (fact->from_page)
            note_fact(r, fact);
        sg_lua_push(L, &fact->value);
    } else if (is_declared(r->target, key)) {
        lua_pushnil(L);
    } else {
        return unknown_fact(L, d, key);
    }
    return 1;
}

/* p.KEY */
static int read_p(lua_State *L)
{
    const sg_declared *d = sg_lua_context(L);
    resolver *r = d->context;
    const char *key = sg_lua_name(L, 2);
    const size_t at = sg_declared_find(d, key);
    char hint[100];

    if (at < r->count) {
        note_read(r, r->values[at].page_origin);
        r->values[at].is_read = r->values[at].is_read || r->is_deriving;
        lua_pushinteger(L, r->values[at].value);
        return 1;
    }
    if (at < d->param_count)
        return luaL_error(L, "parameter '%s' is declared below and has no value here", key);
    const char **names = sg_arena_alloc(d->arena, (d->param_count + 1) * sizeof *names);
    for (size_t i = 0; i < d->param_count; i++)
        names[i] = d->params[i].decl.name;
    return luaL_error(L, "there is no parameter '%s'%s", key,
                      sg_did_you_mean(hint, sizeof hint, key, names, d->param_count));
}

static void push_object(lua_State *L, const char *meta, lua_CFunction index)
{
    lua_newuserdatauv(L, 1, 0);
    luaL_newmetatable(L, meta);
    lua_pushcfunction(L, index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, read_only);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The command line wins, then the most derived page; within either, the assignment for this type
 * alone. */
static const sg_assignment *find_assignment(const resolver *r, const char *param)
{
    const sg_assignment *best = NULL;

    for (size_t i = 0; i < r->target->assignment_count; i++) {
        const sg_assignment *a = &r->target->assignments[i];
        if (strcmp(a->method, r->method->name) || strcmp(a->param, param) ||
            (a->type && strcmp(a->type, r->type)))
            continue;
        if (!best || a->depth < best->depth || (a->depth == best->depth && a->type && !best->type))
            best = a;
    }
    return best;
}

/* Calls the default with t, which stands at index 2. */
static bool derive(lua_State *L, const sg_declared *d, resolver *r, size_t at, sg_param *value)
{
    const sg_declared_param *param = &d->params[at];
    sg_value result;

    begin_function(r, true);
    lua_rawgeti(L, LUA_REGISTRYINDEX, param->default_ref);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    value->page_origin = r->read;
    const char *fault = sg_lua_value(L, -1, d->arena, &result);
    lua_pop(L, 1);
    if (fault) {
        sg_diag(d->diags, SG_ERROR, (sg_loc){ r->target->pages[0].file, 0, 0 },
                "%s.%s cannot be derived for %s from the facts of this page (its default gives "
                "%s); state it, or what it is derived from: %s", r->method->name,
                param->decl.name, r->type, fault, param->decl.derivation);
        sg_diag(d->diags, SG_NOTE, param->decl.loc, "%s is declared here", param->decl.name);
        return false;
    }
    return sg_param_accept(d->arena, d->diags, r->method->name, &param->decl, &result,
                           SG_FROM_DEFAULT, r->read.file ? r->read : param->decl.loc,
                           &value->value);
}

static void resolve_param(lua_State *L, const sg_declared *d, resolver *r, size_t at)
{
    sg_param *value = &r->values[at];
    const sg_param_decl *decl = &r->method->params[at];
    const sg_assignment *a = find_assignment(r, decl->name);
    bool good;

    /* A parameter without a valid value gets its least one, so that the others can be checked. */
    *value = (sg_param){ .decl = decl, .value = decl->min, .origin = decl->loc };
    if (a) {
        value->origin = value->page_origin = a->origin;
        value->from_page = true;
        good = sg_param_accept(d->arena, d->diags, r->method->name, decl, &a->value, SG_FROM_PAGE,
                               a->origin, &value->value);
    } else {
        good = derive(L, d, r, at, value);
    }
    r->failed = r->failed || !good;
    for (const char *const *name = d->params[at].benchmark_only; name && *name; name++) {
        const sg_value choice = { .kind = SG_STRING, .string = *name };
        int64_t number = 0;
        if (sg_param_find_choice(decl, &choice, &number) && number == value->value)
            r->benchmark_only = true;
    }
}

/* ---- tune ------------------------------------------------------------------------------------ */

/* Reads the list at the top of the stack, which a parameter's `tune` returned. Numbers out of range
 * are left out: a list that facts give may go beyond it on a wide device. */
static bool read_tune(lua_State *L, const sg_declared *d, resolver *r, sg_param *param)
{
    const lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    int64_t *values = sg_arena_alloc(d->arena, ((size_t)count + 1) * sizeof *values);
    size_t kept = 0;

    for (lua_Unsigned i = 0; i < count; i++) {
        sg_value value;
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        const char *fault = sg_lua_value(L, -1, d->arena, &value);
        lua_pop(L, 1);
        if (fault) {
            sg_diag(d->diags, SG_ERROR, param->decl->loc, "%s.%s: tune lists %s for %s",
                    r->method->name, param->decl->name, fault, r->type);
            return false;
        }
        if (value.kind == SG_INTEGER &&
            (value.integer < param->decl->min || value.integer > param->decl->max))
            continue;
        if (!sg_param_accept(d->arena, d->diags, r->method->name, param->decl, &value,
                             SG_FROM_TUNE, param->decl->loc, &values[kept++]))
            return false;
    }
    param->tune = values;
    param->tune_count = kept;
    return true;
}

/* Calls a parameter's `tune` with t, which stands at index 2. All parameters have values. */
static void run_tune(lua_State *L, const sg_declared *d, resolver *r, size_t at)
{
    if (d->params[at].tune_ref == LUA_NOREF)
        return;
    begin_function(r, false);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->params[at].tune_ref);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    if (!lua_istable(L, -1)) {
        sg_diag(d->diags, SG_ERROR, r->values[at].decl->loc, "%s.%s: tune must return a list of "
                "values, got %s", r->method->name, r->values[at].decl->name, luaL_typename(L, -1));
        r->failed = true;
    } else if (!read_tune(L, d, r, &r->values[at])) {
        r->failed = true;
    }
    lua_pop(L, 1);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* The line to show for a failed check: on the most derived page, the line that states one of its
 * parameters or a fact that one was derived from; without one the check's own line. The command
 * line comes first in either case, since its value was written last. */
static sg_loc check_origin(const sg_declared *d, const resolver *r, const sg_declared_check *check)
{
    sg_loc stated = { NULL, 0, 0 };
    sg_loc indirect = r->read;

    for (const char *const *name = check->params; name && *name; name++) {
        const sg_param *value = &r->values[sg_declared_find(d, *name)];
        if (value->from_page)
            stated = more_derived(r, stated, value->origin);
        indirect = more_derived(r, indirect, value->page_origin);
    }
    if (!stated.file || indirect.line == SG_COMMAND_LINE)
        stated = more_derived(r, stated, indirect);
    return stated.file ? stated : check->loc;
}

/* t stands at index 2, p at index 3. */
static void run_check(lua_State *L, const sg_declared *d, resolver *r,
                      const sg_declared_check *check)
{
    begin_function(r, false);
    lua_rawgeti(L, LUA_REGISTRYINDEX, check->function_ref);
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 2);
    const bool good = lua_toboolean(L, -2);
    const char *found = lua_type(L, -1) == LUA_TSTRING
                            ? sg_arena_printf(d->arena, ": %s", lua_tostring(L, -1)) : "";
    lua_pop(L, 2);
    if (good)
        return;
    r->failed = true;
    sg_diag(d->diags, SG_ERROR, check_origin(d, r, check), "%s for %s: %s%s", r->method->name,
            r->type, check->message, found);
    for (const char *const *name = check->params; name && *name; name++) {
        const sg_param *param = &r->values[sg_declared_find(d, *name)];
        sg_diag(d->diags, SG_NOTE, param->origin, "%s is %" PRId64 "%s", *name, param->value,
                param->from_page ? " by this line" : ", derived");
    }
    for (size_t i = 0; i < r->fact_count; i++)
        sg_diag(d->diags, SG_NOTE, r->facts[i]->origin, "the fact %s is %s by this line",
                r->facts[i]->decl->name, sg_value_text(d->arena, &r->facts[i]->value));
    sg_diag(d->diags, SG_NOTE, check->loc, "the rule is here");
}

/* t stands at index 2, p at index 3. */
static void run_bits(lua_State *L, const sg_declared *d, resolver *r)
{
    begin_function(r, false);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->bits_ref);
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    sg_value bits;
    const char *fault = sg_lua_value(L, -1, d->arena, &bits);
    if (fault || bits.kind != SG_STRING) {
        r->failed = true;
        sg_diag(d->diags, SG_ERROR, d->bits_loc, "bits must return a text, got %s",
                fault ? fault : luaL_typename(L, -1));
        return;
    }
    r->bits = bits.string;
    lua_pop(L, 1);
}

static bool declares_same(const sg_declared *d, const sg_method *method)
{
    if (d->param_count != method->param_count)
        return false;
    for (size_t i = 0; i < d->param_count; i++)
        if (strcmp(d->params[i].decl.name, method->params[i].name))
            return false;
    return true;
}

static int resolve_all(lua_State *L)
{
    const sg_declared *d = sg_lua_context(L);
    resolver *r = resolver_of(L);

    if (!declares_same(d, r->method))
        return 0;
    lua_settop(L, 1);
    push_object(L, FACTS_META, read_t);                       /* 2: t */
    push_object(L, PARAMS_META, read_p);                      /* 3: p */
    lua_getmetatable(L, 2);
    lua_pushvalue(L, 3);
    lua_setfield(L, -2, "parameters");
    lua_settop(L, 3);
    r->values = sg_arena_alloc(d->arena, (d->param_count + 1) * sizeof *r->values);
    for (r->count = 0; r->count < d->param_count; r->count++)
        resolve_param(L, d, r, r->count);
    for (size_t i = 0; i < d->check_count && !r->failed; i++)
        run_check(L, d, r, &d->checks[i]);
    if (d->bits_ref && !r->failed)
        run_bits(L, d, r);
    lua_settop(L, 3);
    for (size_t i = 0; i < d->param_count && !r->failed; i++)
        run_tune(L, d, r, i);
    return 0;
}

/* The first file that has changed since the method was loaded, or NULL. */
static const char *changed_input(const sg_declared *d, const sg_method *method)
{
    for (size_t i = 0; i < d->input_count && i < method->input_count; i++)
        if (strcmp(d->inputs[i].file, method->inputs[i].file) ||
            d->inputs[i].hash != method->inputs[i].hash)
            return d->inputs[i].file;
    return NULL;
}

bool sg_method_resolve(sg_arena *arena, sg_diags *diags, const char *root, const sg_method *method,
                       const sg_target *target, const char *type, sg_params *out)
{
    const sg_type *value = sg_value_type_find(type);
    resolver r = { .method = method, .target = target, .type = type,
                   .value_bits = value ? value->bits : 0 };
    sg_declared declared = { .context = &r };

    const bool ran = sg_declare(arena, diags, root, method->name, resolve_all, &declared);
    if (!ran)
        sg_diag(diags, SG_NOTE, (sg_loc){ target->pages[0].file, 0, 0 },
                "while the values of %s for %s were derived for this page", method->name, type);
    const char *changed = ran ? changed_input(&declared, method) : NULL;
    if (changed)
        sg_diag(diags, SG_ERROR, (sg_loc){ changed, 0, 0 },
                "the file has changed since it was read; run again");
    if (!ran || r.failed || changed)
        return false;
    out->param = r.values;
    out->count = r.count;
    out->benchmark_only = r.benchmark_only;
    out->bits = r.bits;
    return true;
}
