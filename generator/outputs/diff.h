/* diff.h: a file and what would be emitted in its place, as diff -u shows them. */
#ifndef SG_DIFF_H
#define SG_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/diag.h"
#include "generator/base/text.h"

/* Appends the changes that turn the file into `text`. shown: the file's path, printable. Reports an
 * error if diff cannot be run. */
bool sg_diff(sg_arena *arena, sg_diags *diags, const char *path, const char *shown,
             const char *text, size_t length, sg_text *out);

#endif
