/* step_profile.c: see step_profile.h. */
#include "runtime/library/threads/step_profile.h"

#include "runtime/base/clock.h"

spmv_status spmv_steps_profile(const spmv_job *job, const spmv_step *step, int32_t count,
                               const spmv_threads *threads, spmv_step_time *time, int32_t *timed)
{
    spmv_status status = SPMV_OK;

    *timed = 0;
    if (count < 0 || count > SPMV_MAX_STEPS)
        return spmv_steps_run(job, step, count, threads);
    while (*timed < count && status == SPMV_OK) {
        const double start = spmv_seconds_now();

        status = spmv_steps_run(job, &step[*timed], 1, threads);
        time[*timed] = (spmv_step_time){step[*timed].name, spmv_seconds_now() - start};
        ++*timed;
    }
    return status;
}
