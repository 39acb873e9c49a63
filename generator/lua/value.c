/* value.c: see value.h. Stateless. */
#include "generator/lua/value.h"

#include <inttypes.h>
#include <string.h>

#include "common/utf8.h"
#include "generator/base/text.h"

enum { LONGEST_STRING = 1000 };

const char *sg_string_fault(sg_arena *arena, const char *text, size_t length)
{
    if (length > LONGEST_STRING)
        return "a string of more than 1000 bytes";
    if (strlen(text) != length)
        return "a string with a byte 0";
    for (size_t i = 0; i < length;) {
        const size_t bytes = sg_utf8_length(text + i);
        if (!bytes)
            return "a string that is not UTF-8";
        const uint32_t letter = sg_utf8_letter(text + i, bytes);
        if (!sg_is_printable(letter))
            return sg_arena_printf(arena, "a string with U+%04" PRIX32 ", which is not printable",
                                   letter);
        i += bytes;
    }
    if (strstr(text, "/*") || strstr(text, "*/"))
        return "a string with a C comment mark";
    return NULL;
}

const char *sg_lua_value(lua_State *L, int index, sg_arena *arena, sg_value *out)
{
    size_t length = 0;
    const char *text, *fault;
    int is_whole = 0;

    memset(out, 0, sizeof *out);
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        out->kind = SG_BOOLEAN;
        out->integer = lua_toboolean(L, index);
        return NULL;
    case LUA_TNUMBER:
        /* 64 / 2 is a float in Lua, although it is a whole number. */
        out->kind = SG_INTEGER;
        out->integer = lua_tointegerx(L, index, &is_whole);
        return is_whole ? NULL : sg_lua_describe(L, index, arena);
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &length);
        fault = sg_string_fault(arena, text, length);
        if (fault)
            return fault;
        out->kind = SG_STRING;
        out->string = sg_arena_strdup(arena, text);
        return NULL;
    default:
        return sg_lua_describe(L, index, arena);
    }
}

const char *sg_lua_name(lua_State *L, int index)
{
    size_t length = 0;
    const char *text =
        lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;

    return text && strlen(text) == length ? text : "?";
}

const char *sg_lua_describe(lua_State *L, int index, sg_arena *arena)
{
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        return "nil";
    case LUA_TBOOLEAN:
        return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER:
        if (lua_isinteger(L, index))
            return sg_arena_printf(arena, "the number %lld", (long long)lua_tointeger(L, index));
        return sg_arena_printf(arena, "the number %.14g", lua_tonumber(L, index));
    case LUA_TSTRING:
        return sg_arena_printf(arena, "the string \"%.60s\"", lua_tostring(L, index));
    case LUA_TTABLE:
        return "a table";
    case LUA_TFUNCTION:
        return "a function";
    default:
        return "something else";
    }
}

void sg_lua_push(lua_State *L, const sg_value *value)
{
    if (value->kind == SG_STRING)
        lua_pushstring(L, value->string);
    else if (value->kind == SG_BOOLEAN)
        lua_pushboolean(L, value->integer != 0);
    else
        lua_pushinteger(L, value->integer);
}
