/* allocation_registry.c: see allocation_registry.h. */
#include "runtime/device/allocation_registry.h"

void spmv_shared_begin(spmv_shared_list *list)
{
    list->first = NULL;
    pthread_mutex_init(&list->busy, NULL);
}

void spmv_shared_end(spmv_shared_list *list)
{
    pthread_mutex_destroy(&list->busy);
}

void spmv_shared_add(spmv_shared_list *list, spmv_shared *shared)
{
    pthread_mutex_lock(&list->busy);
    shared->next = list->first;
    list->first = shared;
    pthread_mutex_unlock(&list->busy);
}

spmv_shared *spmv_shared_remove(spmv_shared_list *list, const void *memory)
{
    spmv_shared **link, *found;

    pthread_mutex_lock(&list->busy);
    for (link = &list->first; *link != NULL && (*link)->memory != memory;)
        link = &(*link)->next;
    found = *link;
    if (found != NULL)
        *link = found->next;
    pthread_mutex_unlock(&list->busy);
    return found;
}

spmv_shared *spmv_shared_find(spmv_shared_list *list, const void *memory, size_t bytes)
{
    const char *begin = memory;
    spmv_shared *s;

    if (memory == NULL)
        return NULL;
    pthread_mutex_lock(&list->busy);
    for (s = list->first; s != NULL; s = s->next)
        if (begin >= s->memory && begin < s->memory + s->bytes &&
            bytes <= (size_t)(s->memory + s->bytes - begin))
            break;
    pthread_mutex_unlock(&list->busy);
    return s;
}
