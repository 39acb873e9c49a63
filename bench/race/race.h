/* race.h: times the contenders of a matrix side by side, and with them the yardsticks: how fast the
 * machine reads memory, and how fast it reads x at the matrix's columns. */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include "bench/race/companions.h"
#include "bench/race/contender.h"
#include "bench/race/options.h"

/* The results of a race. */
typedef struct bench_report {
    const bench_problem *problem;
    const bench_contender *contenders;
    const bench_runner *runners;     /* of each contender; median 0: not timed */
    size_t count;
    bench_companion companion[BENCH_COMPANIONS];     /* of each contender */
    int threads;
    int competitors;                 /* running threads of other programs, before the race */
    double plain_seconds;            /* of the plain CSR loop; 0: not measured */
    double read_rate, dram_rate;     /* bytes a second; 0: not measured */
    double gather_rate;              /* operations a second of the fastest gather */
    size_t dram_bytes;
    int64_t x_line_bytes;            /* counted as in x_traffic.h; -1: not counted */
    size_t core_cache_bytes;         /* of the cache of the model in x_traffic.h */
} bench_report;

/* Times the correct contenders, their companions and the yardsticks in the same rounds. The
 * baseline of ratios is the plain CSR loop, whatever `rules` says. Fills runners, one for each
 * contender, and the report's rates. Returns 0, -1 if memory runs out, or the nonzero result of a
 * runner. */
int bench_race_contenders(const bench_race *rules, bench_contender *contenders,
                          bench_runner *runners, bench_report *report);

/* Measures memory itself, after the race: reading so large an array in each round would slow other
 * runners down. Returns as above. */
int bench_race_dram(const bench_options *options, const bench_race *rules, bench_report *report);

#endif
