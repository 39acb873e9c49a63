/* fake_cudart.cpp: see fake_cudart.h. One thread calls it. */
#include "tests/gpu/fake_cudart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cuda_runtime.h"
#include "tests/kernels/shim.h"

enum { MOST_AREAS = 4096, MOST_LOCAL_BYTES = 48 * 1024, WARP = 32 };

struct CUstream_st {
    int is_made;
};

struct CUevent_st {
    double time;
};

namespace {

struct area {
    char *memory;
    size_t bytes;                /* of the caller's; pages hold it */
    int is_managed;
};

area areas[MOST_AREAS];
int area_count;
bool is_busy;                    /* kernels were launched since the last cudaDeviceSynchronize */
long calls, uncapturable, launches, until_failure = -1;
size_t copied;
uint64_t seed = 1;
cudaError_t last = cudaSuccess;

bool has_managed()
{
    const char *kind = getenv("FAKE_CUDA");

    return !kind || strcmp(kind, "discrete") != 0;
}

size_t pages_of(size_t bytes)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));

    return (bytes + page - 1) / page * page;
}

/* Opens memory for a kernel or a copy, or closes what the host must not touch. */
void set_access(bool is_for_device)
{
    for (int i = 0; i < area_count; i++) {
        const bool is_open = is_for_device || (areas[i].is_managed && !is_busy);

        if (mprotect(areas[i].memory, pages_of(areas[i].bytes),
                     is_open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) {
            perror("fake_cudart: mprotect");
            exit(3);
        }
    }
}

int find_area(const void *memory)
{
    for (int i = 0; i < area_count; i++)
        if (memory >= areas[i].memory && memory < areas[i].memory + areas[i].bytes)
            return i;
    return -1;
}

cudaError_t done(cudaError_t code, bool is_capturable)
{
    calls++;
    uncapturable += !is_capturable;
    if (code != cudaSuccess)
        last = code;
    return code;
}

/* The area ends where its pages end, so that accesses behind it are faults; CUDA aligns to 256. */
cudaError_t allocate(void **memory, size_t bytes, int is_managed)
{
    if (until_failure >= 0 && until_failure-- == 0)
        return done(cudaErrorMemoryAllocation, false);
    if (bytes == 0 || area_count == MOST_AREAS)
        return done(cudaErrorInvalidValue, false);
    void *made = mmap(NULL, pages_of(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    if (made == MAP_FAILED)
        return done(cudaErrorMemoryAllocation, false);
    memset(made, 0xa9, pages_of(bytes));
    areas[area_count].memory = static_cast<char *>(made);
    areas[area_count].bytes = bytes;
    areas[area_count].is_managed = is_managed;
    area_count++;
    set_access(false);
    *memory = made;
    return done(cudaSuccess, false);
}

cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, bool is_capturable)
{
    const int i = find_area(kind == cudaMemcpyHostToDevice ? to : from);
    const char *device = static_cast<const char *>(kind == cudaMemcpyHostToDevice ? to : from);

    if (i < 0 || device + bytes > areas[i].memory + areas[i].bytes)
        return done(cudaErrorInvalidValue, is_capturable);
    set_access(true);
    memcpy(to, from, bytes);
    set_access(false);
    copied += bytes;
    return done(cudaSuccess, is_capturable);
}

double seconds_now()
{
    timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}

/* ---- for tests ----------------------------------------------------------------------------- */

void fake_launch(const char *kernel, void (*call)(const void *const *argument), unsigned groups,
                 unsigned items, struct CUstream_st *stream, void *const *argument)
{
    const shim_kernel run = { kernel, call };
    const shim_shape shape = { groups, static_cast<int32_t>(items), WARP, MOST_LOCAL_BYTES };

    static_cast<void>(stream);
    is_busy = true;
    set_access(true);
    const char *fault = shim_run(&run, argument, shape, seed++);
    set_access(false);
    if (fault) {
        fprintf(stderr, "%s: %s\n", kernel, fault);
        exit(3);
    }
    launches++;
    done(cudaSuccess, true);
}

long fake_calls(void)
{
    return calls;
}

long fake_uncapturable_calls(void)
{
    return uncapturable;
}

long fake_launches(void)
{
    return launches;
}

size_t fake_copied_bytes(void)
{
    return copied;
}

long fake_allocations(void)
{
    return area_count;
}

void fake_fail_allocation(long count)
{
    until_failure = count;
}

/* ---- CUDA ---------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return done(cudaSuccess, false);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return done(cudaSuccess, false);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    memset(properties, 0, sizeof *properties);
    if (device != 0)
        return done(cudaErrorInvalidValue, false);
    strcpy(properties->name, "fibers on the CPU");
    properties->major = 9;
    properties->minor = 0;
    properties->integrated = has_managed();
    properties->managedMemory = has_managed();
    return done(cudaSuccess, false);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaDeviceProp properties;
    const cudaError_t code = cudaGetDeviceProperties(&properties, device);

    *value = attribute == cudaDevAttrComputeCapabilityMajor   ? properties.major
             : attribute == cudaDevAttrComputeCapabilityMinor ? properties.minor
             : attribute == cudaDevAttrManagedMemory          ? properties.managedMemory
                                                              : 0;
    return code;
}

cudaError_t cudaDeviceSynchronize(void)
{
    is_busy = false;
    set_access(false);
    return done(cudaSuccess, false);
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    return allocate(memory, bytes, 0);
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags)
{
    return flags != cudaMemAttachGlobal || !has_managed()
               ? done(cudaErrorInvalidValue, false) : allocate(memory, bytes, 1);
}

cudaError_t cudaFree(void *memory)
{
    const int i = find_area(memory);

    if (memory == NULL)
        return done(cudaSuccess, false);
    if (i < 0 || areas[i].memory != memory)
        return done(cudaErrorInvalidValue, false);
    munmap(areas[i].memory, pages_of(areas[i].bytes));
    areas[i] = areas[--area_count];
    return done(cudaSuccess, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy(to, from, bytes, kind, false);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy(to, from, bytes, kind, stream != NULL);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = new CUstream_st();
    return done(cudaSuccess, false);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return done(cudaSuccess, false);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    static_cast<void>(stream);
    return done(cudaSuccess, false);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *found, const void *memory)
{
    const int i = find_area(memory);

    memset(found, 0, sizeof *found);
    if (i < 0)
        return done(cudaErrorInvalidValue, false);
    found->memoryType = cudaMemoryTypeDevice;
    found->isManaged = areas[i].is_managed;
    return done(cudaSuccess, false);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *found, const void *kernel)
{
    memset(found, 0, sizeof *found);
    return done(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction, false);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new CUevent_st();
    return done(cudaSuccess, false);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return done(cudaSuccess, false);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    static_cast<void>(stream);
    event->time = seconds_now();
    return done(cudaSuccess, false);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    *milliseconds = static_cast<float>((stop->time - start->time) * 1e3);
    return done(cudaSuccess, false);
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t code = last;

    last = cudaSuccess;
    return code;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

const char *cudaGetErrorString(cudaError_t code)
{
    return code == cudaSuccess                 ? "no error"
           : code == cudaErrorMemoryAllocation ? "out of memory"
                                               : "unknown error";
}
