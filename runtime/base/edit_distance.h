/* edit_distance.h: finding the name that was meant. libspmv, spmvgen and spmvbench share it. */
#ifndef SPMV_EDIT_DISTANCE_H
#define SPMV_EDIT_DISTANCE_H

#include <stddef.h>

/* The number of insertions, deletions, replacements and swaps of two neighbours that lead from
 * `typed` to `name`. Case is ignored. Negative: too many for `name` to be meant. */
int spmv_edit_distance(const char *typed, const char *name);

/* The nearest of the names, the first of equals. NULL: none can be meant. */
const char *spmv_nearest_name(const char *typed, const char *const *names, size_t count);

#endif
