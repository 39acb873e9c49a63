/* allocation_registry.c: see allocation_registry.h. */
#include "runtime/device/allocation_registry.h"

void spmv_allocation_registry_begin(spmv_allocation_registry *list)
{
    list->first = NULL;
    spmv_list_lock_begin(&list->busy);
}

void spmv_allocation_registry_end(spmv_allocation_registry *list)
{
    spmv_list_lock_end(&list->busy);
}

void spmv_allocation_registry_add(spmv_allocation_registry *list, spmv_allocation *shared)
{
    spmv_list_lock_take(&list->busy);
    shared->next = list->first;
    list->first = shared;
    spmv_list_lock_leave(&list->busy);
}

spmv_allocation *spmv_allocation_registry_remove(spmv_allocation_registry *list, const void *memory)
{
    spmv_allocation **link, *found;

    spmv_list_lock_take(&list->busy);
    for (link = &list->first; *link != NULL && (*link)->memory != memory;)
        link = &(*link)->next;
    found = *link;
    if (found != NULL)
        *link = found->next;
    spmv_list_lock_leave(&list->busy);
    return found;
}

spmv_allocation *spmv_allocation_registry_find(spmv_allocation_registry *list, const void *memory,
                                               size_t bytes)
{
    const char *begin = (const char *)memory;
    spmv_allocation *s;

    if (memory == NULL)
        return NULL;
    spmv_list_lock_take(&list->busy);
    for (s = list->first; s != NULL; s = s->next)
        if (begin >= s->memory && begin < s->memory + s->bytes &&
            bytes <= (size_t)(s->memory + s->bytes - begin))
            break;
    spmv_list_lock_leave(&list->busy);
    return s;
}
