/* evc_hyb_plan.h: plans of EVC-HYB's template for its tests, built as libspmv builds plans, of
 * matrices with rows of given lengths.
 */
#ifndef TEST_EVC_HYB_PLAN_H
#define TEST_EVC_HYB_PLAN_H

#include "templates/evc_hyb/host.c"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/random.h"

enum { PADDED = -1 };            /* fills arrays before the build */

typedef struct plan {
    i32 *row_ptr, *col_idx;
    real *val;
    spmv_layout layout;
    void *scratch;
    const i32 *row_of, *vcsr_ptr;
    const evc_group *group;
    const evc_slice *slice;
} plan;

static void *memory(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p)
        exit(1);
    memset(p, PADDED, bytes);
    return p;
}

static i32 length_of(const plan *p, i32 position)
{
    const i32 row = p->row_of[position];
    return p->row_ptr[row + 1] - p->row_ptr[row];
}

static void run(const spmv_job *job, const spmv_step *step, i32 steps)
{
    for (i32 i = 0; i < steps; i++)
        if (step[i].grid)
            step[i].run(job, 0, step[i].grid);
}

/* A matrix with rows of these lengths, base 1, with a value of its own in each place. */
static void create_matrix(plan *p, const i32 *length, i32 rows, bench_random *random)
{
    spmv_csr *csr = &p->layout.csr;

    p->row_ptr = (i32 *)memory((rows + 1) * sizeof(i32));
    p->row_ptr[0] = 1;
    for (i32 r = 0; r < rows; r++)
        p->row_ptr[r + 1] = p->row_ptr[r] + length[r];
    csr->rows = rows;
    csr->cols = 50000;
    csr->nnz = p->row_ptr[rows] - 1;
    p->col_idx = (i32 *)memory((size_t)csr->nnz * sizeof(i32));
    p->val = (real *)memory((size_t)csr->nnz * sizeof(real));
    /* In two thirds of the matrix columns are near each other. */
    for (i64 k = 0; k < csr->nnz; k++) {
        const i32 near = k * 3 > csr->nnz ? 25000 : (i32)csr->cols;
        p->col_idx[k] = 1 + (i32)bench_random_below(random, near);
        p->val[k] = (real)(k + 1);
    }
    csr->row_ptr = p->row_ptr;
    csr->col_idx = p->col_idx;
    csr->val = p->val;
    csr->base = 1;
    csr->offset_type = SPMV_I32;
    csr->value_type = SPMV_F64;
}

static void plan_create(plan *p, const i32 *length, i32 rows, bench_random *random)
{
    spmv_layout *layout = &p->layout;
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    memset(p, 0, sizeof *p);
    create_matrix(p, length, rows, random);
    layout->scratch = memory(method_ops.sizing_bytes);
    if (method_ops.layout_size(layout) != SPMV_OK)
        exit(1);
    free(layout->scratch);
    layout->scratch = NULL;
    for (i32 i = 0; i < layout->array_count; i++)
        layout->array[i].data = layout->array[i].bytes ? memory(layout->array[i].bytes) : NULL;
    job.layout = layout;
    job.workspace = memory(layout->build_bytes);
    run(&job, step, method_ops.build_steps(layout, step));
    free(job.workspace);
    p->row_of = (const i32 *)layout->array[ROW_OF].data;
    p->vcsr_ptr = (const i32 *)layout->array[VCSR_PTR].data;
    p->group = (const evc_group *)layout->array[GROUPS].data;
    p->slice = (const evc_slice *)layout->array[ELL_SLICE].data;
}

static void plan_destroy(plan *p)
{
    for (i32 i = 0; i < p->layout.array_count; i++)
        free(p->layout.array[i].data);
    free(p->row_ptr);
    free(p->col_idx);
    free(p->val);
}

#endif
