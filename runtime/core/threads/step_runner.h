/* step_runner.h: running the steps that a module lists. */
#ifndef SPMV_STEP_RUNNER_H
#define SPMV_STEP_RUNNER_H

#include "runtime/core/threads/team.h"

/* One team for all steps, each in its parts: as large as the largest step needs. */
spmv_threads spmv_steps_team(const spmv_step *step, int32_t count, const spmv_threads *threads);

/* Runs the steps one after another, the chunks of each on at most `threads` threads. If the list
 * breaks the module contract it runs nothing and returns SPMV_ABI_MISMATCH. Allocates nothing. */
spmv_status spmv_steps_run(const spmv_job *job, const spmv_step *step, int32_t count,
                           const spmv_threads *threads);

#endif
