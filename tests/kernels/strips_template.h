/* strips_template.h: the template of strips itself, compiled for the parameters of
 * data/strips_example: layouts that it builds in a test, and what it does with them. */
#ifndef TEST_STRIPS_TEMPLATE_H
#define TEST_STRIPS_TEMPLATE_H

#include "templates/strips/simd.c"

#include <stdlib.h>
#include <string.h>

static void *zeros(size_t bytes)
{
    void *p = calloc(1, bytes + 64);
    if (!p)
        exit(1);
    return p;
}

/* Runs the last chunk of a step first: if a strip were written into the space of the next one, that
 * would not be written over. */
static void run_steps(const spmv_job *job, const spmv_step *step, i32 count)
{
    for (i32 i = 0; i < count; i++)
        for (i64 chunk = step[i].grid; chunk > 0; chunk--)
            step[i].run(job, chunk - 1, chunk);
}

/* Finds the sizes of a layout. val_type: of csr->val, as of a layout. */
static void size_layout(spmv_layout *layout, const spmv_csr *csr, i32 val_type,
                        bool has_wide_values)
{
    memset(layout, 0, sizeof *layout);
    layout->csr = *csr;
    layout->val_type = val_type;
    layout->setting[SETTING_WIDE_VALUES] = has_wide_values;
    layout->scratch = zeros(sizeof(strip_scratch));
    if (layout_size(layout) != SPMV_OK)
        exit(1);
    free(layout->scratch);
}

static void fill_layout(spmv_layout *layout)
{
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    for (i32 i = 0; i < layout->array_count; i++)
        layout->array[i].data = zeros(layout->array[i].bytes);
    job.layout = layout;
    job.workspace = zeros(layout->build_bytes);
    run_steps(&job, step, build_steps(layout, step));
    free(job.workspace);
}

static void build_from(spmv_layout *layout, const spmv_csr *csr, i32 val_type,
                       bool has_wide_values)
{
    size_layout(layout, csr, val_type, has_wide_values);
    fill_layout(layout);
}

static void build(spmv_layout *layout, const spmv_csr *csr, bool has_wide_values)
{
    build_from(layout, csr, 0, has_wide_values);
}

static void discard(spmv_layout *layout)
{
    for (i32 i = 0; i < layout->array_count; i++)
        free(layout->array[i].data);
}

static void multiply(const spmv_layout *layout, const real *x, real *y)
{
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    job.layout = layout;
    job.alpha = 0.7;
    job.x = x;
    job.y = y;
    job.workspace = zeros(layout->workspace_bytes);
    run_steps(&job, step, launches(&job, step));
    free(job.workspace);
}

static void update(spmv_layout *layout, const void *val)
{
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    layout->csr.val = val;
    job.layout = layout;
    run_steps(&job, step, update_steps(layout, step));
}

/* Whether the entries of the layout's matrix come back from it. */
static bool restores(const spmv_csr *csr, const spmv_layout *layout)
{
    real *val = zeros((size_t)csr->nnz * sizeof(real));
    i32 *col = zeros((size_t)csr->nnz * sizeof(i32));
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    job.layout = layout;
    job.val_out = val;
    job.col_idx_out = col;
    run_steps(&job, step, restore_steps(&job, step));
    const bool same = !memcmp(val, csr->val, (size_t)csr->nnz * sizeof(real)) &&
                      !memcmp(col, csr->col_idx, (size_t)csr->nnz * sizeof(i32));
    free(val);
    free(col);
    return same;
}

#endif
