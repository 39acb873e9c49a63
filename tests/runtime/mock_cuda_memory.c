/* mock_cuda_memory.c: memory of the mock's device. The contents of device memory lie elsewhere than
 * at its address, which the host cannot access. Managed memory lies at its address. Without
 * concurrent access it is protected while a kernel is pending; a signal handler counts accesses of
 * the host and lets them proceed. */
#define _GNU_SOURCE
#include "mock_cuda_objects.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct region {
    struct region *next;
    char *base;                          /* the address */
    char *data;                          /* the contents; base for managed memory */
    size_t bytes, mapped;
    size_t piece;                        /* bytes of a piece; 0: not in pieces */
    int gap;                             /* the piece, from 1, that is missing */
    object *context;
    int is_managed;
} region;

static region *regions;
static int is_protected;

static region *find(spmv_cuda_pointer address)
{
    for (region *r = regions; r != NULL; r = r->next)
        if (address >= (spmv_cuda_pointer)r->base &&
            address - (spmv_cuda_pointer)r->base < r->bytes)
            return r;
    return NULL;
}

/* ---- turns --------------------------------------------------------------------------------- */

static void protect(int access)
{
    for (region *r = regions; r != NULL; r = r->next)
        if (r->is_managed)
            mprotect(r->base, r->mapped, access);
}

static void catch_touch(int number, siginfo_t *info, void *machine)
{
    const region *r = find((spmv_cuda_pointer)info->si_addr);

    (void)number;
    (void)machine;
    if (r == NULL || !r->is_managed || !is_protected) {
        signal(SIGSEGV, SIG_DFL);        /* not ours: the next fault ends the program */
        return;
    }
    misuses++;
    mprotect(r->base, r->mapped, PROT_READ | PROT_WRITE);
}

void managed_protect(int is_pending)
{
    const int wanted = is_pending && !control.has_concurrent_managed;

    if (wanted != is_protected)
        protect(wanted ? PROT_NONE : PROT_READ | PROT_WRITE);
    is_protected = wanted;
}

/* ---- allocations --------------------------------------------------------------------------- */

static void free_region(region **link)
{
    region *r = *link;

    *link = r->next;
    munmap(r->base, r->mapped);
    if (r->data != r->base)
        free(r->data);
    free(r);
}

void memory_reset(void)
{
    struct sigaction action = {.sa_sigaction = catch_touch, .sa_flags = SA_SIGINFO};

    while (regions != NULL)
        free_region(&regions);
    is_protected = 0;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

void memory_end(const object *context)
{
    for (region **link = &regions; *link != NULL;) {
        if ((*link)->context != context) {
            link = &(*link)->next;
            continue;
        }
        control.managed -= (*link)->is_managed;
        live--;
        free_region(link);
    }
}

static spmv_cuda_result allocate(spmv_cuda_pointer *address, size_t bytes, int is_managed)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    region *r;

    if (bytes == 0)
        return CU_INVALID_VALUE;
    if (bytes > control.largest_allocation)
        return CU_OUT_OF_MEMORY;
    r = calloc(1, sizeof *r);
    r->bytes = bytes;
    r->mapped = (bytes + page - 1) / page * page;
    r->is_managed = is_managed;
    r->piece = control.piece;
    r->gap = control.gap;
    r->context = current();
    r->base = mmap(NULL, r->mapped, is_managed ? PROT_READ | PROT_WRITE : PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    r->data = is_managed ? r->base : malloc(bytes);
    memset(r->data, GARBAGE, bytes);
    r->next = regions;
    regions = r;
    live++;
    control.managed += is_managed;
    *address = (spmv_cuda_pointer)r->base;
    return CU_SUCCESS;
}

spmv_cuda_result cuMemAlloc_v2(spmv_cuda_pointer *address, size_t bytes)
{
    const spmv_cuda_result code = enter("cuMemAlloc_v2", IN_CONTEXT | UNSAFE);

    return leave(code == CU_SUCCESS ? allocate(address, bytes, 0) : code);
}

#ifndef MOCK_OLD
spmv_cuda_result cuMemAllocManaged(spmv_cuda_pointer *address, size_t bytes, unsigned flags)
{
    const spmv_cuda_result code = enter("cuMemAllocManaged", IN_CONTEXT | UNSAFE);

    if (flags != CU_MEM_ATTACH_GLOBAL || !control.has_managed)
        misuses++;
    return leave(code == CU_SUCCESS ? allocate(address, bytes, 1) : code);
}
#endif

/* Later commands that use the memory are misuses. */
spmv_cuda_result cuMemFree_v2(spmv_cuda_pointer address)
{
    const spmv_cuda_result code = enter("cuMemFree_v2", IN_CONTEXT | UNSAFE);
    region **link = &regions;

    while (*link != NULL && (spmv_cuda_pointer)(*link)->base != address)
        link = &(*link)->next;
    if (*link == NULL || (*link)->context != current()) {
        misuses++;
        return leave(CU_INVALID_VALUE);
    }
    streams_run();               /* as the driver does */
    control.managed -= (*link)->is_managed;
    live--;
    free_region(link);
    return leave(code);
}

/* ---- queries of addresses ------------------------------------------------------------------- */

void *device_data(spmv_cuda_pointer address, size_t bytes, const object *context)
{
    const region *r = find(address);

    if (r == NULL || r->context != context ||
        bytes > r->bytes - (address - (spmv_cuda_pointer)r->base))
        return NULL;
    return r->data + (address - (spmv_cuda_pointer)r->base);
}

spmv_cuda_result cuMemGetAddressRange_v2(spmv_cuda_pointer *base, size_t *bytes,
                                         spmv_cuda_pointer address)
{
    spmv_cuda_result code = enter("cuMemGetAddressRange_v2", IN_CONTEXT);
    const region *r = find(address);

    const size_t piece = r != NULL && r->piece > 0 ? r->piece : SIZE_MAX;
    const size_t index = r != NULL ? (address - (spmv_cuda_pointer)r->base) / piece : 0;

    if (code == CU_SUCCESS && (r == NULL || (r->gap > 0 && index + 1 == (size_t)r->gap)))
        code = CU_NOT_FOUND;
    if (code == CU_SUCCESS) {
        const size_t rest = r->bytes - index * piece;
        *base = (spmv_cuda_pointer)r->base + index * piece;
        *bytes = rest < piece ? rest : piece;
    }
    return leave(code);
}

spmv_cuda_result cuPointerGetAttribute(void *out, int what, spmv_cuda_pointer address)
{
    spmv_cuda_result code = enter("cuPointerGetAttribute", IN_CONTEXT);
    const region *r = find(address);
    const uint32_t type = CU_MEMORY_OF_DEVICE;
    uint32_t is_managed;

    if (code == CU_SUCCESS && (r == NULL || !control.has_one_address_space))
        code = CU_INVALID_VALUE;
    if (code != CU_SUCCESS)
        return leave(code);
    is_managed = (uint32_t)r->is_managed;
    switch (what) {
    case CU_POINTER_CONTEXT: memcpy(out, &r->context, sizeof r->context); break;
    case CU_POINTER_MEMORY_TYPE: memcpy(out, &type, sizeof type); break;
    case CU_POINTER_IS_MANAGED: memcpy(out, &is_managed, sizeof is_managed); break;
    default: code = CU_INVALID_VALUE;
    }
    return leave(code);
}

#ifndef MOCK_OLD
/* Of memory that it does not know it gives zeros. */
spmv_cuda_result cuPointerGetAttributes(unsigned count, int *what, void **out,
                                        spmv_cuda_pointer address)
{
    spmv_cuda_result code = enter("cuPointerGetAttributes", IN_CONTEXT);
    const region *r = control.has_one_address_space ? find(address) : NULL;
    const size_t piece = r != NULL && r->piece > 0 ? r->piece : SIZE_MAX;
    const size_t index = r != NULL ? (address - (spmv_cuda_pointer)r->base) / piece : 0;
    const size_t rest = r != NULL ? r->bytes - index * piece : 0;
    const uint32_t type = r != NULL ? CU_MEMORY_OF_DEVICE : 0;
    const uint32_t is_managed = r != NULL && r->is_managed;
    const spmv_cuda_pointer start = r != NULL ? (spmv_cuda_pointer)r->base + index * piece : 0;
    const size_t size = rest < piece ? rest : piece;

    for (unsigned i = 0; i < count && code == CU_SUCCESS; i++)
        switch (what[i]) {
        case CU_POINTER_CONTEXT:
            if (r != NULL)
                memcpy(out[i], &r->context, sizeof r->context);
            else
                memset(out[i], 0, sizeof r->context);
            break;
        case CU_POINTER_MEMORY_TYPE: memcpy(out[i], &type, sizeof type); break;
        case CU_POINTER_IS_MANAGED: memcpy(out[i], &is_managed, sizeof is_managed); break;
        case CU_POINTER_RANGE_START: memcpy(out[i], &start, sizeof start); break;
        case CU_POINTER_RANGE_SIZE: memcpy(out[i], &size, sizeof size); break;
        default: code = CU_INVALID_VALUE;
        }
    return leave(code);
}
#endif
