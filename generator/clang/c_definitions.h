/* c_definitions.h: finds the functions, types and objects that a C file defines at file scope.
 *
 * The file is read as the tokens of Clang's lexer, without types: so it may be code for any device,
 * and needs none of that device's headers. */
#ifndef SG_C_DEFINITIONS_H
#define SG_C_DEFINITIONS_H

#include <stdbool.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_c_definition {
    const char *name;
    const char *text;            /* whole lines, from the comment directly before it on */
    const char *const *words;    /* of its code: names that may mean others; NULL-terminated */
    const char *condition;       /* X if it stands between #ifdef X and #endif; or NULL */
    sg_loc begin;                /* of the text */
    sg_loc loc;                  /* of the definition behind its comment */
    sg_loc condition_loc;
} sg_c_definition;

/* #include "NAME" */
typedef struct sg_c_include {
    const char *name;
    sg_loc loc;
} sg_c_include;

typedef struct sg_c_file {
    const sg_c_definition *definitions;   /* in the file's order */
    size_t definition_count;
    const sg_c_include *includes;
    size_t include_count;
} sg_c_file;

/* Returns false, with a diagnostic, at the first mistake: text that is not printable, brackets or
 * comments that do not end, a declaration that defines nothing, or a directive other than #include,
 * #ifdef X and #endif. */
bool sg_c_definitions_read(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                           size_t length, sg_c_file *out);

/* The names that a header declares or defines, regardless of its directives; NULL-terminated. NULL,
 * with a diagnostic, if the text is no C. */
const char *const *sg_c_declared_names(sg_arena *arena, sg_diags *diags, const char *file,
                                       const char *text);

#ifdef __cplusplus
}
#endif
#endif
