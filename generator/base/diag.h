/* diag.h: located messages, collected in order and printed to stderr once.
 *
 *     targets/my-gpu.lua:7:1: error: unknown key 'simd_widht'; did you mean 'simd_width'?
 *         7 | simd_widht = 32
 *           | ^
 *     targets/facts.lua:12:1: note: simd_width is declared here
 */
#ifndef SG_DIAG_H
#define SG_DIAG_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place in a file. Messages show `file` as it stands here: relative to the data root
 * (targets/..., templates/...), or as the user wrote it. */
typedef struct sg_loc {
    const char *file;            /* NULL: no place */
    int line;                    /* from 1; 0: the whole file; SG_COMMAND_LINE: `file` quotes an
                                    option instead: "the command line: --set a.b=1" */
    int column;                  /* from 1; 0: the whole line */
} sg_loc;

enum { SG_COMMAND_LINE = -1 };

typedef enum sg_severity { SG_NOTE, SG_WARNING, SG_ERROR } sg_severity;

typedef struct sg_diags sg_diags;

/* root: folder against which relative paths are opened to show the line; copied. */
sg_diags *sg_diags_create(const char *root);
void sg_diags_destroy(sg_diags *diags);

/* Text for a path that is not on disk (an in-memory file), so that its lines can be shown. */
void sg_diags_add_source(sg_diags *diags, const char *file, const char *text);

/* Adds a message. A note belongs to the message before it. format has no trailing newline. */
void sg_diag(sg_diags *diags, sg_severity severity, sg_loc loc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds an error, and below it the first `length` bytes of a program's output, line by line. */
void sg_diag_log(sg_diags *diags, sg_loc loc, const char *what, const char *log, size_t length);

size_t sg_diags_error_count(const sg_diags *diags);
void sg_diags_print(const sg_diags *diags, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
