/* create.c: creating and destroying a matrix of a bundle. */
#include "runtime/base/error.h"
#include "runtime/bundle/arguments.h"
#include "runtime/core/start.h"
#include "runtime/core/trial.h"
#include "runtime/library/devices/device.h"

enum { MODULE_COUNT = sizeof spmv_modules / sizeof spmv_modules[0] - 1 };

/* Lists the bundle's modules, the usable ones first. entry has MODULE_COUNT elements. */
static spmv_device list_modules(spmv_module_entry *entry)
{
    spmv_device device = {{entry, 0, 0}};

    for (int usable = 1; usable >= 0; usable--) {
        for (size_t i = 0; i < MODULE_COUNT; i++)
            if ((spmv_modules[i]->usable() != 0) == usable) {
                entry[device.modules.count].module = spmv_modules[i];
                entry[device.modules.count].state = usable ? SPMV_MODULE_USABLE
                                                           : SPMV_MODULE_LACKS_CPU;
                device.modules.count++;
            }
        if (usable)
            device.modules.usable_count = device.modules.count;
    }
    return device;
}

static spmv_status create_plan(const spmv_csr *csr, const spmv_options *known,
                               spmv_plan **plan, spmv_error *error)
{
    spmv_module_entry entry[MODULE_COUNT];
    const spmv_device device = list_modules(entry);
    const spmv_request request = {csr, known->method, known->target, NULL, NULL,
                                  known->expected_runs};
    spmv_error fault;
    spmv_status status = spmv_plan_start(csr, known, plan, error);

    if (status != SPMV_OK)
        return status;
    fault.status = SPMV_OK;
    status = spmv_trial_build_fitting(&device, &request, known, plan, &fault);
    if (status == SPMV_OK) {
        spmv_candidates_destroy(&(*plan)->candidates);
        return SPMV_OK;
    }
    spmv_plan_destroy(*plan);
    *plan = NULL;
    if (error != NULL)
        *error = fault;
    return status;
}

spmv_matrix *spmv_bundle_create(const char *function, const spmv_csr *csr, spmv_status status,
                                const spmv_matrix_options *options, spmv_error *error)
{
    spmv_plan *plan = NULL;
    spmv_options known;

    if (status == SPMV_OK)
        status = spmv_options_of(options, &known, error);
    if (status == SPMV_OK)
        status = create_plan(csr, &known, &plan, error);
    (void)spmv_error_within(error, function, status);
    return (spmv_matrix *)plan;
}

void spmv_matrix_destroy(spmv_matrix *matrix)
{
    spmv_plan_destroy((spmv_plan *)matrix);
}
