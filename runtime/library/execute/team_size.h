/* team_size.h: how many threads share a multiplication of a plan on the CPU: not more than pay.
 *
 * Estimated times of small matrices are wrong by a factor of three. So the first multiplications
 * are timed, unless the estimate leaves no doubt: some on the calling thread and, if waking is
 * quick enough for others to help, some on several threads. The number changes no bit of a result.
 * Thread-safe.
 */
#ifndef SPMV_TEAM_SIZE_H
#define SPMV_TEAM_SIZE_H

#include "runtime/library/plan/plan.h"

/* Decides by the estimate, or begins to time. */
void spmv_team_size_begin(spmv_plan *plan);

/* The number of threads. 0 or less: not known yet; run on this thread, or on -size threads, and
 * tell the time. */
static inline int32_t spmv_team_size(const spmv_plan *plan)
{
    return spmv_atomic_get(&plan->scratch->team_size);
}

/* Takes the time of a multiplication that spmv_team_size was `size` for. The last one of a few
 * decides, and may start threads. */
void spmv_team_size_tell(const spmv_plan *plan, int32_t size, double seconds);

#endif
