/* allocation_registry.h: the allocations that a device shares with the host, so that memory of a
 * caller can be told from any other. Who allocates them owns them; the list may be read and changed
 * at any time. */
#ifndef SPMV_ALLOCATION_REGISTRY_H
#define SPMV_ALLOCATION_REGISTRY_H

#include <pthread.h>
#include <stddef.h>

/* An allocation: a backend's own struct may begin with it. */
typedef struct spmv_allocation {
    struct spmv_allocation *next;
    char *memory;
    size_t bytes;
} spmv_allocation;

typedef struct spmv_allocation_registry {
    spmv_allocation *first;
    pthread_mutex_t busy;        /* somebody reads or changes it */
} spmv_allocation_registry;

void spmv_allocation_registry_begin(spmv_allocation_registry *list);
void spmv_allocation_registry_end(spmv_allocation_registry *list); /* nothing may be left in it */
void spmv_allocation_registry_add(spmv_allocation_registry *list, spmv_allocation *shared);

/* Takes out the allocation that begins there; NULL: there is none. */
spmv_allocation *spmv_allocation_registry_remove(spmv_allocation_registry *list,
                                                 const void *memory);

/* The allocation that holds all of it; NULL: there is none. Its owner must not free it
 * meanwhile. */
spmv_allocation *spmv_allocation_registry_find(spmv_allocation_registry *list, const void *memory,
                                               size_t bytes);

#endif
