/* shared.c: see shared.h. */
#include "shared.h"

#include "lock.h"

void spmv_shared_begin(spmv_shared_list *list)
{
    list->first = NULL;
    atomic_flag_clear(&list->busy);
}

void spmv_shared_add(spmv_shared_list *list, spmv_shared *shared)
{
    spmv_lock_take(&list->busy);
    shared->next = list->first;
    list->first = shared;
    spmv_lock_leave(&list->busy);
}

spmv_shared *spmv_shared_remove(spmv_shared_list *list, const void *memory)
{
    spmv_shared **link, *found;

    spmv_lock_take(&list->busy);
    for (link = &list->first; *link != NULL && (*link)->memory != memory;)
        link = &(*link)->next;
    found = *link;
    if (found != NULL)
        *link = found->next;
    spmv_lock_leave(&list->busy);
    return found;
}

spmv_shared *spmv_shared_find(spmv_shared_list *list, const void *memory, size_t bytes)
{
    const char *begin = memory;
    spmv_shared *s;

    if (memory == NULL)
        return NULL;
    spmv_lock_take(&list->busy);
    for (s = list->first; s != NULL; s = s->next)
        if (begin >= s->memory && begin < s->memory + s->bytes &&
            bytes <= (size_t)(s->memory + s->bytes - begin))
            break;
    spmv_lock_leave(&list->busy);
    return s;
}
