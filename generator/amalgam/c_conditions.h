/* c_conditions.h: decides the conditions of C text that tell bundles from libspmv.
 *
 * A condition is decided if it consists of SPMV_BUNDLE, SPMV_BUNDLE_... and defined(), !, &&, ||
 * and parentheses. Its lines vanish, and so does the text of branches that are not taken. Include
 * guards vanish as well. All other conditions stay. */
#ifndef SG_C_CONDITIONS_H
#define SG_C_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"

typedef struct sg_amalgam_macro {
    const char *name;            /* SPMV_BUNDLE or SPMV_BUNDLE_...; those not named are undefined */
    int value;
} sg_amalgam_macro;

typedef struct sg_c_decided {
    const char *text;
    const int *lines;            /* for each line of `text`, and one more: its number in the file */
    size_t line_count;
} sg_c_decided;

/* Returns false, with a located diagnostic, if a condition mixes decided and other names, or if a
 * comment, a literal or a condition does not end. */
bool sg_c_decide(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                 const sg_amalgam_macro *macros, size_t macro_count, sg_c_decided *out);

#endif
