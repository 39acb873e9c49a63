/* suggest.h: suggests a page for a name that no page of targets/ has.
 *
 * A page lists in its fact `aliases` other names of its device: of GCC, of its vendor, of shops.
 */
#ifndef SG_SUGGEST_H
#define SG_SUGGEST_H

#include "generator/page/facts.h"

/* The end of a message, in the arena: it names the page with the alias `name`, else the page with
 * the nearest name or alias; else "". Reports no errors of broken pages. */
const char *sg_suggest_page(sg_arena *arena, const char *root, const sg_facts *facts,
                            const char *name);

#endif
