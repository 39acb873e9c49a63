/* names.c: a list of different names. The names are the caller's, the list is the arena's. */
#include "generator/base/names.h"

#include <stdlib.h>
#include <string.h>

bool sg_names_have(const sg_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->name[i], name))
            return true;
    return false;
}

void sg_names_add(sg_arena *arena, sg_names *names, const char *name)
{
    if (sg_names_have(names, name))
        return;
    const char **grown = sg_arena_grow(arena, names->name, names->count, names->count + 1,
                                       sizeof *grown);
    grown[names->count] = name;
    names->name = grown;
    names->count++;
}

void sg_names_add_last(sg_arena *arena, sg_names *names, const char *name)
{
    const char **kept = sg_arena_alloc(arena, (names->count + 1) * sizeof *kept);
    size_t count = 0;

    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name))
            kept[count++] = names->name[i];
    kept[count++] = name;
    *names = (sg_names){ kept, count };
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

sg_names sg_names_sorted(sg_arena *arena, const sg_names *names)
{
    const char **copy = sg_arena_grow(arena, names->name, names->count, names->count,
                                      sizeof *copy);

    if (names->count)
        qsort(copy, names->count, sizeof *copy, compare);
    return (sg_names){ copy, names->count };
}
