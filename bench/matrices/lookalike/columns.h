/* columns.h: the columns of a look-alike's rows. */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include "bench/matrices/lookalike/model.h"

/* Writes `length` distinct columns of `row` in ascending order; length <= facts->cols. The columns
 * depend only on the arguments, so rows may be made in any order and in parallel. */
void bench_columns_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                        int64_t row, int32_t *col, int64_t length);

#endif
