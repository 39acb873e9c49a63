/* modules.h: the modules of all targets and methods of a bundle, as one text.
 *
 * Declarations that several modules share stand there once (join.h). Declarations with words of an
 * instruction set stand between the texts that the instruction set's table has for functions. */
#ifndef SG_BUNDLE_MODULES_H
#define SG_BUNDLE_MODULES_H

#include "generator/assemble/emission.h"
#include "generator/join/join.h"

/* The table of the bundle's modules, the highest rank first, then NULL. */
#define SG_BUNDLE_TABLE "spmv_modules"

typedef struct sg_bundle_text {
    const char *modules;         /* C, of the host */
    const char *program;         /* the kernels, for a file of their own; NULL: modules have them as
                                    strings, or run on the CPU */
    const char *launchers;       /* and a function for each, by the dialect's bundle.launcher */
    sg_joined host;              /* what `modules` has of these templates, one for each module */
    const sg_instance *hosts;
} sg_bundle_text;

/* Returns false, with diagnostics, if names clash. Sets kernel_symbols of the modules. */
bool sg_bundle_modules(sg_arena *arena, sg_diags *diags, const sg_emission *emission,
                       sg_bundle_text *out);

#endif
