/* name_set.c: see name_set.h. The caller owns the names, the arena the array. */
#include "generator/base/name_set.h"

#include <stdlib.h>
#include <string.h>

bool sg_name_set_has(const sg_name_set *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->name[i], name))
            return true;
    return false;
}

void sg_name_set_add(sg_arena *arena, sg_name_set *names, const char *name)
{
    if (sg_name_set_has(names, name))
        return;
    const char **grown = sg_arena_grow(arena, names->name, names->count, names->count + 1,
                                       sizeof *grown);
    grown[names->count] = name;
    names->name = grown;
    names->count++;
}

void sg_name_set_add_last(sg_arena *arena, sg_name_set *names, const char *name)
{
    const char **kept = sg_arena_alloc(arena, (names->count + 1) * sizeof *kept);
    size_t count = 0;

    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name))
            kept[count++] = names->name[i];
    kept[count++] = name;
    *names = (sg_name_set){ kept, count };
}

size_t sg_list_length(const char *const *names)
{
    size_t count = 0;

    while (names[count])
        count++;
    return count;
}

int sg_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

sg_name_set sg_name_set_sorted(sg_arena *arena, const sg_name_set *names)
{
    const char **copy = sg_arena_grow(arena, names->name, names->count, names->count,
                                      sizeof *copy);

    if (names->count)
        qsort(copy, names->count, sizeof *copy, sg_compare_names);
    return (sg_name_set){ copy, names->count };
}
