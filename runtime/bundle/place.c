/* place.c: placing a matrix of a bundle into the caller's memory. Nothing is allocated.
 *
 *     memory   the plan, the arrays of its layout, and an area that is scratch for the build, then
 *              the workspace of multiplications; each begins at a multiple of SPMV_ALIGNMENT
 */
#include "runtime/base/error.h"
#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/bundle/arguments.h"
#include "runtime/bundle/matrix.h"
#include "runtime/core/layout.h"
#include "runtime/core/threads/step_runner.h"

#include <string.h>

enum { SLACK = SPMV_ALIGNMENT - 1 };     /* bytes that aligning may skip */

static char *align(void *memory)
{
    return (char *)memory + (0 - (uintptr_t)memory) % SPMV_ALIGNMENT;
}

static size_t aligned_bytes(size_t bytes)
{
    return (bytes + SLACK) / SPMV_ALIGNMENT * SPMV_ALIGNMENT;
}

size_t spmv_scratch_bytes(void)
{
    size_t bytes = 0;

    for (size_t i = 0; spmv_modules[i] != NULL; i++)
        if (spmv_modules[i]->ops->sizing_bytes > bytes)
            bytes = spmv_modules[i]->ops->sizing_bytes;
    return bytes > 0 ? bytes + SLACK : 0;
}

/* ---- sizes --------------------------------------------------------------------------------- */

/* Takes the module of highest rank that this CPU can run and that takes the matrix, and gets its
 * layout. */
static spmv_status size_plan(const spmv_csr *csr, void *scratch, spmv_core *plan, spmv_error *error)
{
    spmv_status first = SPMV_OK;
    int64_t setting[SPMV_MAX_SETTINGS];
    spmv_csr structure = *csr;           /* sizes need no values, and there may be none yet */

    structure.val = NULL;
    if (scratch == NULL && spmv_scratch_bytes() > 0)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "scratch is NULL; expected %zu bytes, see spmv_scratch_bytes",
                              spmv_scratch_bytes());
    for (size_t i = 0; spmv_modules[i] != NULL; i++) {
        const spmv_module *module = spmv_modules[i];
        spmv_status status;

        if (module->value_type != csr->value_type || module->offset_type != csr->offset_type ||
            module->ops->transposes || module->ops->symmetric || !module->usable())
            continue;
        spmv_initial_settings(module, setting);
        plan->module = module;
        status = spmv_layout_size_with(module, &structure, 0, setting, align(scratch),
                                       &plan->layout, first == SPMV_OK ? error : NULL);
        plan->layout.csr.val = csr->val;
        if (status == SPMV_OK)
            return SPMV_OK;
        if (first == SPMV_OK)
            first = status;
    }
    return first != SPMV_OK ? first
                            : spmv_error_set(error, SPMV_UNSUPPORTED,
                                             "this CPU can run none of the kernels");
}

/* Adds an area. Sums that size_t cannot hold stay SIZE_MAX. */
static void add_area(size_t *sum, size_t bytes)
{
    if (*sum > SIZE_MAX - SPMV_ALIGNMENT || bytes > SIZE_MAX - SPMV_ALIGNMENT - *sum)
        *sum = SIZE_MAX;
    else
        *sum += aligned_bytes(bytes);
}

static size_t bytes_of(const spmv_layout *layout)
{
    size_t sum = SLACK;

    add_area(&sum, sizeof(spmv_core));
    for (int32_t i = 0; i < layout->array_count; i++)
        add_area(&sum, layout->array[i].bytes);
    add_area(&sum, layout->build_bytes > layout->workspace_bytes ? layout->build_bytes
                                                                 : layout->workspace_bytes);
    return sum;
}

/* Checks the matrix and gets its layout and the bytes of its memory. */
static spmv_status size_matrix(const spmv_csr *csr, int full_check, void *scratch, spmv_core *plan,
                               size_t *bytes, spmv_error *error)
{
    spmv_status status;

    *bytes = 0;
    if ((status = spmv_bundle_check(csr, full_check, NULL, error)) != SPMV_OK ||
        (status = size_plan(csr, scratch, plan, error)) != SPMV_OK)
        return status;
    *bytes = bytes_of(&plan->layout);
    if (*bytes < SIZE_MAX)
        return SPMV_OK;
    *bytes = 0;
    return spmv_error_set(error, SPMV_OVERFLOW, "the matrix does not fit the address space");
}

/* The layout does not depend on the values, so any address stands for them. */
static const double no_values[1] = {0};

static size_t tell_bytes(const char *function, const spmv_csr *csr, spmv_status status,
                         void *scratch, spmv_error *error)
{
    spmv_core plan;
    size_t bytes = 0;

    if (status == SPMV_OK)
        status = size_matrix(csr, 0, scratch, &plan, &bytes, error);
    (void)spmv_error_within(error, function, status);
    return bytes;
}

/* ---- placing ------------------------------------------------------------------------------- */

/* Gives the plan's arrays their places, beginning at `at`. */
static void place_arrays(spmv_core *plan, char *at)
{
    for (int32_t i = 0; i < plan->layout.array_count; i++) {
        spmv_array *array = &plan->layout.array[i];

        if (array->bytes > 0)
            array->data = at;
        at += aligned_bytes(array->bytes);
    }
    plan->workspace = at;
}

static spmv_status run_build(spmv_core *plan, spmv_error *error)
{
    spmv_step step[SPMV_MAX_STEPS];
    spmv_csr *csr = &plan->layout.csr;
    spmv_status status;
    spmv_job job;

    memset(&job, 0, sizeof job);
    job.layout = &plan->layout;
    job.workspace = plan->layout.build_bytes > 0 ? plan->workspace : NULL;
    status = spmv_steps_run(&job, step, plan->module->ops->build_steps(&plan->layout, step),
                            &plan->threads);
    if (status != SPMV_OK)
        return spmv_error_set(error, status, "the build steps of %.64s: %s", plan->module->name,
                              spmv_status_text(status));
    if ((plan->layout.borrows & SPMV_BORROWS_ROW_PTR) == 0)
        csr->row_ptr = NULL;
    if ((plan->layout.borrows & SPMV_BORROWS_COL_IDX) == 0)
        csr->col_idx = NULL;
    if ((plan->layout.borrows & SPMV_BORROWS_VAL) == 0)
        csr->val = NULL;
    return SPMV_OK;
}

static spmv_status place_plan(void *memory, size_t bytes, const spmv_csr *csr, void *scratch,
                              const spmv_matrix_options *known, spmv_core **out, spmv_error *error)
{
    spmv_core *plan = (spmv_core *)(void *)align(memory);
    size_t needed;
    spmv_status status;

    if (memory == NULL)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "memory is NULL; expected as many bytes as spmv_matrix_bytes_... "
                              "tells");
    if (bytes < SLACK + sizeof *plan)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "memory has %zu bytes; expected as many as spmv_matrix_bytes_... "
                              "tells", bytes);
    if (spmv_csr_overlap(csr, memory, bytes) != 0)
        return spmv_error_set(error, SPMV_ALIASING,
                              "memory overlaps an array of the matrix; expected memory apart");
    memset(plan, 0, sizeof *plan);
    status = size_matrix(csr, known->full_check, scratch, plan, &needed, error);
    if (status != SPMV_OK)
        return status;
    if (bytes < needed)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "memory has %zu bytes; expected %zu, as spmv_matrix_bytes_... tells",
                              bytes, needed);
    plan->threads.count = known->parallel_for != NULL ? known->threads : 1;
    plan->threads.parallel_for = known->parallel_for;
    plan->threads.context = known->parallel_for_context;
    plan->layout_bytes = needed;
    place_arrays(plan, (char *)plan + aligned_bytes(sizeof *plan));
    *out = plan;
    return run_build(plan, error);
}

static spmv_matrix *place_matrix(const char *function, void *memory, size_t bytes,
                                 const spmv_csr *csr, spmv_status status, void *scratch,
                                 const spmv_matrix_options *options, spmv_error *error)
{
    spmv_matrix_options known;
    spmv_core *plan = NULL;

    if (status == SPMV_OK)
        status = spmv_options_of(options, &known, error);
    if (status == SPMV_OK)
        status = place_plan(memory, bytes, csr, scratch, &known, &plan, error);
    (void)spmv_error_within(error, function, status);
    return status == SPMV_OK ? (spmv_matrix *)plan : NULL;
}

/* ---- by type ------------------------------------------------------------------------------- */

#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
size_t spmv_matrix_bytes_f32(int32_t rows, int32_t cols, const int32_t *row_ptr,
                             const int32_t *col_idx, void *scratch, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F32,
                                           no_values, &csr, error);

    return tell_bytes("spmv_matrix_bytes_f32", &csr, status, scratch, error);
}

spmv_matrix *spmv_matrix_place_f32_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                        const int32_t *row_ptr, const int32_t *col_idx,
                                        const float *val, void *scratch,
                                        const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F32, val,
                                           &csr, error);

    return place_matrix("spmv_matrix_place_f32", memory, bytes, &csr, status, scratch, options,
                        error);
}

spmv_matrix *spmv_matrix_place_f32(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                   const int32_t *row_ptr, const int32_t *col_idx, const float *val,
                                   void *scratch, spmv_error *error)
{
    return spmv_matrix_place_f32_with(memory, bytes, rows, cols, row_ptr, col_idx, val, scratch,
                                      NULL, error);
}
#endif

#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
size_t spmv_matrix_bytes_f32_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                 const int32_t *col_idx, void *scratch, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F32,
                                           no_values, &csr, error);

    return tell_bytes("spmv_matrix_bytes_f32_i64", &csr, status, scratch, error);
}

spmv_matrix *spmv_matrix_place_f32_i64_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                            const int64_t *row_ptr, const int32_t *col_idx,
                                            const float *val, void *scratch,
                                            const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F32, val,
                                           &csr, error);

    return place_matrix("spmv_matrix_place_f32_i64", memory, bytes, &csr, status, scratch, options,
                        error);
}

spmv_matrix *spmv_matrix_place_f32_i64(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                       const int64_t *row_ptr, const int32_t *col_idx,
                                       const float *val, void *scratch, spmv_error *error)
{
    return spmv_matrix_place_f32_i64_with(memory, bytes, rows, cols, row_ptr, col_idx, val, scratch,
                                          NULL, error);
}
#endif

#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
size_t spmv_matrix_bytes_f64(int32_t rows, int32_t cols, const int32_t *row_ptr,
                             const int32_t *col_idx, void *scratch, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F64,
                                           no_values, &csr, error);

    return tell_bytes("spmv_matrix_bytes_f64", &csr, status, scratch, error);
}

spmv_matrix *spmv_matrix_place_f64_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                        const int32_t *row_ptr, const int32_t *col_idx,
                                        const double *val, void *scratch,
                                        const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F64, val,
                                           &csr, error);

    return place_matrix("spmv_matrix_place_f64", memory, bytes, &csr, status, scratch, options,
                        error);
}

spmv_matrix *spmv_matrix_place_f64(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                   const int32_t *row_ptr, const int32_t *col_idx,
                                   const double *val, void *scratch, spmv_error *error)
{
    return spmv_matrix_place_f64_with(memory, bytes, rows, cols, row_ptr, col_idx, val, scratch,
                                      NULL, error);
}
#endif

#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
size_t spmv_matrix_bytes_f64_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                 const int32_t *col_idx, void *scratch, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F64,
                                           no_values, &csr, error);

    return tell_bytes("spmv_matrix_bytes_f64_i64", &csr, status, scratch, error);
}

spmv_matrix *spmv_matrix_place_f64_i64_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                            const int64_t *row_ptr, const int32_t *col_idx,
                                            const double *val, void *scratch,
                                            const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F64, val,
                                           &csr, error);

    return place_matrix("spmv_matrix_place_f64_i64", memory, bytes, &csr, status, scratch, options,
                        error);
}

spmv_matrix *spmv_matrix_place_f64_i64(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                       const int64_t *row_ptr, const int32_t *col_idx,
                                       const double *val, void *scratch, spmv_error *error)
{
    return spmv_matrix_place_f64_i64_with(memory, bytes, rows, cols, row_ptr, col_idx, val, scratch,
                                          NULL, error);
}
#endif
