/* spmv_peer.h: the interface of a peer, which is another implementation of y = alpha*A*x + beta*y,
 * and of other products if it declares them. spmvbench checks peers and races them beside the
 * methods of libspmv: the built peers (--peers), and your own (--peer FILE.so).
 *
 * A shared object with peers exports
 *
 *     const spmv_peer *const spmv_peer_table[] = { &mine, NULL };
 *
 * and is built by `cc -O3 -shared -fPIC -I bench/peers mine.c -o mine.so`. The shortest example is
 * bench/peers/csr_serial.c, which needs no library. Peers of older versions of this file go on
 * working; spmvbench tells which products they lack.
 *
 * spmvbench calls prepare and destroy up to nine times for each matrix, to time them. One thread
 * calls the functions, which may use `threads` threads of their own. A peer's results must satisfy
 * the bounds of every method, and are checked before and after timing. The time of `run` counts;
 * the time of prepare is reported separately.
 */
#ifndef BENCH_SPMV_PEER_H
#define BENCH_SPMV_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version 2 added the products of spmv_peer.operations. */
enum { SPMV_PEER_VERSION = 2 };

/* Products beside y = alpha*A*x + beta*y. */
enum {
    SPMV_PEER_TRANSPOSED = 1,    /* y = alpha*A^T*x + beta*y, if spmv_peer_matrix.transposed */
    SPMV_PEER_COLUMNS = 2        /* Y = alpha*A*X + beta*Y, if spmv_peer_matrix.columns > 1 */
};

/* CSR with base 0. It and its arrays stay valid and unchanged until destroy. */
typedef struct spmv_peer_matrix {
    int64_t rows, cols, nnz;
    const void *row_ptr;         /* int32_t or int64_t[rows + 1] */
    const int32_t *col_idx;      /* [nnz], may be unsorted and have duplicates */
    const void *val;             /* float or double[nnz] */
    int32_t offset_bits;         /* of row_ptr: 32 or 64 */
    int32_t value_bits;          /* of val, x and y: 32 or 64 */
    int32_t threads;             /* threads that a peer may use, at least 1 */
    int32_t expected_runs;       /* a hint */

    /* Version 2: the product that `run` will be asked for. */
    int32_t transposed;          /* nonzero: with the transpose; x has rows, y has cols values */
    int32_t columns;             /* vectors, the columns of X and Y, in place of x and y */
    int32_t column_major;        /* 0: element (i, c) of X is x[i*ldx + c]; else x[i + c*ldx] */
    int64_t ldx, ldy;
} spmv_peer_matrix;

typedef enum spmv_peer_status {
    SPMV_PEER_OK,
    SPMV_PEER_NOT_APPLICABLE,    /* not supported; message has the reason */
    SPMV_PEER_FAILED
} spmv_peer_status;

typedef struct spmv_peer {
    uint32_t version;            /* SPMV_PEER_VERSION */
    const char *name;            /* one word: "eigen" */
    const char *origin;          /* name and version: "Eigen 3.4.0" */

    /* Does the work that is done once for a matrix: copies, conversions, analysis. With
     * SPMV_PEER_OK *state is not NULL. On failure it leaves nothing allocated, and a sentence in
     * message. */
    spmv_peer_status (*prepare)(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes);

    /* Sets all of y to alpha*A*x + beta*y, or to the product that prepare was told, without reading
     * y if beta is 0. x and y are aligned to 64 bytes and are the same in each call.
     * SPMV_PEER_NOT_APPLICABLE: this alpha and beta are not supported; y is unchanged. */
    spmv_peer_status (*run)(void *state, double alpha, const void *x, double beta, void *y);

    void (*destroy)(void *state);

    /* Either may be NULL. layout_bytes: the bytes that prepare allocated. order_of_y: for a
     * permuted y, y[k] belongs to row order[k] of A, or of its transpose. */
    size_t (*layout_bytes)(const void *state);
    const int32_t *(*order_of_y)(const void *state);

    /* Version 2. */
    uint32_t operations;         /* SPMV_PEER_...: what it computes beside y = alpha*A*x + beta*y */
} spmv_peer;

#ifdef __cplusplus
}
#endif
#endif
