/* names.h: names of a bundle's templates that its other code has, too. */
#ifndef SG_BUNDLE_NAMES_H
#define SG_BUNDLE_NAMES_H

#include "generator/bundle/modules.h"
#include "generator/clang/expand.h"

/* Returns false, with a diagnostic at each template, if a template declares a name of `expanded`,
 * or has a word that is a macro of it. contract: the file whose macros templates may use. */
bool sg_bundle_names_check(sg_arena *arena, sg_diags *diags, const sg_bundle_text *text,
                           size_t module_count, const sg_expanded *expanded, const char *contract);

#endif
