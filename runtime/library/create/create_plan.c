/* create_plan.c: spmv_plan_create. Its plan is of the module that the options name, else of the
 * cheapest that fits into memory or, with options.measure, of the fastest. */
#include "runtime/base/error.h"
#include "runtime/core/build.h"
#include "runtime/core/trial.h"
#include "runtime/library/create/choice_text.h"
#include "runtime/library/create/measure.h"
#include "runtime/library/create/widened.h"
#include "runtime/library/update/transposed.h"

/* Builds the plan that the request describes. On error *plan is NULL, or is to be destroyed. */
static spmv_status build_best(const spmv_device *device, const spmv_request *request,
                              const spmv_plan_options *known, spmv_transpose *transpose,
                              spmv_widened *widened, spmv_plan **plan, spmv_error *fault)
{
    spmv_status status = spmv_trial_build_fitting(device, request, known, plan, fault);

    if (status == SPMV_OK && known->measure)
        status = spmv_plan_measure(device, request, known, plan, fault);
    if (status == SPMV_OK)
        status = spmv_plan_keep_transpose(*plan, transpose, fault);
    else if (*plan != NULL)
        (*plan)->transposed = transpose;
    else
        spmv_transpose_destroy(transpose);
    if (status == SPMV_OK)
        spmv_plan_keep_widened(*plan, widened);
    else if (*plan != NULL)
        (*plan)->widened = widened;
    else
        spmv_widened_destroy(widened);
    if (status == SPMV_OK) {
        spmv_plan_profile_transpose(*plan);
        spmv_plan_profile_widen(*plan);
    }
    return status;
}

static spmv_status build_plan(const spmv_device *device, const spmv_csr *csr,
                              const spmv_plan_options *known, spmv_plan **plan, spmv_error *err)
{
    spmv_request request = {
        .csr = csr, .method = known->method, .target = known->target, .settings = known->settings,
        .runs = known->expected_runs, .transposed = known->transposed,
        .symmetric = known->symmetric,
    };
    spmv_error fault = {SPMV_OK, ""}, no_transpose = {SPMV_OK, ""};
    spmv_transpose *transpose;
    spmv_widened *widened;
    spmv_named_choice named;
    spmv_status status;

    if (known->choice != NULL) {
        status = spmv_choice_read(device, known, &named, err);
        if (status != SPMV_OK)
            return status;
        request.module = named.module;
        request.settings = named.settings;
    }
    status = spmv_request_widen(&request, known, &(*plan)->threads, &widened, err);
    if (status != SPMV_OK)
        return status;
    status = spmv_request_transpose(device, &request, &(*plan)->threads, &transpose, &no_transpose);
    if (status == SPMV_OK) {
        status = build_best(device, &request, known, transpose, widened, plan, &fault);
    } else {
        spmv_widened_destroy(widened);
        fault = no_transpose;
    }
    if (status != SPMV_OK && err != NULL)
        *err = fault;
    return status;
}

spmv_status spmv_plan_create(spmv_device *device, const spmv_csr *csr,
                             const spmv_plan_options *options, spmv_plan **out, spmv_error *err)
{
    spmv_plan_options known;
    spmv_fetched fetched;
    spmv_status status = spmv_plan_begin(device, csr, options, &known, &fetched, out, err);

    if (status == SPMV_OK)
        status = build_plan(device, &fetched.csr, &known, out, err);
    return spmv_error_within(err, "spmv_plan_create",
                             spmv_plan_end(device, &fetched, out, status));
}
