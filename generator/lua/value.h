/* value.h: converts integers, booleans and strings between Lua and C. Only within sg_lua_run
 * (sandbox.h). */
#ifndef SG_LUA_VALUE_H
#define SG_LUA_VALUE_H

#include <lua.h>

#include "generator/base/value.h"

/* Converts the value at index. Returns NULL, or a description of a value that cannot be converted:
 * "a table". Strings must be one line of printable text without C comment marks, since they are
 * written into comments. */
const char *sg_lua_value(lua_State *L, int index, sg_arena *arena, sg_value *out);

/* The reason why a text is not allowed: "a string with a byte 0"; NULL: the text is allowed. */
const char *sg_string_fault(sg_arena *arena, const char *text, size_t length);

/* The string at index; "?" for another value, or a string with a byte 0, which no name has. All
 * names are read by this function: a C string would end at the byte. */
const char *sg_lua_name(lua_State *L, int index);

/* "the string \"x\"", "the number 1.5", "a table", for messages; in the arena. */
const char *sg_lua_describe(lua_State *L, int index, sg_arena *arena);

/* Pushes a value: an integer, a boolean or a string. */
void sg_lua_push(lua_State *L, const sg_value *value);

#endif
