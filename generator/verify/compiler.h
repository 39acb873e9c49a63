/* compiler.h: how the texts of a language are compiled for a device's own instruction set, and how
 * what a kernel takes there is read from the compiler's words.
 *
 * targets/compilers/NAME.lua returns one Lua table (format: docs/dialects.md); a page names it in
 * its fact `compiler`. Nothing here is needed to emit: --verify alone asks for it. */
#ifndef SG_COMPILER_H
#define SG_COMPILER_H

#include "generator/page/target.h"
#include "generator/words/compiler_table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_figures {
    bool known[SG_FIGURES];
    int64_t value[SG_FIGURES];
} sg_figures;

/* That of the target's page, its arguments with the page's device and the options of its programs in
 * them; *out is NULL where the page names none. False and diagnostics on any error. */
bool sg_compiler_load(sg_arena *arena, sg_diags *diags, const char *root, const sg_target *target,
                      const char *options, const sg_compiler **out);

/* What words say of a kernel. names: NULL-terminated, of all kernels of the text. False, with a
 * diagnostic at file, where a figure is missing. */
bool sg_figures_read(sg_diags *diags, const sg_compiler *compiler, const char *file,
                     const char *words, const char *const *names, const char *name,
                     sg_figures *out);

#ifdef __cplusplus
}
#endif
#endif
