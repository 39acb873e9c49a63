/* allocation_registry.c: see allocation_registry.h. */
#include "runtime/device/allocation_registry.h"

#if SPMV_BUNDLE

/* Bundles need no library of threads. The lists are short. */
static void lock_list(spmv_allocation_registry *list)
{
    while (!spmv_atomic_try_lock(&list->busy))
        continue;
}

static void unlock_list(spmv_allocation_registry *list)
{
    spmv_atomic_unlock(&list->busy);
}

void spmv_allocation_registry_begin(spmv_allocation_registry *list)
{
    list->first = NULL;
    spmv_atomic_set(&list->busy, 0);
}

void spmv_allocation_registry_end(spmv_allocation_registry *list)
{
    (void)list;
}

#else

static void lock_list(spmv_allocation_registry *list)
{
    pthread_mutex_lock(&list->busy);
}

static void unlock_list(spmv_allocation_registry *list)
{
    pthread_mutex_unlock(&list->busy);
}

void spmv_allocation_registry_begin(spmv_allocation_registry *list)
{
    list->first = NULL;
    pthread_mutex_init(&list->busy, NULL);
}

void spmv_allocation_registry_end(spmv_allocation_registry *list)
{
    pthread_mutex_destroy(&list->busy);
}

#endif

void spmv_allocation_registry_add(spmv_allocation_registry *list, spmv_allocation *shared)
{
    lock_list(list);
    shared->next = list->first;
    list->first = shared;
    unlock_list(list);
}

spmv_allocation *spmv_allocation_registry_remove(spmv_allocation_registry *list, const void *memory)
{
    spmv_allocation **link, *found;

    lock_list(list);
    for (link = &list->first; *link != NULL && (*link)->memory != memory;)
        link = &(*link)->next;
    found = *link;
    if (found != NULL)
        *link = found->next;
    unlock_list(list);
    return found;
}

spmv_allocation *spmv_allocation_registry_find(spmv_allocation_registry *list, const void *memory,
                                               size_t bytes)
{
    const char *begin = (const char *)memory;
    spmv_allocation *s;

    if (memory == NULL)
        return NULL;
    lock_list(list);
    for (s = list->first; s != NULL; s = s->next)
        if (begin >= s->memory && begin < s->memory + s->bytes &&
            bytes <= (size_t)(s->memory + s->bytes - begin))
            break;
    unlock_list(list);
    return s;
}
