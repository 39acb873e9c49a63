/* transpose.h: the transpose of a CSR matrix, as CSR, for plans with options.transposed; also, in
 * the same struct, the whole of a symmetric matrix of which the caller gives a triangle. */
#ifndef SPMV_TRANSPOSE_H
#define SPMV_TRANSPOSE_H

#include "runtime/core/threads/team.h"
#include "runtime/spmv.h"

/* A transpose. Its rows have their entries in the order of the matrix's rows. First it has all
 * arrays, so that a layout can be built from it; then spmv_transpose_keep frees those that the
 * plan does not need.
 *
 * `source` has the order of the matrix's entries. If the columns of each row of the matrix ascend,
 * the transpose's col_idx determines that order: `source` is then found when it is first needed.
 *
 * If `triangle` is not 0, read "whole matrix" for "transpose": csr then has the entries of the
 * triangle and their mirrors, and the columns of each row ascend. */
typedef struct spmv_transpose {
    spmv_csr csr;                /* its arrays belong to the struct; base 0 */
    int32_t triangle;            /* SPMV_SYMMETRIC_LOWER or _UPPER: the matrix is this triangle of
                                    csr; 0: csr is its transpose */
    int64_t given_nnz;           /* of the matrix */
    void *source;                /* nnz of index_bytes each: entry k of csr is entry source[k] of
                                    the matrix. NULL: not known */
    size_t index_bytes;          /* 4, or 8 for more than 2^32 - 1 entries */
    int32_t base;                /* of the matrix */
    double cost;                 /* of transposing, in bytes moved, as spmv_layout.build_cost */
    double seconds;              /* that transposing took */
} spmv_transpose;

/* Transposes a checked matrix whose columns are checked, too. SPMV_OUT_OF_MEMORY: *out is NULL. */
spmv_status spmv_transpose_create(const spmv_csr *csr, const spmv_threads *threads,
                                  spmv_transpose **out, spmv_error *err);

/* Adds the mirrors of a triangle's entries (expand.c). The matrix has passed spmv_symmetry_check.
 * SPMV_INVALID_MATRIX: 32-bit row pointers cannot hold that many entries. */
spmv_status spmv_expanded_create(const spmv_csr *csr, int32_t triangle, const spmv_threads *threads,
                                 spmv_transpose **out, spmv_error *err);

void spmv_transpose_destroy(spmv_transpose *transpose);          /* NULL is fine */

/* Bytes of the arrays that a plan keeps whose layout borrows these (SPMV_BORROWS_...): of row_ptr,
 * of `source` if it is known, and of the borrowed ones. */
size_t spmv_transpose_bytes(const spmv_transpose *transpose, int32_t borrows);

/* Frees the other arrays. */
void spmv_transpose_keep(spmv_transpose *transpose, int32_t borrows);

/* Writes the order of the matrix's entries, from the transpose's columns, to `source`. row_ptr:
 * receives the matrix's rows + 1 row pointers, or NULL. source: as in the struct, or NULL. */
spmv_status spmv_transpose_order(const spmv_transpose *transpose, const int32_t *col_idx,
                                 const spmv_threads *threads, void *row_ptr, void *source,
                                 spmv_error *err);

/* Allocates `source` and writes it. */
spmv_status spmv_transpose_find_source(spmv_transpose *transpose, const int32_t *col_idx,
                                       const spmv_threads *threads, spmv_error *err);

/* Copies values in the order of the matrix to values in that of the transpose. `source` is
 * known. */
void spmv_transpose_take_values(const spmv_transpose *transpose, const spmv_threads *threads,
                                const void *val, void *to);

/* Writes the entries in the order of the matrix: its columns in its base and, from values in the
 * order of the transpose, its values. Either output may be NULL. `columns`, those of csr, are only
 * read of a whole matrix. */
void spmv_transpose_give(const spmv_transpose *transpose, const int32_t *columns,
                         const void *source, const spmv_threads *threads, int32_t *col_idx,
                         const void *from, void *val);

/* spmv_transpose_order of a whole matrix. */
spmv_status spmv_expanded_order(const spmv_transpose *expanded, const int32_t *col_idx,
                                const spmv_threads *threads, void *row_ptr, void *source,
                                spmv_error *err);

#endif
