/* vendored.c: an emitted module without libspmv.
 *
 * Copy a folder of generated/ into your program, compile a module with your code, and run its steps
 * as below. Threads share the chunks of a step, and finish the step before the next one starts.
 * Without -fopenmp there is one thread. Modules for other devices list kernels, which are steps
 * without a function; bundles launch them.
 *
 *     cc -std=c11 -O3 -fopenmp -I c vendored.c c/spmv_csr5__generic_c.c -lm
 */
#include "spmv_modules__generic_c.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHARES = 512 };           /* shares of a step, at most: several for each thread */

static void run_steps(const spmv_job *job, const spmv_step *step, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const int64_t grid = step[i].grid;
        const int64_t shares = grid < SHARES ? grid : SHARES;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int64_t share = 0; share < shares; share++)
            step[i].run(job, share * grid / shares, (share + 1) * grid / shares);
    }
}

/* Allocates aligned memory. C11 requires a size that is a multiple of the alignment. */
static void *allocate(size_t bytes)
{
    return aligned_alloc(SPMV_ALIGNMENT, (bytes / SPMV_ALIGNMENT + 1) * SPMV_ALIGNMENT);
}

/* Fills layout->array from layout->csr. Returns an error text, or NULL. */
static const char *build(const spmv_module *module, spmv_layout *layout)
{
    spmv_job job = {.layout = layout};
    spmv_step step[SPMV_MAX_STEPS];
    spmv_status status;

    /* In a module with another ABI only `abi` may be read. */
    if (module->abi != SPMV_MODULE_ABI)
        return "the module was emitted for another version of spmv_module.h";
    if (!module->usable() || module->program != NULL)
        return "the module is not for this CPU";
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        layout->setting[i] = module->ops->settings[i].initial;
    if ((layout->scratch = allocate(module->ops->sizing_bytes)) == NULL)
        return "there is not enough memory";
    status = module->ops->layout_size(layout);
    free(layout->scratch);
    layout->scratch = NULL;
    if (status != SPMV_OK)
        return "the method does not take this matrix";
    for (int32_t i = 0; i < layout->array_count; i++)
        if (layout->array[i].bytes > 0 &&
            (layout->array[i].data = allocate(layout->array[i].bytes)) == NULL)
            return "there is not enough memory";
    if ((job.workspace = allocate(layout->build_bytes)) == NULL)
        return "there is not enough memory";
    run_steps(&job, step, module->ops->build_steps(layout, step));
    free(job.workspace);
    return NULL;
}

/* y = alpha*A*x + beta*y */
static void multiply(const spmv_module *module, const spmv_layout *layout, double alpha,
                     const double *x, double beta, double *y, void *workspace)
{
    const spmv_job job = {.layout = layout, .alpha = alpha, .x = x, .beta = beta, .y = y,
                          .workspace = workspace};
    spmv_step step[SPMV_MAX_STEPS];

    run_steps(&job, step, module->ops->launches(&job, step));
}

int main(void)
{
    static const int32_t row_ptr[] = {0, 2, 5, 5, 7};
    static const int32_t col_idx[] = {0, 1, 0, 1, 2, 2, 3};
    static const double val[] = {4, 1, 1, 4, 1, 1, 4};
    static const double x[] = {1, 2, 3, 4};
    double y[] = {100, 100, 100, 100};
    const spmv_module *module = &spmv_csr5_f64_i32__generic_c;
    spmv_layout layout = {.csr = {
        .rows = 4, .cols = 4, .nnz = 7, .row_ptr = row_ptr, .col_idx = col_idx, .val = val,
        .offset_type = SPMV_I32, .value_type = SPMV_F64,
    }};
    const char *problem = build(module, &layout);
    void *workspace = problem ? NULL : allocate(layout.workspace_bytes);

    if (!problem && !workspace)
        problem = "there is not enough memory";
    if (problem) {
        fprintf(stderr, "vendored: %s\n", problem);
    } else {
        multiply(module, &layout, 2.0, x, 0.5, y, workspace);
        printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
    }
    free(workspace);
    for (int32_t i = 0; i < layout.array_count; i++)
        free(layout.array[i].data);
    return problem != NULL;
}
