/* build.c: see build.h; also spmv_plan_destroy. */
#include "runtime/plan/build.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/options.h"
#include "runtime/device/device_debug.h"
#include "runtime/matrix/matrix_check.h"
#include "runtime/plan/choice.h"
#include "runtime/plan/storage.h"
#include "runtime/threads/parallel.h"
#include "runtime/threads/step_runner.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* The struct's size in the first release: no program was compiled with less. */
enum { FIRST_OPTIONS = offsetof(spmv_plan_options, choice) + sizeof(char *) };

/* ---- create and destroy -------------------------------------------------------------------- */

/* Reads the options and makes the checks that depend on neither modules nor the device. */
static spmv_status read_options(const spmv_plan_options *given, spmv_plan_options *known,
                                spmv_error *err)
{
    spmv_status status;

    /* A forgotten struct_size must not turn a request into a default. */
    if (given != NULL && given->struct_size == 0 &&
        (given->method || given->target || given->threads || given->copy || given->full_check ||
         given->settings || given->choice || given->savable || given->expected_runs ||
         given->measure || given->parallel_for || given->parallel_for_context))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options are set, but options.struct_size is 0; set it to "
                              "sizeof(spmv_plan_options)");
    *known = (spmv_plan_options){0};
    status = spmv_options_read(known, sizeof *known, FIRST_OPTIONS, given, err);
    if (status != SPMV_OK)
        return status;
    if (known->settings != NULL && known->method == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings is '%.64s', but options.method is NULL; settings "
                              "belong to a method: name it", known->settings);
    if (known->threads < 0 || known->threads > SPMV_MAX_THREADS)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.threads is %" PRId32 "; expected 0 (all) to %d",
                              known->threads, SPMV_MAX_THREADS);
    if (known->parallel_for == NULL && known->parallel_for_context != NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.parallel_for_context is set, but options.parallel_for is "
                              "NULL; set both or neither");
    if (known->expected_runs < 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.expected_runs is %" PRId32 "; expected 0 (%d) or more",
                              known->expected_runs, SPMV_EXPECTED_RUNS);
    if (known->expected_runs == 0)
        known->expected_runs = SPMV_EXPECTED_RUNS;
    return SPMV_OK;
}

/* The host builds the layout for every device, so the matrix must be in memory that it can read. */
static spmv_status check_place(const spmv_device *device, const spmv_csr *csr, spmv_error *err)
{
    const spmv_module_filter *filter = &device->filter;
    const struct { const char *name; const void *data; } array[] = {
        { "row_ptr", csr != NULL ? csr->row_ptr : NULL },
        { "col_idx", csr != NULL ? csr->col_idx : NULL },
        { "val", csr != NULL ? csr->val : NULL },
    };
    spmv_status status = SPMV_OK;

    for (size_t i = 0; i < sizeof array / sizeof array[0] && status == SPMV_OK; i++)
        status = spmv_check_host_memory(filter->backend, filter->backend_state, array[i].data,
                                        array[i].name, err);
    return status;
}

enum { THREAD_WEIGHT = 4096 };   /* rows or nonzeros that make waking a thread worthwhile */

/* A small matrix does not profit from all threads of the machine. */
static int32_t useful_threads(const spmv_csr *csr, int32_t threads)
{
    const int64_t useful = csr->rows / THREAD_WEIGHT + csr->nnz / THREAD_WEIGHT;

    return useful < 1 ? 1 : useful < threads ? (int32_t)useful : threads;
}

spmv_status spmv_plan_begin(const spmv_device *device, const spmv_csr *csr,
                            const spmv_plan_options *options, spmv_plan_options *known,
                            spmv_plan **out, spmv_error *err)
{
    const double start = spmv_seconds_now();
    spmv_status status;
    spmv_threads threads;

    if (out == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    if (device == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "device is NULL; open one with spmv_device_open");
    status = read_options(options, known, err);
    if (status != SPMV_OK)
        return status;
    spmv_team_retry();
    threads = spmv_threads_wanted(known->threads, known->parallel_for, known->parallel_for_context);
    status = check_place(device, csr, err);
    if (status == SPMV_OK)
        status = spmv_matrix_check(csr, known->full_check, &threads, err);
    if (status != SPMV_OK)
        return status;
    *out = spmv_memory_alloc_zeroed(sizeof **out);
    if (*out == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan");
    (*out)->device = device;
    if (known->threads == 0)
        threads.count = useful_threads(csr, threads.count);
    (*out)->threads = threads;
    (*out)->started = start;
    return SPMV_OK;
}

spmv_status spmv_plan_end(const spmv_device *device, spmv_plan **out, spmv_status status)
{
    spmv_plan *plan = out != NULL ? *out : NULL;
    const spmv_csr *csr;

    if (status != SPMV_OK) {
        spmv_plan_destroy(plan);
        if (out != NULL)
            *out = NULL;
        return status;
    }
    csr = &plan->layout.csr;
    plan->build_seconds = spmv_seconds_now() - plan->started;
    spmv_debug_print(device, "plan: %s for %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros: %s; "
                     "%" PRId32 " threads, %zu bytes of layout, %zu of workspace, %.3g s",
                     plan->module->name, csr->rows, csr->cols, csr->nnz, plan->reason,
                     plan->threads.count, plan->layout_bytes, plan->layout.workspace_bytes,
                     plan->build_seconds);
    return SPMV_OK;
}

static spmv_status run_build_steps(spmv_plan *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.build_bytes;
    spmv_job job = {.layout = &plan->layout};
    spmv_step step[SPMV_MAX_STEPS];
    spmv_status status;

    if (bytes > 0 && (job.workspace = spmv_memory_alloc(bytes)) == NULL)
        return spmv_storage_lacks(plan, "scratch for the build", bytes, err);
    status = spmv_steps_run(&job, step, plan->module->ops->build_steps(&plan->layout, step),
                            &plan->threads);
    spmv_memory_free(job.workspace);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "the build steps of %.64s: %s", plan->module->name,
                              spmv_status_text(status));
    return SPMV_OK;
}

spmv_status spmv_plan_to_device(const spmv_device *device, spmv_plan *plan, spmv_error *err)
{
    const spmv_module_filter *filter = &device->filter;

    if (plan->module->program == NULL)
        return SPMV_OK;
    plan->backend = filter->backend;
    return filter->backend->plan_create(filter->backend_state, plan->module, &plan->layout,
                                        &plan->threads, &plan->backend_state, err);
}

spmv_status spmv_plan_build(const spmv_device *device, const spmv_request *request,
                            const spmv_plan_options *known, spmv_plan *plan, spmv_error *err)
{
    const spmv_csr *csr = request->csr;
    spmv_choice choice;
    double begin;
    spmv_status status = spmv_choice_make(device, request, &choice, err);

    if (status != SPMV_OK)
        return status;
    begin = spmv_seconds_now();
    plan->module = choice.module;
    plan->layout = choice.layout;
    plan->candidates = choice.candidates;
    memcpy(plan->reason, choice.reason, sizeof plan->reason);
    if (known->savable)
        spmv_structure_hash(csr, &plan->threads, &plan->structure);

    if ((status = spmv_storage_create(plan, known, err)) != SPMV_OK ||
        (status = run_build_steps(plan, err)) != SPMV_OK)
        return status;
    spmv_storage_forget(plan);
    status = spmv_plan_to_device(device, plan, err);
    plan->layout_seconds = spmv_seconds_now() - begin;
    return status;
}

void spmv_plan_destroy(spmv_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->backend != NULL)
        plan->backend->plan_destroy(plan->backend_state);
    spmv_storage_destroy(plan);
    spmv_candidates_destroy(&plan->candidates);
    spmv_memory_free(plan);
}
