/* lowerings.h: hand-made lowerings, so that the specialiser is tested without a table of the
 * project. */
#ifndef TEST_LOWERINGS_H
#define TEST_LOWERINGS_H

#include "generator/words/dialect.h"

/* "plain": C, bodies from the prelude. "vector": some words are texts and helpers. "strict": types
 * and qualifiers alone, no bodies. "texts": replaces a type whose members the prelude's bodies use.
 * "broken": entries with mistakes. NULL for another name. */
const sg_lowering *test_lowering(const char *name);

#endif
