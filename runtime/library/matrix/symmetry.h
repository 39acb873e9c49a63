/* symmetry.h: whether a matrix is what options.symmetric says. */
#ifndef SPMV_SYMMETRY_H
#define SPMV_SYMMETRY_H

#include "runtime/base/types.h"
#include "runtime/core/threads/team.h"
#include "runtime/spmv.h"

/* Checks a matrix whose columns are checked: it is square, the columns of each row ascend without
 * repetition, and it equals its transpose, or has entries in one triangle alone. Two NaN count as
 * equal. SPMV_INVALID_MATRIX: the error names the first entry that is wrong, whatever the number of
 * threads, and the entry that it is compared with. */
spmv_status spmv_symmetry_check(const spmv_csr *csr, int32_t symmetric, const spmv_threads *threads,
                                spmv_error *err);

/* The entry in row `col` and column `row`, for entry k in `row` and `col`; -1: there is none.
 * Columns ascend. In most matrices of a few diagonals the k-th entry of a row is the mirror of an
 * entry that is the k-th from its row's end: that place is tried before a search. */
static inline int64_t spmv_mirror_of(const spmv_csr *csr, const int32_t *col_idx, int64_t row,
                                     int64_t col, int64_t k)
{
    const int64_t end = spmv_offset_at(csr, col + 1) - csr->base;
    const int64_t guess = end - 1 - (k - (spmv_offset_at(csr, row) - csr->base));
    const int32_t wanted = (int32_t)row + csr->base;
    int64_t low = spmv_offset_at(csr, col) - csr->base;
    int64_t high = end;

    if (guess >= low && guess < end && col_idx[guess] == wanted)
        return guess;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (col_idx[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && col_idx[low] == wanted ? low : -1;
}

#endif
