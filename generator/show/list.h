/* list.h: prints tables of all target pages and of all methods. */
#ifndef SG_LIST_H
#define SG_LIST_H

#include "generator/method/catalog.h"
#include "generator/base/text.h"

/* Lists every page that stands for a device. Returns false, with diagnostics, if a page cannot be
 * loaded, but lists the other pages. */
bool sg_list_targets(sg_arena *arena, sg_diags *diags, const char *root, sg_text *out);

void sg_list_methods(sg_arena *arena, const sg_catalog *catalog, sg_text *out);

#endif
