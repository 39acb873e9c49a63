/* columns.h: which columns the rows of a look-alike have. */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include "bench/matrices/lookalike/model.h"

/* Writes `length` different columns of `row` in ascending order; length <= facts->cols. They depend
 * on nothing but the arguments, so rows may be made in any order and at once. */
void bench_columns_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                        int64_t row, int32_t *col, int64_t length);

#endif
