/* allocation_registry.h: the allocations that a device shares with the host. It tells
 * whether a caller's pointer is shared. The backend owns the allocations. Any thread may read and
 * change the registry at any time. */
#ifndef SPMV_ALLOCATION_REGISTRY_H
#define SPMV_ALLOCATION_REGISTRY_H

#include "runtime/device/list_lock.h"

#include <stddef.h>

/* An allocation. A backend's own struct may begin with it. */
typedef struct spmv_allocation {
    struct spmv_allocation *next;
    char *memory;
    size_t bytes;
} spmv_allocation;

typedef struct spmv_allocation_registry {
    spmv_allocation *first;
    spmv_list_lock busy;         /* held while the list is read or changed */
} spmv_allocation_registry;

void spmv_allocation_registry_begin(spmv_allocation_registry *list);
void spmv_allocation_registry_end(spmv_allocation_registry *list); /* list: empty */
void spmv_allocation_registry_add(spmv_allocation_registry *list, spmv_allocation *shared);

/* Removes the allocation that begins at `memory`. NULL: there is none. */
spmv_allocation *spmv_allocation_registry_remove(spmv_allocation_registry *list,
                                                 const void *memory);

/* The allocation that holds all of the area. NULL: there is none. The caller must
 * keep it from being freed. */
spmv_allocation *spmv_allocation_registry_find(spmv_allocation_registry *list, const void *memory,
                                               size_t bytes);

#endif
