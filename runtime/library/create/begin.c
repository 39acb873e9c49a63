/* begin.c: see begin.h. */
#include "runtime/library/create/begin.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/options.h"
#include "runtime/base/types.h"
#include "runtime/core/options.h"
#include "runtime/core/shell.h"
#include "runtime/device/step_times.h"
#include "runtime/library/devices/device_debug.h"
#include "runtime/library/matrix/admit.h"
#include "runtime/library/matrix/symmetry.h"
#include "runtime/library/threads/way.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* The struct's size in the first release: no program was compiled with less. */
enum { FIRST_OPTIONS = offsetof(spmv_plan_options, choice) + sizeof(char *) };

/* Copies the caller's options, which may be of another version, to *known. */
static spmv_status read_options(const spmv_plan_options *given, spmv_plan_options *known,
                                spmv_error *err)
{
    /* A forgotten struct_size must not turn a request into a default. */
    if (given != NULL && given->struct_size == 0 &&
        (given->method || given->target || given->threads || given->copy || given->full_check ||
         given->settings || given->choice || given->savable || given->expected_runs ||
         given->measure || given->parallel_for || given->parallel_for_context ||
         given->transposed || given->vector_type || given->round_to || given->symmetric))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options are set, but options.struct_size is 0; set it to "
                              "sizeof(spmv_plan_options)");
    *known = (spmv_plan_options){0};
    return spmv_options_read(known, sizeof *known, FIRST_OPTIONS, given, err);
}

/* Makes the checks that depend on neither modules nor the device. */
static spmv_status check_options(spmv_plan_options *known, spmv_error *err)
{
    spmv_status status;

    if (known->settings != NULL && known->method == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings is '%.64s', but options.method is NULL; settings "
                              "belong to a method: name it", known->settings);
    if ((status = spmv_threads_check(known->threads, known->parallel_for,
                                     known->parallel_for_context, err)) != SPMV_OK)
        return status;
    if (known->symmetric < SPMV_SYMMETRIC_NONE || known->symmetric > SPMV_SYMMETRIC_UPPER)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.symmetric is %" PRId32 "; expected SPMV_SYMMETRIC_NONE (0), "
                              "_FULL (1), _LOWER (2) or _UPPER (3)", known->symmetric);
    if (known->symmetric)
        known->transposed = 0;
    return spmv_runs_check(&known->expected_runs, err);
}

/* The host builds the layout for every device. The plan outlives copies of arrays of the device, so
 * it may not borrow them. */
static spmv_status fetch(const spmv_device *device, const spmv_csr *csr, spmv_plan_options *known,
                         spmv_fetched *fetched, spmv_error *err)
{
    const spmv_status status = spmv_fetched_take(device, csr, fetched, err);

    known->copy |= spmv_fetched_has_copies(fetched);
    return status;
}

/* Mirrors are compared in f32 and f64. Values of a triangle are not read. */
static spmv_status check_symmetry(const spmv_csr *csr, const spmv_plan_options *known,
                                  const spmv_plan *plan, spmv_error *err)
{
    if (known->symmetric == SPMV_SYMMETRIC_FULL && csr->value_type != SPMV_F32 &&
        csr->value_type != SPMV_F64)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "options.symmetric is SPMV_SYMMETRIC_FULL, but the values are %s; "
                              "expected f32 or f64, or one triangle (SPMV_SYMMETRIC_UPPER)",
                              spmv_value_name(csr->value_type));
    return spmv_symmetry_check(csr, known->symmetric, &plan->core.threads, err);
}

/* Checks the matrix and allocates its plan. */
static spmv_status start(const spmv_csr *csr, const spmv_plan_options *known, spmv_plan **out,
                         spmv_error *err)
{
    spmv_threads threads =
        spmv_threads_wanted(known->threads, known->parallel_for, known->parallel_for_context);
    /* Transposing reads and writes by columns, and mirrors are found by them. */
    const int columns = known->full_check || known->transposed || known->symmetric;
    const spmv_status status = spmv_matrix_check(csr, columns, &threads, err);

    if (status != SPMV_OK)
        return status;
    *out = (spmv_plan *)spmv_memory_alloc_zeroed(sizeof **out);
    if (*out == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan");
    if (known->threads == 0)
        threads.count = spmv_useful_threads(csr, threads.count);
    (*out)->core.threads = threads;
    return SPMV_OK;
}

spmv_status spmv_plan_begin(const spmv_device *device, const spmv_csr *csr,
                            const spmv_plan_options *options, spmv_plan_options *known,
                            spmv_fetched *fetched, spmv_plan **out, spmv_error *err)
{
    const double began = spmv_seconds_now();
    spmv_status status;

    memset(fetched, 0, sizeof *fetched);
    if (out == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    if (device == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "device is NULL; open one with spmv_device_open");
    if ((status = read_options(options, known, err)) != SPMV_OK ||
        (status = check_options(known, err)) != SPMV_OK)
        return status;
    spmv_team_retry();
    if ((status = fetch(device, csr, known, fetched, err)) != SPMV_OK ||
        (status = start(csr != NULL ? &fetched->csr : NULL, known, out, err)) != SPMV_OK)
        return status;
    (*out)->device = device;
    (*out)->started = began;
    (*out)->symmetric = known->symmetric;
    (*out)->savable = known->savable;
    return known->symmetric ? check_symmetry(&fetched->csr, known, *out, err) : SPMV_OK;
}

void spmv_plan_profile_first(spmv_plan *plan, const char *name, double seconds)
{
    if (plan->build_steps == SPMV_MAX_STEPS)
        return;
    memmove(plan->build_step + 1, plan->build_step,
            (size_t)plan->build_steps * sizeof *plan->build_step);
    plan->build_step[0] = (spmv_step_time){name, seconds};
    plan->build_steps++;
}

spmv_status spmv_plan_end(const spmv_device *device, spmv_fetched *fetched, spmv_plan **out,
                          spmv_status status)
{
    spmv_plan *plan = out != NULL ? *out : NULL;
    const spmv_core *core = plan != NULL ? &plan->core : NULL;

    if (status == SPMV_OK && spmv_fetched_has_copies(fetched))
        spmv_plan_profile_first(plan, SPMV_FROM_DEVICE, fetched->seconds);
    spmv_fetched_free(fetched);
    if (status != SPMV_OK) {
        spmv_plan_destroy(plan);
        if (out != NULL)
            *out = NULL;
        return status;
    }
    plan->build_seconds = spmv_seconds_now() - plan->started;
    spmv_debug_print(device, "plan: %s for %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros: %s; "
                     "%" PRId32 " threads, %zu bytes of layout, %zu of workspace, %.3g s",
                     core->module->name, spmv_layout_y_count(&core->layout, core->module->ops),
                     spmv_layout_x_count(&core->layout, core->module->ops),
                     core->layout.csr.nnz, plan->reason, core->threads.count, core->layout_bytes,
                     core->layout.workspace_bytes,
                     plan->build_seconds);
    return SPMV_OK;
}
