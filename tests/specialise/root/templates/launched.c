/* launched.c: of these kernels the ones that launches.c launches are kept. */
#include "prelude/words.h"

KERNEL void plain(i32 n, LENGTH /* in ( units */ ("n") i32 *out) { out[0] = n; }
KERNEL void joined_name(i32 n, i32 *out) { out[0] = n; }
KERNEL void pruned(i32 n, i32 *out) { out[0] = n; }
KERNEL void commented(i32 n, i32 *out) { out[0] = n; }
KERNEL void unrolled(i32 n, i32 *out) { out[0] = n; }
