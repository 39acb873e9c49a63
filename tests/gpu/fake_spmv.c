/* fake_spmv.c: libspmv's CUDA device of fake_cuda.h: modules of the CPU on the host's memory. The
 * linker replaces libspmv's functions by these (--wrap). FAKE_CUDA=no-spmv: there is no such
 * device. */
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"
#include "runtime/spmv.h"

spmv_status __wrap_spmv_enqueue(const spmv_plan *plan, double alpha, void *x, double beta, void *y,
                                const spmv_enqueue_options *options);
spmv_status __real_spmv_device_open(const spmv_device_options *options, spmv_device **out,
                                    spmv_error *err);
spmv_status __wrap_spmv_device_open(const spmv_device_options *options, spmv_device **out,
                                    spmv_error *err);

spmv_status __wrap_spmv_device_open(const spmv_device_options *options, spmv_device **out,
                                    spmv_error *err)
{
    spmv_device_options cpu = { .struct_size = sizeof cpu, .device = "cpu",
                                .target = options->target };

    if (!fake_asks("no-spmv", NULL) && strcmp(options->device, "cuda") == 0 && options->queue)
        return __real_spmv_device_open(&cpu, out, err);
    strcpy(err->text, "spmv_device_open: libcuda.so.1 is not there");
    return SPMV_UNSUPPORTED;
}

typedef struct product {
    const spmv_plan *plan;
    double alpha, beta;
    const void *x;
    void *y;
    bool is_wrong;
    int microseconds;
} product;

static void multiply(const void *arguments)
{
    const product *p = arguments;

    if (!fake_multiply(p->y, p->microseconds) || fake_is_broken())
        return;
    if (spmv_execute(p->plan, p->alpha, p->x, p->beta, p->y, NULL) != SPMV_OK)
        abort();
    if (p->is_wrong)
        memset(p->y, 0xff, 8);   /* NaN */
}

spmv_status __wrap_spmv_enqueue(const spmv_plan *plan, double alpha, void *x, double beta, void *y,
                                const spmv_enqueue_options *options)
{
    spmv_plan_info info = { .struct_size = sizeof info };

    if (spmv_plan_query(plan, &info) != SPMV_OK || options->queue == NULL)
        return SPMV_INVALID_ARGUMENT;
    const product p = { plan, alpha, beta, x, y, fake_asks("wrong", info.module->method),
                        fake_microseconds(info.module->method, FAKE_SPMV_US) };
    if (fake_asks("broken", info.module->method))
        fake_break();
    fake_submit(multiply, &p, sizeof p);
    return SPMV_OK;
}
