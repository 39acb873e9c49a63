/* keys.h: finds the lines of the keys of a Lua table.
 *
 * Messages need the lines, which Lua does not keep. The scan knows only a part of Lua's syntax
 * (comments, strings, braces, KEY = and ["KEY"] =), which is enough for tables that are written
 * out; a key that it does not find has no line. */
#ifndef SG_LUA_KEYS_H
#define SG_LUA_KEYS_H

#include "generator/base/arena.h"

typedef struct sg_key_line {
    const char *path;            /* "words.v_sum.f32"; entries of lists have no key */
    int line, column;
} sg_key_line;

typedef struct sg_key_lines {
    const sg_key_line *keys;     /* in the file's order */
    size_t count;
} sg_key_lines;

sg_key_lines sg_lua_keys_scan(sg_arena *arena, const char *text);

/* The first key with this path, or NULL. */
const sg_key_line *sg_lua_keys_find(const sg_key_lines *lines, const char *path);

#endif
