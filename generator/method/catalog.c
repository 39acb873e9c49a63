/* catalog.c: see catalog.h. Reads, changes nothing. */
#include "generator/method/catalog.h"

#include <string.h>

#include "common/did_you_mean.h"

const sg_method *sg_catalog_find(const sg_catalog *catalog, sg_diags *diags, const char *name)
{
    enum { MOST_NAMES = 256 };
    const char *names[MOST_NAMES];
    size_t count = 0;
    char hint[96];

    for (size_t i = 0; i < catalog->method_count; i++) {
        if (!strcmp(catalog->methods[i]->name, name))
            return catalog->methods[i];
        if (count < MOST_NAMES)
            names[count++] = catalog->methods[i]->name;
    }
    const char *nearest = sg_did_you_mean(hint, sizeof hint, name, names, count);
    sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "unknown method '%s'%s", name,
            *nearest ? nearest : "; --list-methods shows the names");
    return NULL;
}
