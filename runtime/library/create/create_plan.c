/* create_plan.c: spmv_plan_create. Its plan is of the module that the options name, else of the
 * cheapest that fits into memory or, with options.measure, of the fastest. */
#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/core/build.h"
#include "runtime/library/create/begin.h"
#include "runtime/library/create/choice_text.h"
#include "runtime/library/create/conversions.h"
#include "runtime/library/create/measure.h"
#include "runtime/library/devices/device_debug.h"

#include <string.h>

static void print_candidates(const spmv_plan *plan)
{
    for (size_t i = 0; i < plan->candidates.count; i++) {
        const spmv_candidate_entry *entry = &plan->candidates.entry[i];

        if (entry->why_not == SPMV_NOT_LEFT_OUT)
            spmv_debug_print(plan->device, "  %s: cost %.4g, and %.4g to build",
                             entry->module->name, entry->cost, entry->build_cost);
        else
            spmv_debug_print(plan->device, "  %s: %s", entry->module->name, entry->why_not_text);
    }
}

/* Whether the module that options.choice names is of the types of the matrix. */
static spmv_status check_named(const spmv_module *module, const spmv_csr *csr, spmv_error *err)
{
    if (module->value_type == csr->value_type && module->offset_type == csr->offset_type)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_STALE,
                          "options.choice is of %.64s, for %s values and %s row pointers; the "
                          "matrix has %s and %s", module->name,
                          spmv_value_name(module->value_type),
                          spmv_offset_name(module->offset_type), spmv_value_name(csr->value_type),
                          spmv_offset_name(csr->offset_type));
}

/* Fills the request from the options. */
static spmv_status read_request(const spmv_device *device, const spmv_csr *csr,
                                const spmv_plan_options *known, spmv_request *request,
                                spmv_error *err)
{
    *request = (spmv_request){
        .modules = &device->modules, .csr = csr, .method = known->method, .target = known->target,
        .settings = known->settings, .runs = known->expected_runs, .copy = known->copy,
        .allows = (known->transposed ? SPMV_CAN_TRANSPOSE : 0) |
                  (known->symmetric ? SPMV_CAN_MIRROR : 0),
    };
    if (device->modules.count == 0 && known->choice == NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the device has no modules; link emitted ones in, or add them with "
                              "spmv_device_add_modules or spmv_device_load_modules");
    if (device->target == NULL)
        return SPMV_OK;
    if (known->target != NULL && strcmp(known->target, device->target) != 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "options.target is '%.64s', but the device's "
                              "only target is '%.64s' (by %s)", known->target, device->target,
                              device->target_origin);
    request->target = device->target;
    request->target_by = known->target == NULL ? device->target_origin : NULL;
    return SPMV_OK;
}

/* Builds the plan that the request describes, of this module, if it is not NULL. */
static spmv_status build_best(const spmv_request *request, const spmv_module *module, int measure,
                              spmv_plan **plan, spmv_error *fault)
{
    spmv_core *core = &(*plan)->core;
    spmv_choice choice;
    spmv_status status;

    if (module != NULL && (status = check_named(module, request->csr, fault)) != SPMV_OK)
        return status;
    status = module != NULL ? spmv_plan_build_named(request, module, core, &choice, fault)
                            : spmv_plan_build(request, core, &choice, fault);
    (*plan)->candidates = choice.candidates;
    print_candidates(*plan);
    if (status != SPMV_OK)
        return status;
    memcpy((*plan)->reason, choice.reason, sizeof (*plan)->reason);
    return measure ? spmv_plan_measure(request, plan, fault) : SPMV_OK;
}

static spmv_status build_plan(const spmv_device *device, const spmv_csr *csr,
                              const spmv_plan_options *known, spmv_plan **plan, spmv_error *err)
{
    spmv_error fault = {SPMV_OK, ""}, unmade = {SPMV_OK, ""};
    spmv_named_choice named = {NULL, ""};
    spmv_conversions made;
    spmv_request request;
    spmv_status status;

    if ((status = read_request(device, csr, known, &request, err)) != SPMV_OK)
        return status;
    if (known->choice != NULL) {
        if ((status = spmv_choice_read(device, known, &named, err)) != SPMV_OK)
            return status;
        request.settings = named.settings;
    }
    (*plan)->making = &made;
    status = spmv_conversions_make(&request, named.module, known, 1, &(*plan)->core.threads, &made,
                                   &unmade);
    if (status != SPMV_OK)
        fault = unmade;
    else if ((status = build_best(&request, named.module, known->measure, plan, &fault)) ==
             SPMV_OK)
        status = spmv_plan_keep(*plan, &request, &made, &fault);
    spmv_conversions_free(&made);
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
