/* amalgam.h: one text from an entry file and the files that it includes.
 *
 * Quoted includes are replaced by the items of their files, once. Items that nothing needs are
 * dropped. Functions and variables that the public header does not declare become static. Needs are
 * found by words, without a parser: a word in code needs every item that declares it. A word needs
 * an item that is private to another .c file only if its own file includes that file. */
#ifndef SG_AMALGAM_H
#define SG_AMALGAM_H

#include <stdbool.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"
#include "generator/amalgam/amalgam_types.h"

/* Returns false, with located diagnostics, if a file cannot be read or does not end, if includes
 * form a circle, if a condition mixes decided and other names, or if a private function is used
 * and not defined. */
bool sg_amalgamate(sg_arena *arena, sg_diags *diags, const sg_amalgam_input *input,
                   sg_amalgam *out);

#endif
