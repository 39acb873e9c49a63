/* mock_opencl_shared.c: memory that the mock's device and the host share. Coarse-grained memory,
 * used in turns, has two copies, the host's and the device's; the one that is not in use holds
 * garbage. */
#include "mock_opencl_objects.h"

#include <stdlib.h>
#include <string.h>

typedef struct region {
    struct region *next;
    char *host, *device;                 /* equal if sharing is fine-grained */
    size_t bytes;
    int is_mapped;
} region;

static region *regions;

static region *find_region(const void *memory)
{
    for (region *r = regions; r != NULL; r = r->next)
        if ((const char *)memory >= r->host && (const char *)memory < r->host + r->bytes)
            return r;
    return NULL;
}

void *device_address(const void *shared)
{
    const region *r = find_region(shared);

    if (r == NULL)
        return control.svm & OCL_SVM_FINE_GRAIN_SYSTEM ? (void *)(uintptr_t)shared : NULL;
    if (r->is_mapped && r->host != r->device)
        return NULL;
    return r->device + ((const char *)shared - r->host);
}

static void free_region(region **link)
{
    region *r = *link;

    *link = r->next;
    if (r->device != r->host)
        free(r->device);
    free(r->host);
    free(r);
}

void shared_reset(void)
{
    while (regions != NULL)
        free_region(&regions);
}

void *clSVMAlloc(spmv_opencl_context context, spmv_opencl_bits flags, size_t bytes,
                 spmv_opencl_uint alignment)
{
    const int is_fine = (flags & OCL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
    region *r = fails("SVMAlloc") || check(context, CONTEXT) == NULL ? NULL : calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    if (is_fine && !(control.svm & OCL_SVM_FINE_GRAIN_BUFFER))
        atomic_fetch_add(&misuses, 1);
    r->bytes = bytes;
    r->host = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    r->device = is_fine ? r->host : malloc(bytes);
    memset(r->host, GARBAGE, bytes);
    memset(r->device, GARBAGE, bytes);
    pthread_mutex_lock(&mutex);
    r->next = regions;
    regions = r;
    control.shared++;
    pthread_mutex_unlock(&mutex);
    return r->host;
}

void clSVMFree(spmv_opencl_context context, void *memory)
{
    region **link = &regions;

    check(context, CONTEXT);
    pthread_mutex_lock(&mutex);
    while (*link != NULL && (*link)->host != memory)
        link = &(*link)->next;
    if (*link == NULL)
        atomic_fetch_add(&misuses, 1);
    else
        free_region(link);
    control.shared--;
    pthread_mutex_unlock(&mutex);
}

void shared_change_turn(const void *memory, int to_host)
{
    region *r = find_region(memory);

    if (r == NULL || r->host != memory || r->is_mapped == to_host)
        atomic_fetch_add(&misuses, 1);
    if (r == NULL)
        return;
    r->is_mapped = to_host;
    if (r->host != r->device) {
        memcpy(to_host ? r->host : r->device, to_host ? r->device : r->host, r->bytes);
        memset(to_host ? r->device : r->host, GARBAGE, r->bytes);
    }
}
