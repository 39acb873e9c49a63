/* expand.h: one C text from an entry file and the files that it includes.
 *
 * Quoted includes are replaced by the items of their files, once. Conditions on SPMV_BUNDLE and
 * SPMV_BUNDLE_... alone are decided by Clang's preprocessor; all others stay. Items that nothing
 * needs are dropped. Functions and variables that the public header does not declare become static.
 *
 * Files are read as tokens of Clang's lexer, not as a tree: a tree has one branch of each condition
 * and needs the system's headers, but the text is for every compiler and system. So an item is
 * needed if a needed item has its name as a token. A token needs an item that is private to
 * another .c file only if its own file includes that file. */
#ifndef SG_EXPAND_H
#define SG_EXPAND_H

#include <stdbool.h>

#include "generator/clang/expand_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns false, with located diagnostics, if a file cannot be read or does not end, if includes
 * form a circle, if a condition mixes decided and other names, or if a private function is used
 * and not defined. */
bool sg_expand(sg_arena *arena, sg_diags *diags, const sg_expand_input *input, sg_expanded *out);

/* A line with the title between dashes, as a comment. */
const char *sg_heading_line(sg_arena *arena, const char *title);

#ifdef __cplusplus
}
#endif
#endif
