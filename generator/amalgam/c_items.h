/* c_items.h: splits a C file into the items of its file scope.
 *
 * An item is a declaration, a definition or a directive, with the comment directly above it and the
 * comment behind it on its last line. The scan knows comments, literals, brackets and directives,
 * and no types. */
#ifndef SG_C_ITEMS_H
#define SG_C_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"
#include "generator/amalgam/c_conditions.h"
#include "generator/amalgam/c_item.h"

typedef struct sg_c_items {
    const char *opening;         /* the comment at the beginning, which names the file; or NULL */
    const sg_c_item *items;
    size_t count;
} sg_c_items;

/* `text` is what sg_c_decide wrote. Returns false, with a located diagnostic, at a declaration that
 * does not end. */
bool sg_c_items_read(sg_arena *arena, sg_diags *diags, const char *file, const sg_c_decided *text,
                     sg_c_items *out);

#endif
