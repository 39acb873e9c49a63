/* way.h: how libspmv gets its threads: OpenMP's, a pool's or none, as it was built. */
#ifndef SPMV_WAY_H
#define SPMV_WAY_H

#include "runtime/core/threads/team.h"

/* After threads could not be started, no more are requested until this call. */
void spmv_team_retry(void);

/* spmv_openmp_team, but with fewer members than `wanted` if fewer threads could be started. trial:
 * a number that changes with each spmv_team_retry. */
void spmv_openmp_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job);
void spmv_pool_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job);

/* As many as OpenMP has; at most as many as the quota of CPUs is worth, unless the user or the
 * program has set OpenMP's number. */
int32_t spmv_openmp_usable_threads(void);

#endif
