/* compiler.h: how the texts of a language are compiled for a device's own instruction set, and the
 * metrics of a kernel that the compiler prints.
 *
 * targets/compilers/NAME.lua returns one Lua table (docs/reference/compilers.md); a page names it
 * in its fact `compiler`. Only --verify needs this file. */
#ifndef SG_COMPILER_H
#define SG_COMPILER_H

#include "generator/page/target.h"
#include "generator/words/compiler_table.h"

typedef struct sg_metrics {
    bool known[SG_METRICS];
    int64_t value[SG_METRICS];
} sg_metrics;

/* Loads the compiler that the target's page names, with the page's device and the programs' options
 * put into its arguments. *out is NULL if the page names none. Returns false, with diagnostics,
 * on any error. */
bool sg_compiler_load(sg_arena *arena, sg_diags *diags, const char *root, const sg_target *target,
                      const char *options, const sg_compiler **out);

/* A word with `text` in place of the first `mark`. */
const char *sg_compiler_word(sg_arena *arena, const char *word, const char *mark, const char *text);

/* Reads the metrics of kernel `name` from a compiler's output. names: all kernels of the text,
 * NULL-terminated. Returns false, with a diagnostic at file, if a metric is missing. */
bool sg_metrics_read(sg_diags *diags, const sg_compiler *compiler, const char *file,
                     const char *output, const char *const *names, const char *name,
                     sg_metrics *out);

#endif
