/* create.c: creating and destroying a matrix of a bundle. */
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/bundle/arguments.h"
#include "runtime/bundle/matrix.h"
#include "runtime/core/build.h"
#include "runtime/core/shell.h"
#include "runtime/core/storage.h"

#include <string.h>

enum { MODULE_COUNT = sizeof spmv_modules / sizeof spmv_modules[0] - 1 };

#if SPMV_BUNDLE_DEVICE

void *spmv_plan_alloc(const spmv_core *plan, size_t bytes)
{
    void *memory;

    return spmv_backend_alloc(spmv_bundle_backend, spmv_matrix_of(plan)->device, plan->module,
                              bytes, &memory) == SPMV_OK ? memory : NULL;
}

void spmv_plan_release(const spmv_core *plan, void *memory)
{
    spmv_backend_free(spmv_bundle_backend, spmv_matrix_of(plan)->device, memory);
}

spmv_status spmv_plan_fill(const spmv_request *request, spmv_core *plan, spmv_error *err)
{
    spmv_matrix *matrix = spmv_matrix_of(plan);
    const spmv_status status = spmv_core_build(plan, request->copy, err);

    matrix->state = NULL;
    return status != SPMV_OK ? status
                             : spmv_bundle_backend->plan_create(matrix->device, plan->module,
                                                                &plan->layout, &plan->threads,
                                                                &matrix->state, err);
}

spmv_status spmv_plan_send_values(const spmv_core *plan, spmv_error *err)
{
    return spmv_bundle_backend->take_values(spmv_matrix_of(plan)->state, err);
}

#endif

/* Lists the bundle's modules, the usable ones first. */
static void list_modules(const spmv_matrix *matrix, spmv_module_list *modules)
{
    (void)matrix;
    for (int usable = 1; usable >= 0; usable--) {
        for (size_t i = 0; i < MODULE_COUNT; i++) {
            spmv_module_entry *entry = &modules->entry[modules->count];
#if SPMV_BUNDLE_DEVICE
            spmv_text why = spmv_text_begin(entry->why, sizeof entry->why);
#endif

            entry->module = spmv_modules[i];
            entry->state = entry->module->usable() ? SPMV_MODULE_USABLE : SPMV_MODULE_LACKS_CPU;
#if SPMV_BUNDLE_DEVICE
            if (entry->state == SPMV_MODULE_USABLE &&
                spmv_bundle_backend->refuses(matrix->device, entry->module, &why))
                entry->state = SPMV_MODULE_OTHER_DEVICE;
#endif
            if ((entry->state == SPMV_MODULE_USABLE) == usable)
                modules->count++;
        }
        if (usable)
            modules->usable_count = modules->count;
    }
}

/* Fills a matrix of zeros. */
static spmv_status fill_matrix(spmv_matrix *matrix, void *queue, const spmv_csr *csr,
                               const spmv_matrix_options *known, spmv_error *error)
{
    spmv_threads *threads = &matrix->plan.threads;
    spmv_module_entry entry[MODULE_COUNT + 1];
    spmv_module_list modules = {entry, 0, 0};
    spmv_request request;
    spmv_choice choice;
    spmv_error fault;
    spmv_status status;

    *threads = spmv_threads_wanted(known->threads, known->parallel_for,
                                   known->parallel_for_context);
    status = spmv_bundle_check(csr, known->full_check, threads, error);
    if (status != SPMV_OK)
        return status;
    if (known->threads == 0)
        threads->count = spmv_useful_threads(csr, threads->count);
#if SPMV_BUNDLE_DEVICE
    status = spmv_backend_open(spmv_bundle_backend, NULL, queue, &matrix->device, error);
    if (status != SPMV_OK)
        return status;
#else
    (void)queue;
#endif
    list_modules(matrix, &modules);
    memset(&request, 0, sizeof request);
    request.modules = &modules;
    request.csr = csr;
    request.form[0].csr = csr;
    request.method = known->method;
    request.target = known->target;
    request.runs = known->expected_runs;
    request.copy = known->copy;
    fault.status = SPMV_OK;
    status = spmv_plan_build(&request, &matrix->plan, &choice, &fault);
    spmv_candidates_destroy(&choice.candidates);
    if (status == SPMV_OK)
        memcpy(matrix->reason, choice.reason, sizeof matrix->reason);
    else if (error != NULL)
        *error = fault;
    return status;
}

spmv_matrix *spmv_bundle_create(const char *function, void *queue, const spmv_csr *csr,
                                spmv_status status, const spmv_matrix_options *options,
                                spmv_error *error)
{
    spmv_matrix *matrix = NULL;
    spmv_matrix_options known;

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
#if SPMV_BUNDLE_DEVICE
    if (matrix->state != NULL)
        spmv_bundle_backend->plan_destroy(matrix->state);
#endif
    spmv_core_clear(&matrix->plan);
#if SPMV_BUNDLE_DEVICE
    if (matrix->device != NULL)
        spmv_backend_close(spmv_bundle_backend, matrix->device);
#endif
    spmv_memory_free(matrix);
}
