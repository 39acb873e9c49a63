/* layout_kinds.h: the kinds of row blocks. */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_KINDS_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_KINDS_H

#include "../prelude/base.h"

enum { KIND_STREAM, KIND_VECTOR, KIND_VECTOR_L, KIND_COUNT };

enum { LONG_ROW_PART = NNZ_PER_WG * NNZ_MULTIPLIER };    /* most nonzeros of a CSR-VectorL block */

#endif
