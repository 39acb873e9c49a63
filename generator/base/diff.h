/* diff.h: unified differences between two texts, with three lines of context. */
#ifndef SG_DIFF_H
#define SG_DIFF_H

#include <stddef.h>

#include "generator/base/text.h"

/* Appends the changes that turn `from` into `to`; nothing if they are equal. The names stand behind
 * --- and +++. For texts of more than 100000 lines it reports only that they differ. */
void sg_diff(sg_text *out, const char *from_name, const char *from, size_t from_length,
             const char *to_name, const char *to, size_t to_length);

#endif
