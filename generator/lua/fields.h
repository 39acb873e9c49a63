/* fields.h: reads the fields of a declaration's table: fact "x" { ... }.
 *
 * All functions stop the file, with an error at the declaration's line, if a field has the wrong
 * type. Texts go into the arena. Only within sg_lua_run. */
#ifndef SG_LUA_FIELDS_H
#define SG_LUA_FIELDS_H

#include "generator/lua/sandbox.h"
#include "generator/lua/value.h"

/* Stops the file if the table has a key that is not one of the NULL-terminated names; of:
 * "fact 'x'". */
void sg_lua_check_keys(lua_State *L, int index, sg_arena *arena, const char *const *names,
                       const char *of);

/* The field's text. If the field is nil: fallback, or an error if fallback is NULL. */
const char *sg_lua_text_field(lua_State *L, int index, sg_arena *arena, const char *key,
                              const char *fallback, const char *of);

bool sg_lua_integer_field(lua_State *L, int index, sg_arena *arena, const char *key, int64_t *out,
                          const char *of);              /* false: nil */
bool sg_lua_boolean_field(lua_State *L, int index, sg_arena *arena, const char *key, bool fallback,
                          const char *of);

/* A list of strings as a NULL-terminated array; NULL if the field is nil. */
const char *const *sg_lua_list_field(lua_State *L, int index, sg_arena *arena, const char *key,
                                     const char *of);

/* True for a C name of at most 64 letters, digits and '_' that begins with a letter. */
bool sg_is_name(const char *text);

/* True for a C name without capitals, since some file systems ignore the case. */
bool sg_is_lower_name(const char *text);

#endif
