/* c_declaration.h: finds the end of one declaration of C text, and the names that it declares. */
#ifndef SG_C_DECLARATION_H
#define SG_C_DECLARATION_H

#include "generator/base/arena.h"
#include "generator/amalgam/c_item.h"

/* Reads the declaration at `at`. Sets kind, names, head, open, close, is_static and has_attribute
 * of the item, and *end. Returns NULL, or what is wrong: "the declaration does not end". */
const char *sg_c_declaration_read(sg_arena *arena, const char *at, sg_c_item *item,
                                  const char **end);

#endif
