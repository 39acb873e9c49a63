/* plan.c: creating, querying and destroying a plan. */
#define _POSIX_C_SOURCE 200809L
#include "plan.h"

#include "choose.h"
#include "debug.h"
#include "error.h"
#include "matrix_check.h"
#include "memory.h"
#include "options.h"
#include "parallel.h"
#include "steps.h"
#include "types.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

/* ---- options ------------------------------------------------------------------------------- */

/* The structs' sizes in the first release, the least that a program may have been compiled with. */
enum {
    FIRST_OPTIONS = offsetof(spmv_plan_options, settings) + sizeof(char *),
    FIRST_INFO = offsetof(spmv_plan_info, y_permutation) + sizeof(int32_t *)
};

static spmv_status read_options(const spmv_plan_options *given, spmv_plan_options *known,
                                spmv_error *err)
{
    spmv_status status;

    /* A forgotten struct_size must not turn a request into a default. */
    if (given != NULL && given->struct_size == 0 &&
        (given->method || given->target || given->threads || given->copy || given->full_check ||
         given->settings))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_PLAN_CREATE
                              "options are set, but options.struct_size is 0; set it to "
                              "sizeof(spmv_plan_options)");
    *known = (spmv_plan_options){0};
    status = spmv_options_read(known, sizeof *known, FIRST_OPTIONS, given, "spmv_plan_create", err);
    if (status != SPMV_OK)
        return status;
    if (known->settings != NULL && known->method == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_PLAN_CREATE
                              "options.settings is '%.64s', but options.method is NULL; settings "
                              "belong to a method: name it", known->settings);
    if (known->threads < 0 || known->threads > SPMV_MAX_THREADS)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_PLAN_CREATE
                              "options.threads is %" PRId32 "; expected 0 (all) to %d",
                              known->threads, SPMV_MAX_THREADS);
    return SPMV_OK;
}

/* ---- memory -------------------------------------------------------------------------------- */

static spmv_status no_memory(const spmv_plan *plan, const char *what, size_t bytes, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY, SPMV_PLAN_CREATE
                          "no memory for %.64s of %s, %zu bytes; a method that converts nothing "
                          "(see spmv_plan_options.method) needs less", what, plan->module->name,
                          bytes);
}

static spmv_status allocate_arrays(spmv_plan *plan, spmv_error *err)
{
    for (int32_t i = 0; i < plan->layout.array_count; i++) {
        spmv_array *array = &plan->layout.array[i];

        if (array->bytes == 0)
            continue;
        array->data = spmv_memory_alloc(array->bytes);
        if (array->data == NULL)
            return no_memory(plan, array->name != NULL ? array->name : "an array", array->bytes,
                             err);
        plan->layout_bytes += array->bytes;
    }
    return SPMV_OK;
}

static spmv_status allocate_scratch(spmv_plan *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.workspace_bytes;

    plan->scratch = spmv_memory_alloc_zeroed(sizeof *plan->scratch);
    if (plan->scratch == NULL)
        return no_memory(plan, "the workspace's lock", sizeof *plan->scratch, err);
    atomic_flag_clear(&plan->scratch->busy);
    if (bytes == 0)
        return SPMV_OK;
    plan->scratch->memory = spmv_memory_alloc(bytes);
    return plan->scratch->memory != NULL ? SPMV_OK : no_memory(plan, "the workspace", bytes, err);
}

/* ---- the caller's arrays --------------------------------------------------------------------- */

static const void *copy_array(spmv_plan *plan, int array, const void *source, size_t bytes)
{
    plan->copy[array] = spmv_memory_alloc(bytes);
    if (plan->copy[array] != NULL) {
        spmv_parallel_copy(plan->threads, plan->copy[array], source, bytes);
        plan->layout_bytes += bytes;
    }
    return plan->copy[array];
}

/* Puts copies in the place of the borrowed arrays. */
static spmv_status copy_borrowed(spmv_plan *plan, spmv_error *err)
{
    spmv_csr *csr = &plan->layout.csr;
    const int32_t borrows = plan->layout.borrows;
    const size_t row_ptr_bytes = ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type);
    const size_t col_idx_bytes = (size_t)csr->nnz * sizeof(int32_t);
    const size_t val_bytes = (size_t)csr->nnz * spmv_value_bytes(csr->value_type);

    if ((borrows & SPMV_BORROWS_ROW_PTR) != 0 &&
        (csr->row_ptr = copy_array(plan, SPMV_ROW_PTR, csr->row_ptr, row_ptr_bytes)) == NULL)
        return no_memory(plan, "a copy of row_ptr", row_ptr_bytes, err);
    if ((borrows & SPMV_BORROWS_COL_IDX) != 0 &&
        (csr->col_idx = copy_array(plan, SPMV_COL_IDX, csr->col_idx, col_idx_bytes)) == NULL)
        return no_memory(plan, "a copy of col_idx", col_idx_bytes, err);
    if ((borrows & SPMV_BORROWS_VAL) != 0 &&
        (csr->val = copy_array(plan, SPMV_VAL, csr->val, val_bytes)) == NULL)
        return no_memory(plan, "a copy of val", val_bytes, err);
    return SPMV_OK;
}

/* What the module does not borrow may be gone from now on: better a null pointer than a stale
 * one. */
static void forget_unborrowed(spmv_plan *plan)
{
    spmv_csr *csr = &plan->layout.csr;
    const int32_t borrows = plan->layout.borrows;

    if ((borrows & SPMV_BORROWS_ROW_PTR) == 0)
        csr->row_ptr = NULL;
    if ((borrows & SPMV_BORROWS_COL_IDX) == 0)
        csr->col_idx = NULL;
    if ((borrows & SPMV_BORROWS_VAL) == 0)
        csr->val = NULL;
}

/* ---- create and destroy -------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static spmv_status run_build_steps(spmv_plan *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.build_bytes;
    spmv_job job = {.layout = &plan->layout};
    spmv_step step[SPMV_MAX_STEPS];
    spmv_status status;

    if (bytes > 0 && (job.workspace = spmv_memory_alloc(bytes)) == NULL)
        return no_memory(plan, "scratch for the build", bytes, err);
    status = spmv_steps_run(&job, step, plan->module->ops->build_steps(&plan->layout, step),
                            plan->threads);
    spmv_memory_free(job.workspace);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, SPMV_PLAN_CREATE "the build steps of %.64s: %s",
                              plan->module->name, spmv_status_text(status));
    return SPMV_OK;
}

/* Chooses a module and fills the plan. On error what was allocated stays for spmv_plan_destroy. */
static spmv_status build_plan(const spmv_device *device, const spmv_request *request, int copy,
                              spmv_plan *plan, spmv_error *err)
{
    spmv_choice choice;
    spmv_status status;

    status = spmv_choose(device, request, &choice, err);
    if (status != SPMV_OK)
        return status;
    plan->module = choice.module;
    plan->layout = choice.layout;
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        plan->layout.array[i].data = NULL;
    memcpy(plan->reason, choice.reason, sizeof plan->reason);

    if ((status = allocate_arrays(plan, err)) != SPMV_OK ||
        (status = allocate_scratch(plan, err)) != SPMV_OK ||
        (copy && (status = copy_borrowed(plan, err)) != SPMV_OK))
        return status;
    if ((status = run_build_steps(plan, err)) != SPMV_OK)
        return status;
    forget_unborrowed(plan);
    return SPMV_OK;
}

spmv_status spmv_plan_create(spmv_device *device, const spmv_csr *csr,
                             const spmv_plan_options *options, spmv_plan **out, spmv_error *err)
{
    const double start = seconds_now();
    spmv_plan_options known;
    spmv_request request;
    spmv_plan *plan;
    spmv_status status;
    int32_t threads;

    if (out == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_PLAN_CREATE "out is NULL");
    *out = NULL;
    if (device == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_PLAN_CREATE
                              "device is NULL; open one with spmv_device_open");
    status = read_options(options, &known, err);
    if (status != SPMV_OK)
        return status;
    threads = spmv_parallel_threads(known.threads);
    status = spmv_matrix_check(csr, known.full_check, threads, err);
    if (status != SPMV_OK)
        return status;

    plan = spmv_memory_alloc_zeroed(sizeof *plan);
    if (plan == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, SPMV_PLAN_CREATE "no memory for the plan");
    plan->threads = threads;
    request = (spmv_request){csr, known.method, known.target, known.settings};
    status = build_plan(device, &request, known.copy, plan, err);
    if (status != SPMV_OK) {
        spmv_plan_destroy(plan);
        return status;
    }
    plan->build_seconds = seconds_now() - start;
    spmv_debug_print(device, "plan: %s for %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros: %s; "
                     "%" PRId32 " threads, %zu bytes of layout, %zu of workspace, %.3g s",
                     plan->module->name, csr->rows, csr->cols, csr->nnz, plan->reason,
                     plan->threads, plan->layout_bytes, plan->layout.workspace_bytes,
                     plan->build_seconds);
    *out = plan;
    return SPMV_OK;
}

void spmv_plan_destroy(spmv_plan *plan)
{
    if (plan == NULL)
        return;
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        spmv_memory_free(plan->layout.array[i].data);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        spmv_memory_free(plan->copy[i]);
    if (plan->scratch != NULL)
        spmv_memory_free(plan->scratch->memory);
    spmv_memory_free(plan->scratch);
    spmv_memory_free(plan);
}

/* ---- queries ------------------------------------------------------------------------------- */

size_t spmv_plan_workspace_size(const spmv_plan *plan)
{
    return plan != NULL ? plan->layout.workspace_bytes : 0;
}

static const int32_t *y_permutation(const spmv_layout *layout)
{
    return layout->permutes_y ? (const int32_t *)layout->array[layout->permutes_y - 1].data : NULL;
}

spmv_status spmv_plan_query(const spmv_plan *plan, spmv_plan_info *info)
{
    spmv_plan_info known;
    size_t size;
    int is_copy = 0;

    if (plan == NULL || info == NULL || info->struct_size < FIRST_INFO ||
        info->struct_size > SPMV_OPTIONS_MAX)
        return SPMV_INVALID_ARGUMENT;
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        is_copy |= plan->copy[i] != NULL;
    size = info->struct_size;
    known = (spmv_plan_info){
        .struct_size = size,
        .module = plan->module,
        .reason = plan->reason,
        .threads = plan->threads,
        .borrows = is_copy ? 0 : plan->layout.borrows,
        .rows = plan->layout.csr.rows,
        .cols = plan->layout.csr.cols,
        .nnz = plan->layout.csr.nnz,
        .layout_bytes = plan->layout_bytes,
        .workspace_bytes = plan->layout.workspace_bytes,
        .build_seconds = plan->build_seconds,
        .y_permutation = y_permutation(&plan->layout),
    };
    /* A newer program asks for more than this library knows: zeros. */
    memset(info, 0, size);
    memcpy(info, &known, size < sizeof known ? size : sizeof known);
    return SPMV_OK;
}

spmv_status spmv_plan_figures(const spmv_plan *plan, spmv_figure *figure, int32_t *count)
{
    const spmv_method_ops *ops;

    if (plan == NULL || figure == NULL || count == NULL)
        return SPMV_INVALID_ARGUMENT;
    ops = plan->module->ops;
    *count = ops->figures != NULL ? ops->figures(&plan->layout, figure) : 0;
    if (*count >= 0 && *count <= SPMV_MAX_FIGURES)
        return SPMV_OK;
    *count = 0;
    return SPMV_ABI_MISMATCH;
}
