/* occupancy.h: how many waves of a kernel a SIMD unit can hold, and which resource limits them. */
#ifndef SG_OCCUPANCY_H
#define SG_OCCUPANCY_H

#include "generator/verify/compiler.h"

typedef struct sg_occupancy {
    int64_t waves;               /* 0: not known */
    int64_t most;                /* of any kernel; 0: not known */
    const char *limit;           /* "local memory"; "" where there is none, or none known */
} sg_occupancy;

/* From the compiler's list of resources and facts of the page; the compiler's own metric wins where
 * it has one. */
sg_occupancy sg_occupancy_of(sg_arena *arena, const sg_compiler *compiler, const sg_target *target,
                             const sg_metrics *metrics, int64_t group_size);

#endif
