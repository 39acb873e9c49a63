/* value_set.h: other values for a matrix, to measure what the values are worth. */
#ifndef BENCH_VALUE_SET_H
#define BENCH_VALUE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/matrices/matrix.h"

enum { BENCH_VALUE_SET_MOST = 65536 };

typedef struct bench_value_set {
    int64_t distinct;            /* values are this many different ones; 0: any number */
    bool single;                 /* f32 has all of them */
} bench_value_set;

/* Reads "f32", "random", or the number of different values. False: it is none of these. */
bool bench_value_set_parse(const char *text, bench_value_set *out);

/* What the set is, for names: "6 different values". Returns buffer. */
const char *bench_value_set_name(const bench_value_set *set, char *buffer, size_t bytes);

/* Replaces all values of a matrix, rounded to its type. A value depends on the seed and on the
 * entry's row and column, which may be exchanged: a symmetric structure gets symmetric values. */
void bench_value_set_apply(const bench_value_set *set, uint64_t seed, bench_matrix *matrix);

#endif
