/* simd_fetch_x.h: prefetches x at later columns into the second-level cache, for which a core can
 * have more misses in flight than for the first. If x has fewer than X_FAR bytes nothing is
 * prefetched, since it is mostly in a cache and a prefetch costs more than it saves. Callers test
 * X_AHEAD > 0 first, so that specialised code has no trace of prefetching where X_AHEAD is 0.
 */
#ifndef SPMV_COMMON_SIMD_FETCH_X_H
#define SPMV_COMMON_SIMD_FETCH_X_H

#include "../prelude/host.h"

/* Number of nonzeros whose x is prefetched: all, or 0. */
static i64 fetched_columns(const spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;

    return csr->cols * value_bytes(csr) >= X_FAR ? csr->nnz : 0;
}

/* Prefetches x at `count` columns, X_AHEAD columns after col. left: columns from col on whose x is
 * prefetched; no column after them is read. */
INLINED void fetch_x(const real *x, const i32 *col, i32 count, i64 left)
{
    if (left >= X_AHEAD + count)
        for (i32 i = 0; i < count; i++)
            prefetch_l2(x + col[X_AHEAD + i]);
}

#endif
