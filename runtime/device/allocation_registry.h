/* allocation_registry.h: the allocations that a device shares with the host, so that memory of a caller can be told
 * from any other. Who allocates them owns them; the list may be read and changed at any time. */
#ifndef SPMV_ALLOCATION_REGISTRY_H
#define SPMV_ALLOCATION_REGISTRY_H

#include <pthread.h>
#include <stddef.h>

/* An allocation: a backend's own struct may begin with it. */
typedef struct spmv_shared {
    struct spmv_shared *next;
    char *memory;
    size_t bytes;
} spmv_shared;

typedef struct spmv_shared_list {
    spmv_shared *first;
    pthread_mutex_t busy;        /* somebody reads or changes it */
} spmv_shared_list;

void spmv_shared_begin(spmv_shared_list *list);
void spmv_shared_end(spmv_shared_list *list);       /* nothing may be left in it */
void spmv_shared_add(spmv_shared_list *list, spmv_shared *shared);

/* Takes out the allocation that begins there; NULL: there is none. */
spmv_shared *spmv_shared_remove(spmv_shared_list *list, const void *memory);

/* The allocation that holds all of it; NULL: there is none. Its owner must not free it meanwhile. */
spmv_shared *spmv_shared_find(spmv_shared_list *list, const void *memory, size_t bytes);

#endif
