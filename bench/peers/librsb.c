/* librsb.c: librsb's recursive sparse blocks, autotuned if many runs are expected. */
#include <rsb.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/spmv_peer.h"

enum { TUNED_FROM = 100 };       /* least number of expected runs for tuning */

static const double tune_seconds = 0.5;

typedef struct rsb_state {
    struct rsb_mtx_t *matrix;
    int is_f64;
    rsb_trans_t operation;
    rsb_flags_t order;           /* of X and Y */
    rsb_coo_idx_t columns, ldx, ldy;
} rsb_state;

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    const rsb_type_t type = a->value_bits == 64 ? RSB_NUMERICAL_TYPE_DOUBLE
                                                : RSB_NUMERICAL_TYPE_FLOAT;
    static int is_started;
    rsb_err_t error = RSB_ERR_NO_ERROR;
    rsb_state *s;

    if (a->offset_bits != 32 || a->nnz == 0) {
        snprintf(message, bytes, "row pointers of 64 bits, or no nonzeros");
        return SPMV_PEER_NOT_APPLICABLE;
    }
    s = (rsb_state *)calloc(1, sizeof *s);
    if (s && !is_started && (error = rsb_lib_init(RSB_NULL_INIT_OPTIONS)) == RSB_ERR_NO_ERROR)
        is_started = 1;
    if (s && error == RSB_ERR_NO_ERROR)
        error = rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &a->threads);
    if (s && error == RSB_ERR_NO_ERROR)
        s->matrix = rsb_mtx_alloc_from_csr_const(a->val, (const rsb_coo_idx_t *)a->row_ptr,
                                                 a->col_idx, (rsb_nnz_idx_t)a->nnz, type,
                                                 (rsb_coo_idx_t)a->rows, (rsb_coo_idx_t)a->cols,
                                                 RSB_DEFAULT_ROW_BLOCKING, RSB_DEFAULT_COL_BLOCKING,
                                                 RSB_FLAG_DUPLICATES_SUM, &error);
    if (!s || !s->matrix) {
        snprintf(message, bytes, "librsb: error %d", (int)error);
        free(s);
        return SPMV_PEER_FAILED;
    }
    s->is_f64 = a->value_bits == 64;
    s->operation = a->transposed ? RSB_TRANSPOSITION_T : RSB_TRANSPOSITION_N;
    s->order = a->columns > 1 && !a->column_major ? RSB_FLAG_WANT_ROW_MAJOR_ORDER
                                                  : RSB_FLAG_WANT_COLUMN_MAJOR_ORDER;
    s->columns = a->columns;
    s->ldx = (rsb_coo_idx_t)a->ldx;
    s->ldy = (rsb_coo_idx_t)a->ldy;
    if (a->expected_runs >= TUNED_FROM)
        rsb_tune_spmm(&s->matrix, NULL, NULL, 0, tune_seconds, s->operation, NULL, NULL, s->columns,
                      s->order, NULL, 0, NULL, NULL, 0);
    *state = s;
    return SPMV_PEER_OK;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const rsb_state *s = (const rsb_state *)state;
    const float alpha32 = (float)alpha, beta32 = (float)beta;
    const void *const alpha_at = s->is_f64 ? (const void *)&alpha : &alpha32;
    const void *const beta_at = s->is_f64 ? (const void *)&beta : &beta32;
    const rsb_err_t error =
        s->columns > 1 ? rsb_spmm(s->operation, alpha_at, s->matrix, s->columns, s->order, x,
                                  s->ldx, beta_at, y, s->ldy)
                       : rsb_spmv(s->operation, alpha_at, s->matrix, x, 1, beta_at, y, 1);

    return error == RSB_ERR_NO_ERROR ? SPMV_PEER_OK : SPMV_PEER_FAILED;
}

static void destroy(void *state)
{
    rsb_mtx_free(((rsb_state *)state)->matrix);
    free(state);
}

static size_t layout_bytes(const void *state)
{
    size_t bytes = 0;

    rsb_mtx_get_info(((const rsb_state *)state)->matrix, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &bytes);
    return bytes;
}

static const spmv_peer librsb = {
    SPMV_PEER_VERSION, "librsb", "librsb " RSB_PEER_VERSION, prepare, run, destroy,
    layout_bytes, NULL, SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &librsb, NULL };
