/* step_profile.h: running steps and timing each. */
#ifndef SPMV_STEP_PROFILE_H
#define SPMV_STEP_PROFILE_H

#include "runtime/core/threads/step_runner.h"

/* spmv_steps_run, which also writes the time of each step that ran to time, which has room for
 * SPMV_MAX_STEPS, and their number to *timed. */
spmv_status spmv_steps_profile(const spmv_job *job, const spmv_step *step, int32_t count,
                               const spmv_threads *threads, spmv_step_time *time, int32_t *timed);

#endif
