/* name_set.h: a set of names in the order in which they were added. A search is linear: sets are
 * short. */
#ifndef SG_NAME_SET_H
#define SG_NAME_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

typedef struct sg_name_set {
    const char *const *name;
    size_t count;
} sg_name_set;

bool sg_name_set_has(const sg_name_set *names, const char *name);
void sg_name_set_add(sg_arena *arena, sg_name_set *names, const char *name);
sg_name_set sg_name_set_sorted(sg_arena *arena, const sg_name_set *names);   /* a copy, by byte */

size_t sg_list_length(const char *const *names);              /* of a list that ends with NULL */
int sg_compare_names(const void *a, const void *b);          /* of qsort, for const char * */

/* Adds the name at the end, or moves it there if the set has the name already. */
void sg_name_set_add_last(sg_arena *arena, sg_name_set *names, const char *name);

#endif
