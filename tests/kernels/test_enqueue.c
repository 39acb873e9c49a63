/* test_enqueue.c: tests programs on a real OpenCL device, in the caller's context and queues.
 *
 *     test_enqueue TARGET
 *
 * For each method of the target that is linked in, spmv_enqueue computes z = A*x/2 + 2*z, then z2
 * = A*z, on buffers; only an event orders the second after the first. Both must have the bits of
 * spmv_execute, on an in-order queue, on an out-of-order queue, and between two queues. SKIP
 * without OpenCL, or without a device for the target. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "runtime/device/opencl/api.h"
#include "runtime/spmv.h"
#include "tests/tap.h"

enum { SIZE = 700, BYTES = SIZE * (int)sizeof(double), MOST_DEVICES = 16 };

/* ---- OpenCL, as in an application ---------------------------------------------------------- */

static spmv_opencl_api cl;

static bool open_library(void)
{
    const char *name = getenv("SPMV_OPENCL_LIBRARY");
    bool complete = true;

    cl.library = dlopen(name && name[0] ? name : "libOpenCL.so.1", RTLD_NOW);
    if (!cl.library)
        return false;
#define FIND(result, name, parameters)                                                             \
    *(void **)&cl.name = dlsym(cl.library, "cl" #name);                                            \
    complete = complete && cl.name != NULL;
    OCL_OPENING_FUNCTIONS(FIND)
    OCL_FUNCTIONS(FIND)
#undef FIND
    return complete;
}

/* The contexts and queues of one device. */
typedef struct application {
    spmv_opencl_context context;
    spmv_opencl_queue queue, second;
    spmv_opencl_memory x, z, z2;
} application;

static void close_application(application *a)
{
    spmv_opencl_memory buffer[] = { a->x, a->z, a->z2 };

    for (int i = 0; i < 3; i++)
        if (buffer[i])
            cl.ReleaseMemObject(buffer[i]);
    if (a->queue)
        cl.ReleaseCommandQueue(a->queue);
    if (a->second)
        cl.ReleaseCommandQueue(a->second);
    if (a->context)
        cl.ReleaseContext(a->context);
}

static bool open_application(spmv_opencl_device device, spmv_opencl_bits properties, application *a)
{
    *a = (application){ 0 };
    a->context = cl.CreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (a->context) {
        a->queue = cl.CreateCommandQueue(a->context, device, properties, NULL);
        a->second = cl.CreateCommandQueue(a->context, device, properties, NULL);
        a->x = cl.CreateBuffer(a->context, OCL_MEM_READ_WRITE, BYTES, NULL, NULL);
        a->z = cl.CreateBuffer(a->context, OCL_MEM_READ_WRITE, BYTES, NULL, NULL);
        a->z2 = cl.CreateBuffer(a->context, OCL_MEM_READ_WRITE, BYTES, NULL, NULL);
    }
    if (a->queue && a->second && a->x && a->z && a->z2)
        return true;
    close_application(a);
    return false;
}

/* ---- one chain ----------------------------------------------------------------------------- */

static double x[SIZE], before[SIZE];

/* z and z2 by spmv_execute. */
static bool expect(const spmv_plan *plan, double *z, double *z2)
{
    memcpy(z, before, BYTES);
    return !spmv_execute(plan, 0.5, x, 2, z, NULL) && !spmv_execute(plan, 1, z, 0, z2, NULL);
}

/* z and z2 by spmv_enqueue, z2 on the queue `second`. */
static bool chain(const application *a, const spmv_plan *plan, spmv_opencl_queue second, double *z,
                  double *z2)
{
    spmv_opencl_event written[2] = { NULL, NULL };
    spmv_opencl_event first = NULL, last = NULL;
    const spmv_enqueue_options after_data = { .struct_size = sizeof after_data, .wait_count = 2,
                                              .wait = written, .event = &first };
    const spmv_enqueue_options after_first = { .struct_size = sizeof after_first, .queue = second,
                                               .wait_count = 1, .wait = &first, .event = &last };
    const bool done =
        !cl.EnqueueWriteBuffer(a->queue, a->x, 0, 0, BYTES, x, 0, NULL, &written[0]) &&
        !cl.EnqueueWriteBuffer(a->queue, a->z, 0, 0, BYTES, before, 0, NULL, &written[1]) &&
        !spmv_enqueue(plan, 0.5, a->x, 2, a->z, &after_data) &&
        !spmv_enqueue(plan, 1, a->z, 0, a->z2, &after_first) &&
        !cl.EnqueueReadBuffer(second, a->z2, 1, 0, BYTES, z2, 1, &last, NULL) &&
        !cl.EnqueueReadBuffer(a->queue, a->z, 1, 0, BYTES, z, 1, &first, NULL);
    spmv_opencl_event event[] = { written[0], written[1], first, last };

    for (int i = 0; i < 4; i++)
        if (event[i])
            cl.ReleaseEvent(event[i]);
    return done;
}

static void test_module(const application *a, spmv_device *device, const spmv_csr *csr,
                        const spmv_module *module, const char *how)
{
    static double z[SIZE], z2[SIZE], expected_z[SIZE], expected_z2[SIZE];
    const spmv_plan_options options = { .struct_size = sizeof options, .method = module->method,
                                        .target = module->target };
    spmv_error err = { SPMV_OK, "" };
    spmv_plan *plan = NULL;

    if (spmv_plan_create(device, csr, &options, &plan, &err)) {
        ok(0, "%s, %s: a plan: %s", module->name, how, err.text);
        return;
    }
    ok(expect(plan, expected_z, expected_z2) && chain(a, plan, a->queue, z, z2) &&
       memcmp(z, expected_z, BYTES) == 0 && memcmp(z2, expected_z2, BYTES) == 0,
       "%s, %s: the bits of spmv_execute", module->name, how);
    ok(chain(a, plan, a->second, z, z2) && memcmp(z, expected_z, BYTES) == 0 &&
       memcmp(z2, expected_z2, BYTES) == 0, "%s, %s: and between two queues", module->name, how);
    spmv_plan_destroy(plan);
}

/* ---- devices ------------------------------------------------------------------------------- */

/* A matrix with empty rows, short rows, and two rows longer than most tiles. */
static bench_matrix *make_matrix(void)
{
    bench_random random = { 11 };
    bench_builder *builder = bench_builder_create(SIZE);
    bench_matrix *wide = NULL, *matrix = NULL;

    for (int64_t r = 0; builder && r < SIZE; r++) {
        const int64_t entries = r % 331 == 40 ? SIZE
                                : r % 7 == 3  ? 0 : bench_random_below(&random, 24);
        for (int64_t k = 0; k < entries; k++)
            bench_builder_add(builder, bench_random_below(&random, SIZE),
                              bench_random_unit(&random) - 0.5);
        bench_builder_end_row(builder);
    }
    if (builder && bench_builder_finish(builder, &wide) == SPMV_OK)
        bench_matrix_convert(&wide->csr, 0, SPMV_I32, SPMV_F64, &matrix);
    bench_matrix_destroy(wide);
    return matrix;
}

/* Tries the target's modules on one queue; false: the target is not for this device. */
static bool test_queue(spmv_opencl_device of, spmv_opencl_bits properties, const char *how,
                       const char *target,
                       const spmv_csr *csr)
{
    spmv_device_options options = { .struct_size = sizeof options, .target = target,
                                    .device = "opencl" };
    spmv_device *device = NULL;
    application a;
    bool fits = false;

    if (!open_application(of, properties, &a))
        return false;
    options.queue = a.queue;
    if (spmv_device_open(&options, &device, NULL) == SPMV_OK) {
        for (size_t i = 0; i < spmv_device_module_count(device); i++) {
            const spmv_module *module = spmv_device_module(device, i);
            if (module->value_type != SPMV_F64 || module->offset_type != SPMV_I32)
                continue;
            test_module(&a, device, csr, module, how);
            fits = true;
        }
        spmv_device_close(device);
    }
    close_application(&a);
    return fits;
}

static bool test_devices(const char *target, const spmv_csr *csr)
{
    spmv_opencl_platform platform[MOST_DEVICES];
    spmv_opencl_device device[MOST_DEVICES];
    spmv_opencl_uint platforms = 0, devices = 0;

    if (cl.GetPlatformIDs(MOST_DEVICES, platform, &platforms) != OCL_SUCCESS)
        return false;
    for (spmv_opencl_uint p = 0; p < platforms && p < MOST_DEVICES; p++) {
        if (cl.GetDeviceIDs(platform[p], OCL_DEVICE_TYPE_ALL, MOST_DEVICES, device, &devices) !=
            OCL_SUCCESS)
            continue;
        for (spmv_opencl_uint d = 0; d < devices && d < MOST_DEVICES; d++)
            if (test_queue(device[d], 0, "in order", target, csr))
                return test_queue(device[d], OCL_QUEUE_OUT_OF_ORDER, "out of order", target, csr);
    }
    return false;
}

int main(int argc, char **argv)
{
    bench_matrix *matrix = make_matrix();
    bench_random random = { 12 };

    bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, x, SIZE);
    bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, before, SIZE);
    if (argc != 2 || !matrix)
        ok(0, "test_enqueue TARGET; and memory");
    else if (!open_library())
        skip("no OpenCL library");
    else if (!test_devices(argv[1], &matrix->csr))
        skip("OpenCL has no device for the target %s", argv[1]);
    bench_matrix_destroy(matrix);
    return tap_done();
}
