/* copy.c: see copy.h. */
#include "bench/gpu/copy.h"

#include "bench/race/timing.h"
#include "common/fail.h"

enum { SAMPLES = 25, WARM_UP = 3 };

static const size_t most_bytes = (size_t)2 << 30, least_bytes = (size_t)64 << 20;

typedef bool copier(const gpu_device *device, const void *from, void *to, size_t bytes,
                    spmv_error *error);

static bool by_runtime(const gpu_device *device, const void *from, void *to, size_t bytes,
                       spmv_error *error)
{
    return GPU_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device->stream),
                   error);
}

#ifdef HAVE_COPY_KERNEL
static bool by_kernel(const gpu_device *device, const void *from, void *to, size_t bytes,
                      spmv_error *error)
{
    return gpu_check((cudaError_t)gpu_copy_kernel(from, to, bytes, device->multiprocessors,
                                                  device->stream), "the copying kernel", error);
}

static bool by_reading(const gpu_device *device, const void *from, void *to, size_t bytes,
                       spmv_error *error)
{
    return gpu_check((cudaError_t)gpu_read_kernel(from, to, bytes, device->multiprocessors,
                                                  device->stream), "the reading kernel", error);
}
#endif

static const struct {
    const char *how;
    copier *copy;
    bool writes;                 /* false: it only reads */
} copiers[] = {
    { "cudaMemcpyAsync", by_runtime, true },
#ifdef HAVE_COPY_KERNEL
    { "kernel of 16-byte loads", by_kernel, true },
    { "kernel of 16-byte loads", by_reading, false },
#endif
};
enum { COPIERS = sizeof copiers / sizeof copiers[0] };
_Static_assert((int)COPIERS <= (int)GPU_COPY_METHODS + 1,
               "room for all copiers; the last only reads");

typedef struct copying {
    void *from, *to;
    cudaEvent_t begin, end;
} copying;

static bool time_copy(const gpu_device *device, const copying *c, copier *copy, size_t bytes,
                      double *seconds, spmv_error *error)
{
    float milliseconds = 0;
    const bool good = GPU_TRY(cudaEventRecord(c->begin, device->stream), error) &&
                      copy(device, c->from, c->to, bytes, error) &&
                      GPU_TRY(cudaEventRecord(c->end, device->stream), error) &&
                      GPU_TRY(cudaEventSynchronize(c->end), error) &&
                      GPU_TRY(cudaEventElapsedTime(&milliseconds, c->begin, c->end), error);

    *seconds = 1e-3 * (double)milliseconds;
    return good;
}

/* The copiers take turns, as the contenders of a race do. */
static bool measure(const gpu_device *device, const copying *c, gpu_bandwidth *out,
                    spmv_error *error)
{
    double sample[COPIERS][SAMPLES];

    for (int i = -WARM_UP; i < SAMPLES; i++)
        for (int w = 0; w < COPIERS; w++) {
            double seconds;
            if (!time_copy(device, c, copiers[w].copy, out->bytes, &seconds, error))
                return false;
            if (i >= 0)
                sample[w][i] = seconds;
        }
    out->samples = SAMPLES;
    for (int w = 0; w < COPIERS; w++) {
        const double moved = (copiers[w].writes ? 2 : 1) * (double)out->bytes;
        const double median = bench_median(sample[w], SAMPLES);
        const gpu_copy_rate rate = { copiers[w].how, moved / median, moved / sample[w][0] };
        if (!copiers[w].writes) {
            out->read = rate;
            continue;
        }
        out->copy[w] = rate;
        if (!out->fastest || out->copy[w].rate > out->fastest->rate)
            out->fastest = &out->copy[w];
    }
    return true;
}

bool gpu_bandwidth_measure(const gpu_device *device, gpu_bandwidth *out, spmv_error *error)
{
    const size_t share = gpu_free_bytes() / 3;
    copying c = { NULL, NULL, NULL, NULL };

    *out = (gpu_bandwidth){ .bytes = share < most_bytes ? share / 256 * 256 : most_bytes };
    if (out->bytes < least_bytes)
        return sg_fail(error, "a third of the GPU's free memory is %zu MB; a copy needs %zu MB at "
                       "the least", share >> 20, least_bytes >> 20);
    const bool good = GPU_TRY(cudaMalloc(&c.from, out->bytes), error) &&
                      GPU_TRY(cudaMalloc(&c.to, out->bytes), error) &&
                      GPU_TRY(cudaMemset(c.from, 0x3c, out->bytes), error) &&
                      GPU_TRY(cudaDeviceSynchronize(), error) &&
                      GPU_TRY(cudaEventCreate(&c.begin), error) &&
                      GPU_TRY(cudaEventCreate(&c.end), error) &&
                      measure(device, &c, out, error);
    if (c.begin)
        cudaEventDestroy(c.begin);
    if (c.end)
        cudaEventDestroy(c.end);
    cudaFree(c.from);
    cudaFree(c.to);
    return good;
}
