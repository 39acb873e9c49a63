/* race.h: times the contenders of a matrix side by side, and with them the yardsticks: how fast the
 * machine reads memory, and how fast it reads x at the matrix's columns. */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include "bench/report/report.h"

/* Times the correct contenders and the yardsticks in the same rounds. Fills runners, one for each
 * contender, and the report's rates. Returns 0, -1 if memory runs out, or the nonzero result of a
 * runner. */
int bench_race_contenders(const bench_options *options, bench_contender *contenders,
                          bench_runner *runners, bench_report *report);

/* Measures memory itself, after the race: reading so large an array in each round would slow other
 * runners down. Returns as above. */
int bench_race_dram(const bench_options *options, bench_report *report);

#endif
