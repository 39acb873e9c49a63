/* diff.h: a file and what would be emitted in its place, as diff -u shows them. */
#ifndef SG_DIFF_H
#define SG_DIFF_H

#include <stddef.h>

#include "generator/base/diag.h"
#include "generator/base/text.h"

/* Appends the changes that turn the file into `text`; a line and a warning if diff cannot be run.
 * shown: the file's path, printable. */
void sg_diff(sg_arena *arena, sg_diags *diags, const char *path, const char *shown,
             const char *text, size_t length, sg_text *out);

#endif
