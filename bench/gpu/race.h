/* race.h: times contenders against each other in each mode of modes.h.
 *
 * As in bench/race/timing.h, the contenders take turns, so that a drifting clock or a busy
 * neighbour affects all of them; each round begins with another contender. The clock is the GPU's:
 * a sample is the time between two events. Between the events lie multiplications of two
 * milliseconds; some untimed ones run before.
 *
 * Only correct contenders take part, and only in modes that they support. A very slow contender
 * gets fewer samples, and none once its time is spent, but at least one in its first mode.
 */
#ifndef GPU_RACE_H
#define GPU_RACE_H

#include "bench/gpu/contender.h"

typedef struct gpu_rules {
    size_t rounds;               /* samples of each contender and mode */
    size_t slow_rounds;          /* the same for slow contenders */
    double sample_seconds;       /* least duration of a sample */
    double slow_seconds;         /* a contender is slow if a multiplication takes that long */
    double contender_seconds;    /* limit for a contender over all modes */
    size_t modes;                /* only the first of gpu_modes are timed */
} gpu_rules;

extern const gpu_rules gpu_usual_rules;

/* Called after each mode, when the contenders have its times. False ends the race. */
typedef bool gpu_after_mode(void *context, spmv_error *error);

/* Fills the contenders' times. A contender whose multiplication fails is no longer correct. False
 * if the clock failed or a contender left the GPU unusable; error then begins with "LABEL: ". */
bool gpu_race_run(const gpu_rules *rules, gpu_contender *contenders, size_t count,
                  gpu_after_mode *after, void *context, spmv_error *error);

#endif
