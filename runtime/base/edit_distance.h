/* edit_distance.h: finding the name that was meant. (The generator and spmvbench have common/near.h; libspmv is
 * complete in this folder.) */
#ifndef SPMV_EDIT_DISTANCE_H
#define SPMV_EDIT_DISTANCE_H

#include <stddef.h>

/* How many single letters must change to make `a` into `b`; a large number when either is too long
 * to be a name that somebody mistyped. */
size_t spmv_name_distance(const char *a, const char *b);

/* Is `candidate` near enough to `typed` to be worth suggesting? */
int spmv_name_is_near(const char *typed, const char *candidate);

#endif
