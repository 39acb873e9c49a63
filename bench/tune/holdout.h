/* holdout.h: which matrices the search sees, and which only the validation. */
#ifndef BENCH_TUNE_HOLDOUT_H
#define BENCH_TUNE_HOLDOUT_H

#include <stddef.h>
#include <stdint.h>

enum { BENCH_FEWEST_MATRICES = 3 };

/* A split of matrices by their numbers. */
typedef struct bench_holdout {
    size_t *search, *validation;
    size_t searches, validations;
} bench_holdout;

/* Shuffles the numbers of 3 or more matrices by the seed; every third is for the validation. All
 * zero: out of memory. */
bench_holdout bench_holdout_make(size_t matrices, uint64_t seed);
void bench_holdout_free(bench_holdout *holdout);         /* all zero is fine */

#endif
