/* kinds.c: what a row block can be. */

enum { KIND_STREAM, KIND_VECTOR, KIND_VECTOR_L, KIND_COUNT };

enum { LONG_ROW_PART = NNZ_PER_WG * NNZ_MULTIPLIER };    /* nonzeros of a CSR-VectorL block */
