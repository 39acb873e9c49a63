/* occupancy.h: the number of waves of a kernel that a SIMD unit can hold, and the limiting
 * resource. */
#ifndef SG_OCCUPANCY_H
#define SG_OCCUPANCY_H

#include "generator/verify/compiler.h"

typedef struct sg_occupancy {
    int64_t waves;               /* 0: not known */
    int64_t most;                /* of any kernel; 0: not known */
    const char *limit;           /* "local memory"; "" if there is none, or none is known */
} sg_occupancy;

/* Computes the occupancy from the compiler's list of resources and facts of the page, unless the
 * compiler prints the number of waves. */
sg_occupancy sg_occupancy_of(sg_arena *arena, const sg_compiler *compiler, const sg_target *target,
                             const sg_metrics *metrics, int64_t group_size);

#endif
