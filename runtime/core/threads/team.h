/* team.h: the threads that share a piece of work.
 *
 * Work is cut into parts before threads are started, so that results never depend on the number of
 * threads; with fewer threads than parts, each does several. All multi-threaded code of the library
 * goes through spmv_team_run. Calls may nest, and may come from several application threads
 * concurrently.
 *
 * Teams have three implementations:
 *
 *     the caller's own        options.parallel_for
 *     OpenMP's                where the compiler has it. libspmv first makes sure that the threads
 *                             can be started
 *     a pool's, in libspmv    where SPMV_PTHREADS is defined, instead of OpenMP's
 *
 * Without any of them the calling thread does all parts.
 */
#ifndef SPMV_TEAM_H
#define SPMV_TEAM_H

#include "runtime/spmv.h"

/* More threads than any machine has. Asking for more is an error. */
enum { SPMV_MAX_THREADS = 4096 };

/* What one thread writes and another reads at once begins at a line of the caches. */
#if SPMV_BUNDLE
#define SPMV_LINE_ALIGNED
#else
enum { SPMV_LINE_BYTES = 64 };
#ifdef __GNUC__
#define SPMV_LINE_ALIGNED __attribute__((aligned(64)))
#else
#define SPMV_LINE_ALIGNED
#endif
#endif

/* How the work of a plan is shared. */
typedef struct spmv_threads {
    int32_t count;               /* parts that work is cut into; at most as many threads run */
    int32_t least;               /* members that a team of more than one should have; 0: one per
                                    part. OpenMP ends the threads that a smaller team does not use,
                                    and must start them again for the next larger team */
    spmv_parallel_for *parallel_for;     /* NULL: OpenMP or the pool */
    void *context;               /* of parallel_for */
} spmv_threads;

/* The threads for options.threads and options.parallel_for. wanted == 0: as many as OpenMP has,
 * within the process's quota of CPUs; without OpenMP or with parallel_for, one for each CPU that
 * the process may use. In a bundle it is not 0 with parallel_for; without OpenMP and parallel_for
 * there is one. */
spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context);

/* Calls run(argument, part) for each of `parts` parts, at most threads->count, and returns when all
 * have ended. Each part runs in the floating-point environment of the calling thread. */
void spmv_team_run(const spmv_threads *threads, int32_t parts, spmv_run_part *run, void *argument);

/* After threads could not be started, no more are requested until this call. */
void spmv_team_retry(void);

/* ---- the members of a team, for its implementations ------------------------------------------ */

/* The work of one member of a team of `members`. */
typedef void spmv_run_member(const void *job, int32_t member, int32_t members);

/* Calls run(job, m, n) for members m = 0 to n-1, the first on the calling thread. Returns n, which
 * is `wanted` or less. OpenMP may end the program if it cannot start as many threads. */
int32_t spmv_openmp_team(int32_t wanted, spmv_run_member *run, const void *job);

/* The same, but n is less than `wanted` if fewer threads could be started. trial: a number that
 * changes with each spmv_team_retry. */
void spmv_openmp_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job);
void spmv_pool_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job);

/* The number of threads for a team that should have `wanted`; 0: as many as OpenMP has. 1 without
 * OpenMP. */
int32_t spmv_openmp_threads(int32_t wanted);

/* As many as OpenMP has; at most as many as the quota of CPUs is worth, unless the user or the
 * program has set OpenMP's number. */
int32_t spmv_openmp_usable_threads(void);

#endif
