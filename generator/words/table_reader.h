/* table_reader.h: shared by the files that read one table: mistakes with their places, keys in
 * order, and values on the top of Lua's stack.
 *
 * A path names a key for messages: "words.v_sum.f32". Mistakes are reported at the key's line and
 * reading goes on, so that all show at once. */
#ifndef SG_TABLE_READER_H
#define SG_TABLE_READER_H

#include "generator/lua/keys.h"
#include "generator/lua/sandbox.h"
#include "generator/lua/value.h"
#include "generator/words/table.h"

typedef struct sg_table_reader {
    sg_arena *arena;
    sg_diags *diags;
    const char *file;
    sg_table_kind kind;
    const char *type;
    const char *const *text;     /* of the file; filled before the table is read */
    sg_key_lines lines;
    const char *root;
    const struct sg_table_reader *heir;   /* of the table that inherits this one, or NULL */
    sg_table *out;
    const sg_table *base;        /* the table that this one inherits, or NULL */
    sg_word *words;
    size_t word_count;
    bool failed;
} sg_table_reader;

/* The key's place, or the whole file. */
sg_loc sg_table_place(const sg_table_reader *r, const char *path);

void sg_table_fail(sg_table_reader *r, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* known: NULL-terminated; the nearest is suggested. */
void sg_table_fail_unknown(sg_table_reader *r, const char *path, const char *key,
                           const char *const *known);

/* "path.key"; in the arena. */
const char *sg_table_join(const sg_table_reader *r, const char *path, const char *key);

/* ---- the value on the top of the stack, which stays there ------------------------------------ */

/* The keys of a table, sorted by byte since Lua's own order differs from run to run,
 * NULL-terminated; an entry without a key is a mistake. */
const char *const *sg_table_keys(sg_table_reader *r, lua_State *L, const char *path);

bool sg_table_is_table(sg_table_reader *r, lua_State *L, const char *path, const char *expected);

/* Text to emit: printable letters, tabs and line feeds. "" after a mistake. */
const char *sg_table_text(sg_table_reader *r, lua_State *L, const char *path);

/* A list of strings, into *(const char *const **)field. */
void sg_table_list(sg_table_reader *r, lua_State *L, const char *path, void *field);

/* Reports each key of the table at the top of the stack that is not one of `known`. */
void sg_table_check_keys(sg_table_reader *r, lua_State *L, const char *path,
                         const char *const *known);

/* True if the NULL-terminated list has the name. */
bool sg_is_one_of(const char *const *names, const char *name);

/* ---- fields of compilers' tables (table_compiler.c) ------------------------------------------ */

void sg_table_read_metrics(sg_table_reader *r, lua_State *L, const char *path, void *field);
void sg_table_read_occupancy(sg_table_reader *r, lua_State *L, const char *path, void *field);

/* ---- C files and inherited tables (table_merge.c) -------------------------------------------- */

void sg_table_read_source(sg_table_reader *r, lua_State *L, const char *path, void *field);

/* Appends the text of a header beside the table, without its include guard, to the field. */
void sg_table_read_preamble_header(sg_table_reader *r, lua_State *L, const char *path, void *field);

/* Adds the helpers of the C file to the words of the table. */
void sg_table_add_source(sg_table_reader *r);

/* Adds the words, fixed values and texts of r->base. */
void sg_table_join_base(sg_table_reader *r);

#endif
