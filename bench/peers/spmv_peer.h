/* spmv_peer.h: another implementation of y = alpha*A*x + beta*y, which spmvbench checks and races
 * beside the methods of libspmv: those of the shared objects that were built with it (--peers), and
 * those of yours (--peer FILE.so).
 *
 * Such a shared object exports
 *
 *     const spmv_peer *const spmv_peer_table[] = { &mine, NULL };
 *
 * and is built by `cc -O3 -shared -fPIC -I bench/peers mine.c -o mine.so`; bench/peers/csr.c is the shortest
 * of ours, and needs no library. For each matrix prepare and destroy are called up to nine times, to time
 * them. Functions are called by one thread, and may use `threads` of their own. A peer is held to the same
 * bounds as every method, before and after it is timed, and its time is that of `run` alone; what
 * prepare takes is told apart.
 */
#ifndef SPMV_PEER_H
#define SPMV_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPMV_PEER_VERSION = 1 };

/* CSR, from 0. It and its arrays stay, unchanged, until destroy. */
typedef struct spmv_peer_matrix {
    int64_t rows, cols, nnz;
    const void *row_ptr;         /* int32_t or int64_t[rows + 1] */
    const int32_t *col_idx;      /* [nnz], in any order within a row, perhaps twice */
    const void *val;             /* float or double[nnz] */
    int32_t offset_bits;         /* of row_ptr: 32 or 64 */
    int32_t value_bits;          /* of val, x and y: 32 or 64 */
    int32_t threads;             /* that it may use, at least 1 */
    int32_t expected_runs;       /* a hint, for those that take one */
} spmv_peer_matrix;

typedef enum spmv_peer_status {
    SPMV_PEER_OK,
    SPMV_PEER_NOT_APPLICABLE,    /* it does not do that: not an error. words say what */
    SPMV_PEER_FAILED
} spmv_peer_status;

typedef struct spmv_peer {
    uint32_t version;            /* SPMV_PEER_VERSION */
    const char *name;            /* a word: "eigen" */
    const char *origin;          /* what it is, with its version: "Eigen 3.4.0" */

    /* All that is done once for a matrix: copies, conversions, analysis. words: room for a sentence where
     * it is not SPMV_PEER_OK; nothing is left then. Else *state is not NULL. */
    spmv_peer_status (*prepare)(const spmv_peer_matrix *a, void **state, char *words, size_t bytes);

    /* y = alpha*A*x + beta*y, with beta == 0 not reading y; all of y is written. x and y are aligned to 64 bytes
     * and stay the same from call to call. SPMV_PEER_NOT_APPLICABLE: not with this alpha and
     * beta; y is as it was. */
    spmv_peer_status (*run)(void *state, double alpha, const void *x, double beta, void *y);

    void (*destroy)(void *state);

    /* Either may be NULL, where there is nothing to tell: bytes that prepare made; and where y stays in another order,
     * row k of y belongs to row order[k] of A. */
    size_t (*layout_bytes)(const void *state);
    const int32_t *(*order_of_y)(const void *state);
} spmv_peer;

#ifdef __cplusplus
}
#endif
#endif
