/* names.h: a list of different names. Lists are short: they are searched from the front. */
#ifndef SG_NAMES_H
#define SG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_names {
    const char *const *name;
    size_t count;
} sg_names;

bool sg_names_have(const sg_names *names, const char *name);
void sg_names_add(sg_arena *arena, sg_names *names, const char *name);   /* unless it is there */
sg_names sg_names_sorted(sg_arena *arena, const sg_names *names);         /* a copy, by byte */

/* At the end of the list, also where it stands farther up. */
void sg_names_add_last(sg_arena *arena, sg_names *names, const char *name);

#ifdef __cplusplus
}
#endif
#endif
