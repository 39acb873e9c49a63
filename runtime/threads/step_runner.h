/* step_runner.h: running the steps that a module lists. */
#ifndef SPMV_STEP_RUNNER_H
#define SPMV_STEP_RUNNER_H

#include "runtime/threads/team.h"

/* Does the steps one after another, each one's chunks on at most `threads` threads. Nothing is
 * done, and SPMV_ABI_MISMATCH returned, when the list breaks the module contract. Allocates
 * nothing. */
spmv_status spmv_steps_run(const spmv_job *job, const spmv_step *step, int32_t count,
                           const spmv_threads *threads);

#endif
