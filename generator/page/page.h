/* page.h: runs a target page and the pages that it inherits.
 *
 * Each page runs in its own sandbox; `inherit` runs the ancestor before the next line, so that its
 * facts can be read. */
#ifndef SG_PAGE_H
#define SG_PAGE_H

#include "generator/page/chain.h"

/* Runs the page at `path` (to open), called `shown` in messages, with its ancestors. All but the
 * first five fields of the chain are zero. Returns false, with diagnostics, on any error. */
bool sg_chain_load(sg_chain *chain, const char *path, const char *shown);

#endif
