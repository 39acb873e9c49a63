/* text.h: growable strings, whole files, and operations on paths.
 *
 *     sg_text out = sg_text_in(arena);
 *     sg_text_printf(&out, "%s = %d;\n", name, value);
 *     ... out.data, out.length ...
 *
 * Everything lives in the arena, so there is nothing to free. */
#ifndef SG_TEXT_H
#define SG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of an emitted line. A line that stands as a string in a C file takes 9 columns more. */
enum { SG_COLUMNS = 100, SG_STRING_COLUMNS = SG_COLUMNS - 9 };

typedef struct sg_text {
    sg_arena *arena;
    char *data;                  /* never NULL; data[length] == '\0' */
    size_t length, capacity;
} sg_text;

sg_text sg_text_in(sg_arena *arena);                          /* empty */
void sg_text_append(sg_text *text, const char *more);
void sg_text_append_bytes(sg_text *text, const char *more, size_t length);
void sg_text_printf(sg_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads a regular file and puts a '\0' behind its bytes, which *size does not count. Returns 0, or
 * an errno value such as ENOENT, EISDIR, EINVAL (not a regular file) or EFBIG (more than limit
 * bytes), and then leaves *text and *size alone. Never waits on a pipe or a device. */
int sg_read_file(sg_arena *arena, const char *path, size_t limit, const char **text, size_t *size);

/* The end of a sentence on an error of sg_read_file: "no such file". Never NULL or localised. */
const char *sg_read_error(int error);

/* True if the file has this text. */
bool sg_file_is(const char *path, const char *text, size_t length);

/* The names in a folder without "." and "..", sorted by byte. Returns 0 or an errno value. */
int sg_list_dir(sg_arena *arena, const char *path, const char *const **names, size_t *count);

bool sg_is_file(const char *path);
bool sg_is_dir(const char *path);

/* "a" and "b/c" give "a/b/c"; an absolute b stands alone; "" and b give b. */
const char *sg_path_join(sg_arena *arena, const char *a, const char *b);

/* "targets/x.lua" gives "x.lua"; points into path. */
const char *sg_path_base(const char *path);

/* "targets/x.lua" gives "targets"; "x.lua" gives ".". */
const char *sg_path_dir(sg_arena *arena, const char *path);

bool sg_ends_with(const char *text, const char *end);

/* ---- untrusted text ---- */

/* A copy with escapes for unprintable letters (utf8.h). */
const char *sg_printable(sg_arena *arena, const char *text);

/* NULL if text is printable, line feeds and tabs too; else what is wrong, and its place in *at. */
const char *sg_unprintable(sg_arena *arena, const char *text, size_t length, size_t *at);

/* Checks text that becomes an expression in emitted C. Returns NULL, or the part that is not
 * allowed there: "an assignment". The check is lexical; the parser of emitted text finds other
 * errors. */
const char *sg_expression_fault(sg_arena *arena, const char *text);

#ifdef __cplusplus
}
#endif
#endif
