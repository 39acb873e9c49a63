/* race.h: contenders timed against each other in each way of ways.h.
 *
 * As in bench/race/timing.h the contenders take turns, so that a clock that drifts, or a neighbour
 * on the machine, meets all of them; who is first in a round changes from round to round. The clock
 * is the GPU's: a sample is the time between two events with as many multiplications between them
 * as take two milliseconds, behind some that are not timed.
 *
 * Only contenders that are correct take part, and only in ways that they have. A contender that is
 * very slow gets fewer samples, and no more once its time is spent: at least one way has one.
 */
#ifndef GPU_RACE_H
#define GPU_RACE_H

#include "bench/gpu/contender.h"

typedef struct gpu_rules {
    size_t rounds;               /* samples of each contender and way */
    size_t slow_rounds;          /* of one whose multiplication is slow */
    double sample_seconds;       /* that a sample takes at the least */
    double slow_seconds;         /* of a multiplication, from which on it is slow */
    double contender_seconds;    /* that a contender gets in all ways together */
} gpu_rules;

extern const gpu_rules gpu_usual_rules;

/* Whether one replica of this many bytes stays in the L2, so that multiplying it again and again
 * says something. */
bool gpu_fits_l2(double bytes, size_t l2_bytes);

/* Called after each way, whose times the contenders have by then. False ends the race. */
typedef bool gpu_after_way(void *context, gpu_fault *fault);

/* Fills the contenders' times. One whose multiplication fails is no longer correct. False: the
 * clock itself failed, or a contender left the GPU unusable: its label is in the fault, before a
 * ':'. */
bool gpu_race_run(const gpu_rules *rules, gpu_contender *contenders, size_t count,
                  gpu_after_way *after, void *context, gpu_fault *fault);

#endif
