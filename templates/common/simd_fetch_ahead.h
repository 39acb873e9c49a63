/* simd_fetch_ahead.h: prefetches arrays that are read once and in order, FETCH_AHEAD bytes ahead. A
 * CPU's own prefetching is too late where memory latency is high and each entry takes several
 * instructions. An address past the end of an array is harmless: a prefetch never faults.
 */
#ifndef SPMV_COMMON_SIMD_FETCH_AHEAD_H
#define SPMV_COMMON_SIMD_FETCH_AHEAD_H

#include "../prelude/base.h"

/* For entries that are multiplied as fast as they arrive: prefetches into the second-level cache,
 * from where the CPU's own prefetching takes over. */
DEVICE void fetch_stream(const void *p)
{
    prefetch_l2((const void *)((uptr)p + FETCH_AHEAD));
}

/* For entries that take several instructions each. */
DEVICE void fetch_ahead(const void *p)
{
    prefetch((const void *)((uptr)p + FETCH_AHEAD));
}

/* For entries that each wait for x, and for indices, which are few: a quarter of the distance is
 * enough. */
DEVICE void fetch_soon(const void *p)
{
    prefetch((const void *)((uptr)p + FETCH_AHEAD / 4));
}

#endif
