/* begin.c: the first and the last stage of a plan of libspmv: see build.h. */
#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/options.h"
#include "runtime/core/build.h"
#include "runtime/core/start.h"
#include "runtime/core/stored.h"
#include "runtime/device/step_times.h"
#include "runtime/library/devices/device_debug.h"
#include "runtime/library/matrix/symmetry.h"

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
                              spmv_stored_name(csr->value_type));
    return spmv_symmetry_check(csr, known->symmetric, &plan->threads, err);
}

spmv_status spmv_plan_begin(const spmv_device *device, const spmv_csr *csr,
                            const spmv_plan_options *options, spmv_plan_options *known,
                            spmv_fetched *fetched, spmv_plan **out, spmv_error *err)
{
    const double start = spmv_seconds_now();
    spmv_status status;

    memset(fetched, 0, sizeof *fetched);
    if (out == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    if (device == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "device is NULL; open one with spmv_device_open");
    if ((status = read_options(options, known, err)) != SPMV_OK ||
        (status = spmv_plan_options_check(known, err)) != SPMV_OK)
        return status;
    spmv_team_retry();
    if ((status = fetch(device, csr, known, fetched, err)) != SPMV_OK ||
        (status = spmv_plan_start(csr != NULL ? &fetched->csr : NULL, known, out, err)) !=
            SPMV_OK)
        return status;
    (*out)->device = device;
    (*out)->started = start;
    (*out)->symmetric = known->symmetric;
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
                     plan->module->name, spmv_layout_y_count(&plan->layout, plan->module->ops),
                     spmv_layout_x_count(&plan->layout, plan->module->ops),
                     plan->layout.csr.nnz, plan->reason,
                     plan->threads.count, plan->layout_bytes, plan->layout.workspace_bytes,
                     plan->build_seconds);
    return SPMV_OK;
}
