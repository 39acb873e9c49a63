/* catalog.h: the methods of a data root. */
#ifndef SG_CATALOG_H
#define SG_CATALOG_H

#include "generator/method/method.h"

/* The data that a run works with: loaded once, shared by all targets. */
typedef struct sg_catalog {
    const char *root;
    const sg_method *const *methods;   /* sorted by name */
    size_t method_count;
} sg_catalog;

/* NULL, with a message that suggests the nearest method, when the name is not one. */
const sg_method *sg_catalog_find(const sg_catalog *catalog, sg_diags *diags, const char *name);

#endif
