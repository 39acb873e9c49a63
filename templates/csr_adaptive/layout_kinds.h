/* layout_kinds.h: the kinds of row blocks. */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_KINDS_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_KINDS_H

#include "../prelude/base.h"

enum { KIND_STREAM, KIND_VECTOR, KIND_VECTOR_L, KIND_COUNT };

/* Most nonzeros of a CSR-VectorL block. Work-items count up to 2^30 of them in an i32. */
enum { LONG_ROW_PART = NNZ_MULTIPLIER > 0 ? NNZ_PER_WG * NNZ_MULTIPLIER : 1 << 30 };

/* The kind of whole rows. */
DEVICE i32 kind_of_rows(i32 rows, i64 count)
{
    return rows >= NUM_ROWS_STREAM && count <= NNZ_PER_WG ? KIND_STREAM : KIND_VECTOR;
}

#endif
