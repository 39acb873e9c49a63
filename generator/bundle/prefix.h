/* prefix.h: the prefix that the names of a bundle begin with. */
#ifndef SG_BUNDLE_PREFIX_H
#define SG_BUNDLE_PREFIX_H

#include <stdbool.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"

/* Replaces spmv_ and SPMV_ where a name begins, in comments and messages, too. */
const char *sg_bundle_renamed(sg_arena *arena, const char *text, const char *prefix);

/* Returns false, with a diagnostic, if a name of the text would become another name of it. */
bool sg_bundle_prefix_check(sg_arena *arena, sg_diags *diags, const char *text, const char *prefix);

#endif
