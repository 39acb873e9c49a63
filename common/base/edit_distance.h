/* edit_distance.h: suggestions for misspelt names, for libspmv, spmvgen and spmvbench. */
#ifndef SPMV_EDIT_DISTANCE_H
#define SPMV_EDIT_DISTANCE_H

#include <stddef.h>

/* The number of insertions, deletions, replacements and swaps of two neighbours that turn `typed`
 * into `name`, ignoring case. Negative: too many to suggest `name`. */
int spmv_edit_distance(const char *typed, const char *name);

/* The name nearest to `typed`; the first of equally near names. NULL: none is near enough. */
const char *spmv_nearest_name(const char *typed, const char *const *names, size_t count);

#endif
