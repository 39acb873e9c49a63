/* fake_cuda.c: the runtime of fake_cuda.h: one device with the host's memory, and one stream. */
#define _POSIX_C_SOURCE 200809L  /* pause */
#include "fake_cuda.h"

#include <cuda_profiler_api.h>

#include "bench/gpu/copy.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct piece {
    fake_work *work;
    unsigned char arguments[FAKE_ARGUMENTS];
} piece;

struct CUgraph_st {
    piece *item;
    size_t count;
};

struct CUevent_st {
    double microseconds;
    bool is_recorded;
};

struct CUstream_st {
    int unused;
};

enum { MAX_FRESH = 128 };

static struct {
    double microseconds;         /* the clock */
    cudaGraph_t captured;        /* NULL: no capture */
    bool is_invalid;             /* the capture failed */
    bool is_broken;
    int count;                   /* objects that are not freed */
    int multiplications, profiled_from;
    bool tells;                  /* reports them at exit */
    const void *fresh[MAX_FRESH];        /* arrays written by the host since they were computed */
    const void *last_y;
} fake;

/* ---- what the tests ask for ---------------------------------------------------------------- */

bool fake_asks(const char *word, const char *name)
{
    const char *at = getenv("FAKE_CUDA");
    char wanted[128];

    snprintf(wanted, sizeof wanted, "%s%s%s", word, name ? "-" : "", name ? name : "");
    for (; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == strlen(wanted) && strncmp(at, wanted, strlen(wanted)) == 0)
            return true;
    return false;
}

static void tell(void)
{
    fprintf(stderr, "fake: %d objects are left\nfake: %.2f s on the device\n", fake.count,
            fake.microseconds * 1e-6);
}

void fake_count(int change)
{
    fake.count += change;
    if (!fake.tells)
        atexit(tell);
    fake.tells = true;
}

bool fake_is_broken(void)
{
    return fake.is_broken;
}

void fake_break(void)
{
    fake.is_broken = true;
}

/* A call that waits or allocates makes a capture fail. */
static cudaError_t outside(void)
{
    if (!fake.captured)
        return fake.is_broken ? cudaErrorIllegalAddress : cudaSuccess;
    fake.is_invalid = true;
    return cudaErrorStreamCaptureUnsupported;
}

/* ---- work ---------------------------------------------------------------------------------- */

static void append(cudaGraph_t graph, const piece *item)
{
    graph->item = realloc(graph->item, (graph->count + 1) * sizeof *item);
    if (!graph->item)
        abort();
    graph->item[graph->count++] = *item;
}

void fake_submit(fake_work *work, const void *arguments, size_t bytes)
{
    piece item = { .work = work };

    if (bytes > sizeof item.arguments)
        abort();
    memcpy(item.arguments, arguments, bytes);
    if (fake.captured)
        append(fake.captured, &item);
    else
        work(item.arguments);
}

static void freshen(const void *memory)
{
    for (size_t i = 0; i < MAX_FRESH; i++)
        if (!fake.fresh[i] || fake.fresh[i] == memory) {
            fake.fresh[i] = memory;
            return;
        }
    abort();
}

bool fake_multiply(const void *y, int microseconds)
{
    bool is_fresh = false;

    fake.microseconds += microseconds + (y != fake.last_y ? FAKE_COLD_US : 0);
    fake.multiplications++;
    fake.last_y = y;
    for (size_t i = 0; i < MAX_FRESH; i++)
        if (fake.fresh[i] == y) {
            fake.fresh[i] = NULL;
            is_fresh = true;
        }
    return is_fresh;
}

int fake_microseconds(const char *name, int usual)
{
    static int late;
    const char *every = getenv("FAKE_US");

    late += fake_asks("hangs-late", name);
    while (fake_asks("hangs", name) || late == 2000)
        if (alarm(0) == 0 || raise(SIGALRM) != 0)
            pause();
    return fake_asks("slow", name) ? FAKE_SLOW_US : every ? atoi(every) : usual;
}

/* ---- the device ---------------------------------------------------------------------------- */

cudaError_t cudaSetDevice(int device)
{
    if (fake_asks("old-driver", NULL))
        return cudaErrorInsufficientDriver;
    return device != 0 || fake_asks("no-device", NULL) ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = fake_asks("old-driver", NULL) ? 11080 : 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *facts, int device)
{
    (void)device;
    memset(facts, 0, sizeof *facts);
    snprintf(facts->name, sizeof facts->name, "Fake \"GPU\"");
    facts->major = 9;
    facts->multiProcessorCount = 132;
    facts->l2CacheSize = FAKE_L2_BYTES;
    facts->totalGlobalMem = (size_t)4 << 30;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    *all = (size_t)4 << 30;
    *free_bytes = FAKE_FREE_BYTES;
    return outside();
}

cudaError_t cudaDeviceSynchronize(void)
{
    return outside();
}

cudaError_t cudaGetLastError(void)
{
    return outside();
}

const char *cudaGetErrorName(cudaError_t code)
{
    return code == cudaSuccess ? "cudaSuccess" : "cudaErrorFake";
}

const char *cudaGetErrorString(cudaError_t code)
{
    return code == cudaErrorNoDevice ? "no CUDA-capable device is detected"
         : code == cudaErrorIllegalAddress ? "an illegal memory access was encountered"
         : code == cudaErrorStreamCaptureUnsupported ? "not permitted when stream is capturing"
                                                     : "a fault of the fake";
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The arrays of --bandwidth may be larger than the machine's memory. Memory beyond this size is not
 * allocated, and nothing reads it. */
static const size_t most_bytes = (size_t)256 << 20;

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    const cudaError_t code = outside();

    if (bytes >= (size_t)4 << 20 && fake_asks("no-memory", NULL))
        return cudaErrorMemoryAllocation;
    *memory = code ? NULL : malloc(bytes < most_bytes ? bytes : most_bytes);
    if (*memory)
        fake_count(1);
    return code ? code : *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
    if (memory)
        fake_count(-1);
    free(memory);
    return outside();
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    if (bytes <= most_bytes)
        memset(memory, value, bytes);
    return outside();
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return outside();
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    fake.microseconds += (double)FAKE_COPY_US;
    if (bytes <= most_bytes)
        memcpy(to, from, bytes);
    if (kind == cudaMemcpyHostToDevice)
        freshen(to);
    return outside();
}

/* The kernels of copy_kernel.cu. */
int gpu_copy_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                    cudaStream_t stream)
{
    (void)multiprocessors;
    return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

int gpu_read_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                    cudaStream_t stream)
{
    (void)from, (void)to, (void)bytes, (void)multiprocessors, (void)stream;
    fake.microseconds += (double)FAKE_READ_US;
    return (int)outside();
}

/* ---- streams and events -------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    fake_count(1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    fake_count(-1);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return outside();
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = calloc(1, sizeof **event);
    fake_count(1);
    return outside();
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    fake_count(-1);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    event->microseconds = fake.microseconds;
    event->is_recorded = true;
    return outside();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return event->is_recorded ? outside() : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    *milliseconds = (float)(1e-3 * (end->microseconds - begin->microseconds));
    return begin->is_recorded && end->is_recorded ? outside() : cudaErrorInvalidResourceHandle;
}

/* ---- graphs -------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = calloc(1, sizeof **graph);
    fake_count(1);
    return fake.is_broken ? cudaErrorIllegalAddress : cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    free(graph->item);
    free(graph);
    fake_count(-1);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)stream;
    (void)mode;
    if (fake_asks("no-capture", NULL))
        return cudaErrorStreamCaptureUnsupported;
    fake.is_invalid = false;
    return cudaGraphCreate(&fake.captured, 0);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    (void)stream;
    *graph = fake.captured;
    fake.captured = NULL;
    if (!fake.is_invalid)
        return cudaSuccess;
    cudaGraphDestroy(*graph);
    *graph = NULL;
    return cudaErrorStreamCaptureInvalidated;
}

/* Each child depends on the one before, so they run in their order. */
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *before, size_t before_count,
                                       cudaGraph_t child)
{
    if (before_count != (graph->count > 0) || (before_count > 0 && !*before))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < child->count; i++)
        append(graph, &child->item[i]);
    *node = (cudaGraphNode_t)(void *)graph;
    return outside();
}

static cudaGraph_t graph_of(cudaGraphExec_t executable)
{
    return (cudaGraph_t)(void *)executable;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    cudaGraph_t copy;

    (void)flags;
    cudaGraphCreate(&copy, 0);
    for (size_t i = 0; i < graph->count; i++)
        append(copy, &graph->item[i]);
    *executable = (cudaGraphExec_t)(void *)copy;
    return outside();
}

cudaError_t cudaProfilerStart(void)
{
    fake.profiled_from = fake.multiplications;
    return cudaSuccess;
}

/* Tells what a profiler would have seen. */
cudaError_t cudaProfilerStop(void)
{
    fprintf(stderr, "fake: profiled %d multiplication\n",
            fake.multiplications - fake.profiled_from);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    return cudaGraphDestroy(graph_of(executable));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    const cudaGraph_t graph = graph_of(executable);

    (void)stream;
    for (size_t i = 0; i < graph->count; i++)
        graph->item[i].work(graph->item[i].arguments);
    return outside();
}
