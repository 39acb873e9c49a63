/* kernels.c: see kernels.h. */
#include "bench/tune/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "common/fail.h"

/* Whether each variant has a result, so that none was left undone. */
static bool is_whole(const bench_sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->variant[i].state < BENCH_VARIANT_BUILT)
            return false;
    return sweep->count > 0;
}

static bench_kernel_batch *add_batch(bench_kernels *kernels)
{
    bench_kernel_batch **more = realloc(kernels->batch, (kernels->count + 1) * sizeof *more);
    bench_kernel_batch *batch = calloc(1, sizeof *batch);

    if (more)
        kernels->batch = more;
    if (!more || !batch) {
        free(batch);
        return NULL;
    }
    return kernels->batch[kernels->count++] = batch;
}

bench_sweep_status bench_kernels_add(bench_kernels *kernels, const char *const *set, size_t count,
                                     spmv_error *error)
{
    bench_kernel_batch *batch = add_batch(kernels);
    bench_sweep_item *item = calloc(count + 1, sizeof *item);

    if (!batch || !item) {
        free(item);
        sg_fail(error, "out of memory");
        return BENCH_SWEEP_FAILED;
    }
    for (size_t i = 0; i < count; i++)
        item[i] = (bench_sweep_item){ kernels->method, kernels->type, set[i] };
    const bench_sweep_request request = { .target = kernels->target, .type = kernels->type,
                                          .item = item, .item_count = count };
    bench_sweep_status status = bench_sweep_create(&request, &batch->sweep, error);
    if (status != BENCH_SWEEP_DONE && status != BENCH_SWEEP_INTERRUPTED && is_whole(&batch->sweep))
        status = BENCH_SWEEP_DONE;       /* no combination can race */
    if (status == BENCH_SWEEP_DONE &&
        bench_devices_open(kernels->options, &batch->sweep, &batch->devices, error))
        status = BENCH_SWEEP_FAILED;
    bench_sweep_clean(&batch->sweep);
    if (status == BENCH_SWEEP_DONE)
        bench_sweep_print(&batch->sweep, stdout);
    free(item);
    return status;
}

void bench_kernels_free(bench_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++) {
        bench_devices_close(&kernels->batch[i]->devices);
        bench_sweep_destroy(&kernels->batch[i]->sweep);
        free(kernels->batch[i]);
    }
    free(kernels->batch);
    kernels->batch = NULL;
    kernels->count = 0;
}

bool bench_kernels_can_race(const bench_kernels *kernels)
{
    for (size_t b = 0; b < kernels->count; b++) {
        const bench_devices *devices = &kernels->batch[b]->devices;
        const size_t count = bench_devices_module_count(devices);
        for (size_t i = 0; i < count; i++)
            if (bench_devices_module(devices, i).variant)
                return true;
    }
    return false;
}

/* Whether the device's module is that of the values, for the types of a matrix. */
static bool fits(const bench_candidate *c, const char *set, const spmv_csr *csr)
{
    return c->variant && strcmp(c->variant->set, set) == 0 &&
           strcmp(c->module->method, c->variant->method) == 0 &&
           c->module->value_type == csr->value_type && c->module->offset_type == csr->offset_type;
}

bool bench_kernels_find(const bench_kernels *kernels, const char *set, const spmv_csr *csr,
                        bench_candidate *out)
{
    for (size_t b = 0; b < kernels->count; b++) {
        const bench_devices *devices = &kernels->batch[b]->devices;
        const size_t count = bench_devices_module_count(devices);
        for (size_t i = 0; i < count; i++) {
            *out = bench_devices_module(devices, i);
            if (fits(out, set, csr))
                return true;
        }
    }
    return false;
}
