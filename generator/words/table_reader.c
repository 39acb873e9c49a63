/* table_reader.c: see table_reader.h. */
#include "generator/words/table_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/did_you_mean.h"
#include "generator/base/name_set.h"
#include "generator/base/text.h"

/* ---- mistakes and places --------------------------------------------------------------------- */

sg_loc sg_table_place(const sg_table_reader *r, const char *path)
{
    const sg_key_line *key = sg_lua_keys_find(&r->lines, path);

    return key ? (sg_loc){ r->file, key->line, key->column } : (sg_loc){ r->file, 0, 0 };
}

void sg_table_fail(sg_table_reader *r, const char *path, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->failed = true;
    sg_diag(r->diags, SG_ERROR, sg_table_place(r, path), "%s", text);
}

void sg_table_fail_unknown(sg_table_reader *r, const char *path, const char *key,
                           const char *const *known)
{
    char hint[100];

    sg_table_fail(r, path, "unknown key '%s'%s", key,
                  sg_did_you_mean(hint, sizeof hint, key, known, sg_list_length(known)));
}

const char *sg_table_join(const sg_table_reader *r, const char *path, const char *key)
{
    return *path ? sg_arena_printf(r->arena, "%s.%s", path, key) : key;
}

const char *const *sg_table_keys(sg_table_reader *r, lua_State *L, const char *path)
{
    size_t count = 0;

    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        count++;
    const char **keys = sg_arena_alloc(r->arena, (count + 1) * sizeof *keys);
    count = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING)
            keys[count++] = sg_arena_strdup(r->arena, sg_lua_name(L, -2));
        else
            sg_table_fail(r, path, "expected KEY = VALUE only, found an entry without a key");
    }
    if (count)
        qsort(keys, count, sizeof *keys, sg_compare_names);
    return keys;
}

void sg_table_check_keys(sg_table_reader *r, lua_State *L, const char *path,
                         const char *const *known)
{
    for (const char *const *key = sg_table_keys(r, L, path); *key; key++)
        if (!sg_is_one_of(known, *key))
            sg_table_fail_unknown(r, sg_table_join(r, path, *key), *key, known);
}

bool sg_is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name))
        names++;
    return *names != NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

const char *sg_table_text(sg_table_reader *r, lua_State *L, const char *path)
{
    size_t length = 0, at;

    if (lua_type(L, -1) != LUA_TSTRING) {
        sg_table_fail(r, path, "expected a string, found %s", sg_lua_describe(L, -1, r->arena));
        return "";
    }
    const char *text = lua_tolstring(L, -1, &length);
    const char *fault = sg_unprintable(r->arena, text, length, &at);
    if (fault)
        sg_table_fail(r, path, "%s", fault);
    return fault ? "" : sg_arena_strndup(r->arena, text, length);
}

void sg_table_list(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    if (!lua_istable(L, -1)) {
        sg_table_fail(r, path, "expected a list of strings, found %s",
                      sg_lua_describe(L, -1, r->arena));
        return;
    }
    const size_t count = lua_rawlen(L, -1);
    const char **list = sg_arena_alloc(r->arena, (count + 1) * sizeof *list);
    size_t entries = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        entries++;
    if (entries != count)
        sg_table_fail(r, path, "expected a plain list of strings: { \"a\", \"b\" }");
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        list[i] = sg_table_text(r, L, path);
        lua_pop(L, 1);
    }
    *(const char *const **)field = list;
}

bool sg_table_is_table(sg_table_reader *r, lua_State *L, const char *path, const char *expected)
{
    if (lua_istable(L, -1))
        return true;
    sg_table_fail(r, path, "expected %s, found %s", expected, sg_lua_describe(L, -1, r->arena));
    return false;
}
