/* structure.h: hashes that identify a matrix without its values. */
#ifndef SPMV_STRUCTURE_H
#define SPMV_STRUCTURE_H

#include "runtime/core/threads/team.h"

/* A plan depends on these arrays, on sizes and on types. */
typedef struct spmv_structure {
    int is_known;
    uint64_t row_ptr, col_idx;   /* hashes */
} spmv_structure;

void spmv_structure_hash(const spmv_csr *csr, const spmv_threads *threads,
                         spmv_structure *structure);

#endif
