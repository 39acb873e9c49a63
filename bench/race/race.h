/* race.h: times the contenders of a matrix side by side, and with them the yardsticks: how fast the
 * machine reads memory, and how fast it reads x at the matrix's columns. */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include "bench/race/companions.h"
#include "bench/race/contender.h"
#include "bench/race/options.h"
#include "bench/yardsticks/copies.h"

/* Memory itself, which is the same for all races. Rates are in bytes a second; 0: not measured. */
typedef struct bench_memory {
    double read_rate;
    size_t read_bytes;               /* of the array */
    double copy_rate[BENCH_COPY_KINDS];
    size_t copy_bytes;               /* of one of the arrays */
} bench_memory;

/* The results of a race. */
typedef struct bench_report {
    const bench_problem *problem;
    const bench_contender *contenders;
    const bench_runner *runners;     /* of each contender; median 0: not timed */
    size_t count;
    bench_companion companion[BENCH_COMPANIONS];     /* of each contender */
    bool ones;                       /* x and all values of A are 1 */
    int threads;
    int competitors;                 /* running threads of other programs, before the race */
    double plain_seconds;            /* of the plain CSR loop; 0: not measured */
    double read_rate;                /* bytes a second; 0: not measured */
    double gather_rate;              /* operations a second of the fastest gather */
    bench_memory memory;
    /* Counted as in x_traffic.h, with a core's second cache and with its first; -1: not counted */
    int64_t x_line_bytes, x_l1_line_bytes;
    size_t core_cache_bytes, l1_cache_bytes;
} bench_report;

/* Times the correct contenders, their companions and the yardsticks in the same rounds. The
 * baseline of ratios is the plain CSR loop, whatever `rules` says. Fills runners, one for each
 * contender, and the report's rates. Returns 0, -1 if memory runs out, or the nonzero result of a
 * runner. */
int bench_race_contenders(const bench_race *rules, bench_contender *contenders,
                          bench_runner *runners, bench_report *report);

/* Measures memory itself, after the race: reading so large an array in each round would slow other
 * runners down. Copies only with --details. Returns as above. */
int bench_race_memory(const bench_options *options, const bench_race *rules, int threads,
                      bench_memory *out);

#endif
