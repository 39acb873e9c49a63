/* layout.h: the parts of the nonzeros, and their sums.
 *
 * The nonzeros are cut into parts of equal number, at any place of a row. Each part has sums of its
 * own in the workspace: one for each column of its span, from its first column to its last one.
 *
 *                 columns                      workspace
 *               0 1 2 3 4 5 6 7
 *     part 0    # # . . . . . .                0 1
 *     part 1    . # # # . . . .                1 2 3
 *     part 2    . . . # . . . #                3 4 5 6 7
 *
 *     part           part[parts]: each part's span and the place of its sums
 *
 * There may be more threads than parts, but not more parts than the workspace has room for: spans
 * that cover most columns would need a vector for each part. So the matrix first is cut into
 * pieces, at most MOST_PARTS, and a part is 2^log2_pieces of them: the smallest number with which
 * the sums of all parts are at most one for each column and for each two nonzeros.
 */
#ifndef SPMV_CSR_TRANSPOSED_LAYOUT_H
#define SPMV_CSR_TRANSPOSED_LAYOUT_H

#include "../prelude/host.h"
#include "../common/layout_row_search.h"

enum { PART, ARRAY_COUNT };                                      /* spmv_layout.array */
enum { NUMBER_PIECES, NUMBER_LOG2_PIECES, NUMBER_COUNT };        /* spmv_layout.number */

/* Columns from `first` to before `end`, counted from 0. Empty: both are 0. */
typedef struct column_span {
    i32 first, end;
} column_span;

typedef struct matrix_part {
    i64 place;                   /* of the first sum, in the workspace */
    column_span span;
} matrix_part;

/* Number of pieces of a matrix. */
static i64 piece_count(const spmv_csr *csr)
{
    return i64_min(i64_ceil_div(csr->nnz, PART_NONZEROS), MOST_PARTS);
}

/* The span of nonzeros begin to end - 1. */
static column_span span_of(const spmv_csr *csr, i64 begin, i64 end)
{
    const i32 *col_idx = csr->col_idx;
    column_span span = { 0, 0 };
    i32 least = INT32_MAX;
    i32 most = -1;

    for (i64 k = begin; k < end; k++) {
        least = col_idx[k] < least ? col_idx[k] : least;
        most = col_idx[k] > most ? col_idx[k] : most;
    }
    if (begin < end) {
        span.first = least - csr->base;
        span.end = most - csr->base + 1;
    }
    return span;
}

static column_span span_of_piece(const spmv_csr *csr, i64 piece, i64 pieces)
{
    return span_of(csr, share_begin(piece, csr->nnz, pieces),
                   share_begin(piece + 1, csr->nnz, pieces));
}

/* The span of both spans, which are not empty. */
HOST column_span span_join(column_span a, column_span b)
{
    column_span both;

    both.first = a.first < b.first ? a.first : b.first;
    both.end = a.end > b.end ? a.end : b.end;
    return both;
}

/* Number of parts, each of 2^log2_pieces pieces but for the last. */
HOST i64 part_count(const spmv_layout *layout)
{
    const i64 pieces = (i64)1 << layout->number[NUMBER_LOG2_PIECES];

    return i64_ceil_div(layout->number[NUMBER_PIECES], pieces);
}

/* The first nonzero of a part; for the number of parts, nnz. */
HOST i64 part_begin(const spmv_layout *layout, i64 part)
{
    const i64 pieces = layout->number[NUMBER_PIECES];

    return share_begin(i64_min(part << layout->number[NUMBER_LOG2_PIECES], pieces),
                       layout->csr.nnz, pieces);
}

#endif
