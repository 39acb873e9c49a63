/* toy_peers.c: peers for test_peers.py: one is right, the others have faults. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/spmv_peer.h"

typedef struct toy_state {
    const spmv_peer_matrix *a;
    int32_t *order;
    int runs;
} toy_state;

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    toy_state *s = calloc(1, sizeof *s);

    if (!s || a->value_bits != 64 || a->offset_bits != 32 || a->threads < 1 ||
        a->expected_runs < 1) {
        snprintf(message, bytes, "f64 values alone");
        free(s);
        return SPMV_PEER_NOT_APPLICABLE;
    }
    s->a = a;
    s->order = malloc(((size_t)a->rows + 1) * sizeof *s->order);
    for (int64_t r = 0; r < a->rows; r++)
        s->order[r] = (int32_t)(a->rows - 1 - r);
    *state = s;
    return SPMV_PEER_OK;
}

static spmv_peer_status fail(const spmv_peer_matrix *a, void **state, char *message, size_t bytes)
{
    (void)a;
    (void)state;
    snprintf(message, bytes, "out of luck");
    return SPMV_PEER_FAILED;
}

static double product(const spmv_peer_matrix *a, int64_t r, const double *x)
{
    const int32_t *row_ptr = a->row_ptr;
    const double *val = a->val;
    double sum = 0;

    for (int32_t k = row_ptr[r]; k < row_ptr[r + 1]; k++)
        sum += val[k] * x[a->col_idx[k]];
    return sum;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const spmv_peer_matrix *a = ((toy_state *)state)->a;
    double *to = y;

    for (int64_t r = 0; r < a->rows; r++)
        to[r] = alpha * product(a, r, x) + (beta == 0 ? 0 : beta * to[r]);
    return SPMV_PEER_OK;
}

static spmv_peer_status run_backwards(void *state, double alpha, const void *x, double beta,
                                      void *y)
{
    const toy_state *s = state;
    double *to = y;

    for (int64_t k = 0; k < s->a->rows; k++)
        to[k] = alpha * product(s->a, s->order[k], x) + (beta == 0 ? 0 : beta * to[k]);
    return SPMV_PEER_OK;
}

/* Adds no products: the length of a row, which is right where x and A are ones. */
static spmv_peer_status run_lengths(void *state, double alpha, const void *x, double beta, void *y)
{
    const spmv_peer_matrix *a = ((toy_state *)state)->a;
    const int32_t *row_ptr = a->row_ptr;
    double *to = y;

    (void)x;
    for (int64_t r = 0; r < a->rows; r++)
        to[r] = alpha * (row_ptr[r + 1] - row_ptr[r]) + (beta == 0 ? 0 : beta * to[r]);
    return SPMV_PEER_OK;
}

static spmv_peer_status run_wrong(void *state, double alpha, const void *x, double beta, void *y)
{
    const toy_state *s = state;
    const spmv_peer_status status = run(state, alpha, x, beta, y);

    if (s->a->rows > 0)
        ((double *)y)[s->a->rows - 1] += 1;
    return status;
}

/* Right at the first check, wrong from then on. */
static spmv_peer_status run_later_wrong(void *state, double alpha, const void *x, double beta,
                                        void *y)
{
    toy_state *s = state;

    return s->runs++ ? run_wrong(state, alpha, x, beta, y) : run(state, alpha, x, beta, y);
}

static spmv_peer_status run_breaks(void *state, double alpha, const void *x, double beta, void *y)
{
    toy_state *s = state;

    return s->runs++ ? SPMV_PEER_FAILED : run(state, alpha, x, beta, y);
}

/* Row-major vectors; the last value is wrong if there are several. */
static spmv_peer_status run_columns(void *state, double alpha, const void *x, double beta, void *y)
{
    const spmv_peer_matrix *a = ((toy_state *)state)->a;
    const int32_t *row_ptr = a->row_ptr;
    const double *val = a->val, *from = x;
    double *to = y;

    for (int64_t r = 0; r < a->rows; r++)
        for (int32_t c = 0; c < a->columns; c++) {
            double sum = 0;
            for (int32_t k = row_ptr[r]; k < row_ptr[r + 1]; k++)
                sum += val[k] * from[a->col_idx[k] * a->ldx + c];
            double *at = &to[r * a->ldy + c];
            *at = alpha * sum + (beta == 0 ? 0 : beta * *at);
        }
    if (a->columns > 1 && a->rows > 0)
        to[(a->rows - 1) * a->ldy + a->columns - 1] += 1;
    return SPMV_PEER_OK;
}

static const int32_t *no_order(const void *state)
{
    int32_t *order = ((const toy_state *)state)->order;

    order[0] = order[((const toy_state *)state)->a->rows - 1];
    return order;
}

static spmv_peer_status run_one(void *state, double alpha, const void *x, double beta, void *y)
{
    return alpha == 1 ? run(state, alpha, x, beta, y) : SPMV_PEER_NOT_APPLICABLE;
}

static void destroy(void *state)
{
    free(((toy_state *)state)->order);
    free(state);
}

static size_t layout_bytes(const void *state)
{
    return (size_t)((const toy_state *)state)->a->nnz * 12;
}

static const int32_t *order_of_y(const void *state)
{
    return ((const toy_state *)state)->order;
}

#define PEER(name, prepare, run, bytes, order)                                                     \
    &(const spmv_peer) { SPMV_PEER_VERSION, name, "a toy", prepare, run, destroy, bytes, order, 0 }

/* Whoever reads behind the members of version 1 finds products that the peer lacks. */
#define OLD_PEER(name, prepare, run)                                                               \
    &(const spmv_peer) { 1, name, "a toy", prepare, run, destroy, NULL, NULL, ~UINT32_C(0) }

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = {
#ifdef TOY_OF_ANOTHER_VERSION
    &(const spmv_peer) { SPMV_PEER_VERSION + 1, "new", "a toy", prepare, run, destroy, NULL, NULL,
                         0 },
#else
    PEER("right", prepare, run, layout_bytes, NULL),
    PEER("backwards", prepare, run_backwards, NULL, order_of_y),
    PEER("lengths", prepare, run_lengths, NULL, NULL),
    PEER("wrong", prepare, run_wrong, NULL, NULL),
    PEER("later_wrong", prepare, run_later_wrong, NULL, NULL),
    PEER("breaks", prepare, run_breaks, NULL, NULL),
    PEER("disordered", prepare, run, NULL, no_order),
    PEER("unlucky", fail, run, NULL, NULL),
    PEER("one", prepare, run_one, NULL, NULL),
    OLD_PEER("old", prepare, run),
    &(const spmv_peer) { SPMV_PEER_VERSION, "columns", "a toy", prepare, run_columns, destroy, NULL,
                         NULL, SPMV_PEER_COLUMNS },
#endif
    NULL
};
