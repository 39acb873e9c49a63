/* list.h: tables of all target pages and of all methods, for people. */
#ifndef SG_LIST_H
#define SG_LIST_H

#include "generator/emit/plan.h"
#include "generator/base/text.h"

/* Every page that stands for a device. False, with diagnostics, when a page cannot be loaded; the
 * others are listed all the same. */
bool sg_list_targets(sg_arena *arena, sg_diags *diags, const char *root, sg_text *out);

void sg_list_methods(sg_arena *arena, const sg_catalog *catalog, sg_text *out);

#endif
