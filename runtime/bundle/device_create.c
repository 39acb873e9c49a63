/* device_create.c: creating and destroying a matrix whose kernels run on a device. */
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/bundle/arguments.h"
#include "runtime/bundle/matrix.h"
#include "runtime/core/start.h"
#include "runtime/core/trial.h"

enum { MODULE_COUNT = sizeof spmv_modules / sizeof spmv_modules[0] - 1 };

/* Adds a module to the list, if that agrees with `usable`. */
static void list_module(spmv_device *device, const spmv_module *module, int usable)
{
    spmv_module_entry *entry = &device->modules.entry[device->modules.count];
    spmv_text why = spmv_text_begin(entry->why, sizeof entry->why);

    entry->module = module;
    entry->state = !module->usable() ? SPMV_MODULE_LACKS_CPU
                   : device->filter.backend->refuses(device->filter.backend_state, module, &why)
                         ? SPMV_MODULE_OTHER_DEVICE : SPMV_MODULE_USABLE;
    if ((entry->state == SPMV_MODULE_USABLE) == usable)
        device->modules.count++;
}

/* Lists the bundle's modules, the usable ones first. */
static spmv_status list_modules(spmv_device *device, spmv_error *error)
{
    device->modules.entry = (spmv_module_entry *)spmv_memory_alloc_zeroed(
        (MODULE_COUNT + 1) * sizeof *device->modules.entry);
    if (device->modules.entry == NULL)
        return spmv_error_set(error, SPMV_OUT_OF_MEMORY, "no memory for the list of kernels");
    for (int usable = 1; usable >= 0; usable--) {
        for (size_t i = 0; i < MODULE_COUNT; i++)
            list_module(device, spmv_modules[i], usable);
        if (usable)
            device->modules.usable_count = device->modules.count;
    }
    return SPMV_OK;
}

static spmv_status fill_matrix(spmv_matrix *matrix, void *queue, const spmv_csr *csr,
                               const spmv_options *known, spmv_error *error)
{
    spmv_device *device = &matrix->device;
    const spmv_request request = {csr, known->method, known->target, NULL, NULL,
                                  known->expected_runs};
    spmv_error fault;
    spmv_status status;

    device->filter.backend = spmv_bundle_backend;
    if ((status = spmv_backend_open(spmv_bundle_backend, NULL, queue,
                                    &device->filter.backend_state, error)) != SPMV_OK ||
        (status = list_modules(device, error)) != SPMV_OK ||
        (status = spmv_plan_start(csr, known, &matrix->plan, error)) != SPMV_OK)
        return status;
    matrix->plan->device = device;
    fault.status = SPMV_OK;
    status = spmv_trial_build_fitting(device, &request, known, &matrix->plan, &fault);
    if (status == SPMV_OK)
        spmv_candidates_destroy(&matrix->plan->candidates);
    else if (error != NULL)
        *error = fault;
    return status;
}

/* `function` is the public one, for error texts. */
static spmv_matrix *create_matrix(const char *function, void *queue, const spmv_csr *csr,
                                  spmv_status status, const spmv_matrix_options *options,
                                  spmv_error *error)
{
    spmv_matrix *matrix = NULL;
    spmv_options known;

    if (status == SPMV_OK)
        status = spmv_options_of(options, &known, error);
    if (status == SPMV_OK &&
        (matrix = (spmv_matrix *)spmv_memory_alloc_zeroed(sizeof *matrix)) == NULL)
        status = spmv_error_set(error, SPMV_OUT_OF_MEMORY, "no memory for the matrix");
    if (status == SPMV_OK)
        status = fill_matrix(matrix, queue, csr, &known, error);
    if (status == SPMV_OK)
        return matrix;
    (void)spmv_error_within(error, function, status);
    spmv_matrix_destroy(matrix);
    return NULL;
}

void spmv_matrix_destroy(spmv_matrix *matrix)
{
    if (matrix == NULL)
        return;
    spmv_plan_destroy(matrix->plan);
    if (matrix->device.filter.backend_state != NULL)
        spmv_backend_close(spmv_bundle_backend, matrix->device.filter.backend_state);
    spmv_memory_free(matrix->device.modules.entry);
    spmv_memory_free(matrix);
}
