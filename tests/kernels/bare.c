/* bare.c: see bare.h. */
#include "bare_runner.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/permutation.h"

static const char *const guard_names[BARE_ARRAYS] = {
    "row_ptr", "col_idx", "val", "x", "y", "the workspace", "the scratch", "col_idx_out",
    "val_out",
};

/* ---- creation --------------------------------------------------------------------------- */

bare *bare_create(const spmv_module *module)
{
    bare *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->module = module;
    b->x_side = -1;
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        b->setting[i] = module->ops->settings[i].initial;
    for (int i = 0; i < BARE_GUARDS; i++) {
        b->guard[i] = guard_create(i < BARE_ARRAYS ? guard_names[i] : "an array of the layout");
        if (!b->guard[i]) {
            bare_destroy(b);
            return NULL;
        }
    }
    return b;
}

void bare_destroy(bare *b)
{
    if (!b)
        return;
    for (int i = 0; i < BARE_GUARDS; i++)
        guard_destroy(b->guard[i]);
    transposing_destroy(&b->transpose);
    free(b->order_y);
    free(b->order_x);
    free(b);
}

void bare_set(bare *b, const int64_t *setting)
{
    memcpy(b->setting, setting, sizeof b->setting);
}

const char *bare_error(const bare *b)
{
    return b->error;
}

const spmv_layout *bare_layout(const bare *b)
{
    return &b->layout;
}

/* ---- access -------------------------------------------------------------------------------- */

/* A launch may read the borrowed arrays of the CSR and the layout; with alpha = 0, neither. */
static void allow_launch(bare *b, bool reads)
{
    static const int32_t borrowed[] = { SPMV_BORROWS_ROW_PTR, SPMV_BORROWS_COL_IDX,
                                        SPMV_BORROWS_VAL };

    for (int i = BARE_ROW_PTR; i <= BARE_VAL; i++)
        guard_allow(b->guard[i], reads && (b->layout.borrows & borrowed[i]) ? GUARD_READ_ONLY
                                                                            : GUARD_NO_ACCESS);
    for (int i = BARE_ARRAYS; i < BARE_GUARDS; i++)
        guard_allow(b->guard[i], reads ? GUARD_READ_ONLY : GUARD_NO_ACCESS);
    guard_allow(b->guard[BARE_X], reads ? GUARD_READ_ONLY : GUARD_NO_ACCESS);
}

void *bare_place(bare *b, int index, const void *from, int64_t count, size_t bytes)
{
    void *data = guard_place(b->guard[index], (size_t)count * bytes, bytes, b->side);

    if (data && from && count > 0)
        memcpy(data, from, (size_t)count * bytes);
    return data;
}

/* An x equal to the last x stays in place, since most multiplications repeat it. If the layout
 * permutes x, x is always placed again. */
static const void *place_x(bare *b, const void *x, int64_t count, size_t bytes)
{
    const guard *g = b->guard[BARE_X];

    if (b->order_x) {
        void *ordered = bare_place(b, BARE_X, NULL, count, bytes);
        if (ordered)
            bench_permute(b->order_x, count, bytes, x, ordered);
        b->x_side = -1;
        return ordered;
    }

    if (b->x_side == (int)b->side && guard_bytes(g) == (size_t)count * bytes) {
        guard_allow(b->guard[BARE_X], GUARD_READ_ONLY);
        if (count == 0 || memcmp(guard_data(g), x, guard_bytes(g)) == 0)
            return guard_data(g);
    }
    b->x_side = (int)b->side;
    return bare_place(b, BARE_X, x, count, bytes);
}

/* ---- multiplication ------------------------------------------------------------------------ */

static spmv_job job_of(const bare *b, double alpha, double beta)
{
    const bool single = b->layout.csr.value_type == SPMV_F32;

    return (spmv_job){ .layout = &b->layout, .alpha = single ? (float)alpha : alpha,
                       .beta = single ? (float)beta : beta };
}

/* Fills a workspace of that size with garbage, and runs the steps of the job, whose x and y are
 * placed. */
static bare_fault run_launches(bare *b, spmv_job *job, size_t workspace_bytes,
                               int32_t (*launches)(const spmv_job *, spmv_step *), bare_order order)
{
    static const int garbage[] = { 0xa9, 0xff, 0x00 };   /* 0xff: NaN */
    bare_step_call call = { .b = b, .what = "execute", .of_job = launches, .job = job,
                            .order = order };

    job->workspace = guard_place(b->guard[BARE_WORKSPACE], workspace_bytes, SPMV_ALIGNMENT,
                                 b->side);
    if (!job->x || !job->y || !job->workspace)
        return bare_fail(b, BARE_REFUSED, "out of memory");
    memset(job->workspace, garbage[b->runs++ % 3], workspace_bytes);
    b->alpha_is_zero = job->alpha == 0;
    allow_launch(b, !b->alpha_is_zero);
    const bare_fault result = bare_run(&call);
    b->alpha_is_zero = false;
    return result;
}

bare_fault bare_execute(bare *b, double alpha, const void *x, double beta, const void *before,
                        bare_order order, void *y)
{
    const spmv_csr *csr = &b->layout.csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    spmv_job job = job_of(b, alpha, beta);

    job.x = place_x(b, x, bare_column_count(b), bytes);
    job.y = bare_place(b, BARE_Y, NULL, bare_row_count(b), bytes);
    if (before && job.y)
        bench_permute(b->order_y, bare_row_count(b), bytes, before, job.y);
    const bare_fault result =
        run_launches(b, &job, b->layout.workspace_bytes, b->module->ops->launches, order);
    if (job.y)
        bench_unpermute(b->order_y, bare_row_count(b), bytes, job.y, y);
    return result;
}

int64_t bare_columns_y_count(const bare_columns *c, int64_t rows)
{
    return rows > 0 ? (rows - 1) * c->y_row_stride + (c->columns - 1) * c->y_column_stride + 1 : 0;
}

int64_t bare_y_row(const bare *b, int64_t k)
{
    return b->order_y ? b->order_y[k] : k;
}

bare_fault bare_execute_columns(bare *b, double alpha, double beta, const bare_columns *c,
                                bare_order order)
{
    const spmv_csr *csr = &b->layout.csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    const int64_t x_count = csr->cols > 0 ? (csr->cols - 1) * c->x_stride + c->columns : 0;
    const int64_t y_count = bare_columns_y_count(c, csr->rows);
    spmv_job job = job_of(b, alpha, beta);

    const size_t vectors = (size_t)c->columns * b->layout.workspace_bytes;

    b->x_side = -1;
    job.x = bare_place(b, BARE_X, c->x, x_count, bytes);
    job.y = bare_place(b, BARE_Y, c->y, y_count, bytes);
    job.columns = c->columns;
    job.x_stride = c->x_stride;
    job.y_row_stride = c->y_row_stride;
    job.y_column_stride = c->y_column_stride;
    const bare_fault result =
        run_launches(b, &job,
                     (vectors + SPMV_ALIGNMENT - 1) / SPMV_ALIGNMENT * SPMV_ALIGNMENT +
                         b->layout.columns_bytes,
                     b->module->ops->launches_columns, order);
    if (job.y && y_count > 0)
        memcpy(c->y, job.y, (size_t)y_count * bytes);
    return result;
}

/* ---- the rest of the contract -------------------------------------------------------------- */

bare_fault bare_execute_until(bare *b, const char *stop, double alpha, const void *x, double beta,
                              const void *before, void *y)
{
    b->stop = stop;
    const bare_fault result = bare_execute(b, alpha, x, beta, before, BARE_FORWARD, y);
    b->stop = NULL;
    return result;
}

const void *bare_workspace(const bare *b)
{
    return guard_data(b->guard[BARE_WORKSPACE]);
}

bare_fault bare_update(bare *b, const void *val, bare_order order)
{
    const spmv_csr *csr = &b->layout.csr;
    const spmv_job job = { .layout = &b->layout };
    bare_step_call call = { .b = b, .what = "update", .of_layout = b->module->ops->update_steps,
                            .job = &job, .order = order };

    void *placed = bare_place(b, BARE_VAL, val, csr->nnz, bench_value_bytes(csr->value_type));

    if (!placed)
        return bare_fail(b, BARE_REFUSED, "out of memory");
    if (b->module->ops->transposes)
        transposing_order(&b->transpose, val, placed);
    b->layout.csr.val = placed;
    allow_launch(b, true);
    for (int i = BARE_ARRAYS; i < BARE_GUARDS; i++)
        guard_allow(b->guard[i], GUARD_READ_WRITE);
    guard_allow(b->guard[BARE_VAL], GUARD_READ_ONLY);
    return bare_run(&call);
}

bare_fault bare_restore(bare *b, bare_order order, int32_t *col_idx, void *val)
{
    const spmv_csr *csr = &b->layout.csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    spmv_job job = { .layout = &b->layout };
    bare_step_call call = { .b = b, .what = "restore", .of_job = b->module->ops->restore_steps,
                            .job = &job, .order = order };

    if (col_idx)
        job.col_idx_out = bare_place(b, BARE_COL_IDX_OUT, NULL, csr->nnz, sizeof(int32_t));
    if (val)
        job.val_out = bare_place(b, BARE_VAL_OUT, NULL, csr->nnz, bytes);
    if ((col_idx && !job.col_idx_out) || (val && !job.val_out))
        return bare_fail(b, BARE_REFUSED, "out of memory");
    allow_launch(b, true);
    const bare_fault result = bare_run(&call);
    if (b->module->ops->transposes) {
        if (col_idx)
            transposing_restore_columns(&b->transpose, job.col_idx_out, col_idx);
        if (val)
            transposing_restore(&b->transpose, job.val_out, val);
        return result;
    }
    if (col_idx && csr->nnz > 0)
        memcpy(col_idx, job.col_idx_out, (size_t)csr->nnz * sizeof(int32_t));
    if (val && csr->nnz > 0)
        memcpy(val, job.val_out, (size_t)csr->nnz * bytes);
    return result;
}
