/* shares.h: how many chunks of a multiplication each thread takes, by measured times.
 *
 * Chunks weigh alike, but some take twice as long as others: x is far away, rows are long, the last
 * chunk is small. So the first multiplications on several threads time the chunks. Then each step
 * is cut into ranges of chunks so that the longest range is as short as it can be. No bit of a
 * result depends on the cuts.
 *
 * The cuts stay, so times must not depend on what else the machine does. The least time of each
 * chunk counts, and two threads time it: beside another program's work, one CPU can be slower than
 * the others for as long as all runs last.
 *
 * A step of many chunks is timed in blocks of consecutive chunks. Thread-safe, except for creation
 * and destruction.
 */
#ifndef SPMV_SHARES_H
#define SPMV_SHARES_H

#include "runtime/base/atomic.h"
#include "runtime/core/threads/team.h"
#include "runtime/library/plan/prepared.h"

typedef struct spmv_shares {
    spmv_atomic parts;           /* that the steps are cut into; 0: not cut yet */
    spmv_atomic runs;            /* multiplications that were timed; INT32_MAX: enough */
    int32_t blocks[SPMV_MAX_STEPS];      /* of each step */
    spmv_atomic *time[SPMV_MAX_STEPS];   /* nanoseconds of each block, the least of all runs */
    int64_t *begin[SPMV_MAX_STEPS];      /* the first chunk of each part, and the end */
} spmv_shares;

/* The shares of prepared steps among at most `threads` threads. NULL: out of memory;
 * then all parts have equally many chunks. */
spmv_shares *spmv_shares_create(const spmv_prepared *prepared, int32_t threads);
void spmv_shares_destroy(spmv_shares *shares);

/* Whether the steps are cut into so many parts. */
static inline int spmv_shares_are_cut(const spmv_shares *shares, int32_t parts)
{
    return shares != NULL && spmv_atomic_get(&shares->parts) == parts;
}

/* Multiplies in threads->count parts, into which the steps are cut. */
void spmv_shares_run(const spmv_shares *shares, const spmv_prepared *prepared, const spmv_job *job,
                     const spmv_threads *threads);

/* Multiplies in threads->count parts, and times the blocks. The last of a few such runs cuts the
 * steps into as many parts. The number must be the same in all runs. */
void spmv_shares_run_timed(spmv_shares *shares, const spmv_prepared *prepared, const spmv_job *job,
                           const spmv_threads *threads);

/* Cuts blocks into `parts` consecutive ranges, such that the longest sum of times is as short as it
 * can be. Writes each range's first block to begin, and `blocks` to begin[parts]. The last ranges
 * may be empty. */
void spmv_shares_cut(const spmv_atomic *time, int32_t blocks, int32_t parts, int64_t *begin);

#endif
