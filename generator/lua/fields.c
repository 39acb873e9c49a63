/* fields.c: reads tables of declarations. Stateless. */
#include "generator/lua/fields.h"

#include <lauxlib.h>
#include <string.h>

#include "common/did_you_mean.h"

/* The least key of the table that is not one of the names, or NULL. A key that is not a string
 * counts as unknown: "[1]". */
static const char *unknown_key(lua_State *L, int index, sg_arena *arena, const char *const *names)
{
    const char *least = NULL;

    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        const char *key;
        bool known = false;
        if (lua_type(L, -2) == LUA_TSTRING) {
            key = sg_lua_name(L, -2);
            for (size_t i = 0; names[i] && !known; i++)
                known = !strcmp(names[i], key);
        } else {
            key = lua_isinteger(L, -2)
                      ? sg_arena_printf(arena, "[%lld]", (long long)lua_tointeger(L, -2))
                      : "[...]";
        }
        if (!known && (!least || strcmp(key, least) < 0))
            least = sg_arena_strdup(arena, key);
    }
    return least;
}

void sg_lua_check_keys(lua_State *L, int index, sg_arena *arena, const char *const *names,
                       const char *of)
{
    const char *unknown = unknown_key(L, index, arena, names);
    char hint[100];
    size_t count = 0;

    if (!unknown)
        return;
    while (names[count])
        count++;
    luaL_error(L, "%s has an unknown field '%s'%s", of, unknown,
               sg_did_you_mean(hint, sizeof hint, unknown, names, count));
}

/* Pushes the field. Returns false, and pushes nothing, if the field is nil. */
static bool push_field(lua_State *L, int index, const char *key)
{
    if (lua_getfield(L, index, key) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

static void read_value(lua_State *L, sg_arena *arena, const char *key, sg_kind kind,
                       sg_value *value, const char *of)
{
    const char *fault = sg_lua_value(L, -1, arena, value);

    if (!fault && value->kind != kind)
        fault = sg_lua_describe(L, -1, arena);
    if (fault)
        luaL_error(L, "%s: '%s' must be %s, found %s", of, key, sg_kind_text(kind), fault);
    lua_pop(L, 1);
}

const char *sg_lua_text_field(lua_State *L, int index, sg_arena *arena, const char *key,
                              const char *fallback, const char *of)
{
    sg_value value;

    if (!push_field(L, index, key)) {
        if (!fallback)
            luaL_error(L, "%s lacks its '%s', a string", of, key);
        return fallback;
    }
    read_value(L, arena, key, SG_STRING, &value, of);
    return value.string;
}

bool sg_lua_integer_field(lua_State *L, int index, sg_arena *arena, const char *key, int64_t *out,
                          const char *of)
{
    sg_value value;

    if (!push_field(L, index, key))
        return false;
    read_value(L, arena, key, SG_INTEGER, &value, of);
    *out = value.integer;
    return true;
}

bool sg_lua_boolean_field(lua_State *L, int index, sg_arena *arena, const char *key, bool fallback,
                          const char *of)
{
    sg_value value;

    if (!push_field(L, index, key))
        return fallback;
    read_value(L, arena, key, SG_BOOLEAN, &value, of);
    return value.integer != 0;
}

const char *const *sg_lua_list_field(lua_State *L, int index, sg_arena *arena, const char *key,
                                     const char *of)
{
    sg_value value;

    if (!push_field(L, index, key))
        return NULL;
    if (!lua_istable(L, -1))
        luaL_error(L, "%s: '%s' must be a list of strings, found %s", of, key,
                   sg_lua_describe(L, -1, arena));
    const size_t count = lua_rawlen(L, -1);
    size_t entries = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        entries++;
    if (entries != count)
        luaL_error(L, "%s: '%s' must be a plain list of strings", of, key);
    const char **list = sg_arena_alloc(arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        read_value(L, arena, key, SG_STRING, &value, of);
        list[i] = value.string;
    }
    lua_pop(L, 1);
    return list;
}

bool sg_is_name(const char *text)
{
    size_t length = 0;

    for (; text[length]; length++) {
        const char c = text[length];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && (length == 0 || ((c < '0' || c > '9') && c != '_')))
            return false;
    }
    return length > 0 && length <= 64;
}

bool sg_is_lower_name(const char *text)
{
    bool good = sg_is_name(text);

    for (; *text; text++)
        good = good && !(*text >= 'A' && *text <= 'Z');
    return good;
}
