/* team.h: the threads that share out one piece of work.
 *
 * Work is cut into parts before anybody asks for threads, so that results never depend on how many
 * there are: where fewer threads can be had than there are parts, each takes several. Everything in
 * the library that runs on more than one thread goes through spmv_team_run. Calls may nest and may
 * come from several application threads at once.
 *
 * A team comes about in one of three ways:
 *
 *     the caller's own      options.parallel_for
 *     OpenMP (openmp.c)     where the compiler has it and SPMV_PTHREADS is not defined
 *     a pool (pool.c)       where SPMV_PTHREADS is defined
 *
 * Without any of them the calling thread does all parts.
 */
#ifndef SPMV_TEAM_H
#define SPMV_TEAM_H

#include "runtime/spmv.h"

/* More threads than any machine has; asking for more is taken for a mistake. */
enum { SPMV_MAX_THREADS = 4096 };

/* Who shares out the work of a plan. */
typedef struct spmv_threads {
    int32_t count;               /* parts that work is cut into, hence threads at most */
    int32_t least;               /* members that a team of more than one should have, 0: as many as
                                    there are parts. OpenMP ends the threads that a smaller team
                                    leaves over, and starts them again for the next larger one */
    spmv_parallel_for *parallel_for;     /* NULL: the library's own way */
    void *context;               /* of parallel_for */
} spmv_threads;

/* The threads that options ask for; 0 stands for all that OpenMP gives, elsewhere for one on each
 * CPU that the process may use. */
spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context);

/* Does run(argument, part) for each of `parts` parts, at most threads->count, and returns when all
 * are done. Each part runs in the floating-point environment of the calling thread. */
void spmv_team_run(const spmv_threads *threads, int32_t parts, spmv_run_part *run, void *argument);

/* Where fewer threads could be had than were wanted, nobody asks for more until this is called. */
void spmv_team_ask_again(void);

/* ---- between team.c and the library's own ways ---------------------------------------------- */

/* The work of one member of a team; members: how many there are. */
typedef void spmv_run_member(const void *job, int32_t member, int32_t members);

/* Does run(job, m, n) for members m = 0 to n-1, the first on the calling thread; n is `wanted`, or
 * less where there are not as many threads. trial: another one after spmv_team_ask_again. */
void spmv_openmp_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job);
void spmv_pool_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job);

/* As many threads as OpenMP gives. */
int32_t spmv_openmp_threads(void);

/* The CPUs that the process may use. */
int32_t spmv_usable_cpus(void);

#endif
