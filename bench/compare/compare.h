/* compare.h: two runs, contender by contender: what became faster or slower beyond the noise.
 *
 * Contenders are the same if input, value type, type of row pointers, method, target, parameters
 * and settings are. A change is beyond the noise if the 95 % confidence intervals of both medians
 * have no number in common. Pure functions of two files of records.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench/records/record.h"

typedef enum bench_change {
    BENCH_UNCHANGED,             /* within the noise */
    BENCH_FASTER,
    BENCH_SLOWER,
    BENCH_BROKEN,                /* right before, wrong now */
    BENCH_MENDED                 /* wrong before, right now */
} bench_change;

enum { BENCH_CHANGES = BENCH_MENDED + 1 };

/* A contender of both runs. Its times are seconds, or with `relative` the time over that of the
 * plain CSR loop. NaN: not timed. */
typedef struct bench_pair {
    const bench_record_result *before, *after;
    const bench_record_matrix *matrix;
    double before_time, after_time;
    double ratio;                /* after_time / before_time: above 1 is slower */
    bench_change change;
} bench_pair;

typedef struct bench_comparison {
    bench_pair *pair;            /* broken ones first, then by ratio, the slowest first */
    size_t count;
    size_t changes[BENCH_CHANGES];
    size_t only_before, only_after;      /* contenders of one run alone */
    double mean_ratio;           /* geometric, of all pairs that were timed; NaN: there are none */
} bench_comparison;

/* `relative`: compares times over that of the plain CSR loop of the same rounds, which a machine
 * that is slower as a whole does not change. False: out of memory. */
bool bench_compare(const bench_records *before, const bench_records *after, bool relative,
                   bench_comparison *out);
void bench_comparison_free(bench_comparison *comparison);    /* all zero is fine */

/* Whether a pair is worse by more than `limit`, as in 0.05, beyond the noise, or broken. */
bool bench_pair_fails(const bench_pair *pair, double limit);

#endif
