/* suggest.h: the page that is meant by a name which no page of targets/ has.
 *
 * A page lists in its fact `aliases` other names of its device: of GCC, of its vendor, of shops.
 */
#ifndef SG_SUGGEST_H
#define SG_SUGGEST_H

#include "generator/page/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The end of a message, in the arena: the page of which `name` is an alias, else the one with a
 * name or an alias near it, else "". Says nothing of pages that are broken. */
const char *sg_suggest_page(sg_arena *arena, const char *root, const sg_facts *facts,
                            const char *name);

#ifdef __cplusplus
}
#endif
#endif
