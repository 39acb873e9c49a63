/* suite.h: the matrices that tune takes if the command line names none. */
#ifndef BENCH_TUNE_SUITE_H
#define BENCH_TUNE_SUITE_H

enum { BENCH_TUNE_SUITE = 18 };

/* Look-alikes of different classes, of 1 to 9 million nonzeros. */
extern const char *const bench_tune_suite[BENCH_TUNE_SUITE];

#endif
