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

/* How the work of a plan is shared. */
typedef struct spmv_threads {
    int32_t count;               /* parts that work is cut into; at most as many threads run */
    int32_t least;               /* members that a team of more than one should have; 0: one per
                                    part. OpenMP ends the threads that a smaller team does not use,
                                    and must start them again for the next larger team */
    spmv_parallel_for *parallel_for;     /* NULL: OpenMP or the pool */
    void *context;               /* of parallel_for */
} spmv_threads;

/* Calls run(argument, part) for each of `parts` parts, at most threads->count, and returns when all
 * have ended. Each part runs in the floating-point environment of the calling thread. */
void spmv_team_run(const spmv_threads *threads, int32_t parts, spmv_run_part *run, void *argument);

/* Threads for a matrix of these sizes, of `threads` that there are: a small one does not profit
 * from all. */
int32_t spmv_useful_threads(const spmv_csr *csr, int32_t threads);

/* The work of one member of a team of `members`. */
typedef void spmv_run_member(const void *job, int32_t member, int32_t members);

/* ---- from the shell, libspmv or a bundle (core/shell.h) -------------------------------------- */

/* The threads for options.threads and options.parallel_for. wanted == 0: all that there are. */
spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context);

/* At most so many threads may do `parts` parts. */
int32_t spmv_team_most(int32_t parts);

/* Calls run(job, m, n) for members m = 0 to n-1, the first on the calling thread, where n is up to
 * the shell. threads->parallel_for is NULL. */
void spmv_team_start(const spmv_threads *threads, int32_t members, spmv_run_member *run,
                     const void *job);

/* ---- OpenMP's threads, for shells ------------------------------------------------------------ */

/* Calls run(job, m, n) likewise. Returns n, which is `wanted` or less. OpenMP may end the program
 * if it cannot start as many threads. */
int32_t spmv_openmp_team(int32_t wanted, spmv_run_member *run, const void *job);

/* The number of threads for a team that should have `wanted`; 0: as many as OpenMP has. 1 without
 * OpenMP. */
int32_t spmv_openmp_threads(int32_t wanted);

#endif
