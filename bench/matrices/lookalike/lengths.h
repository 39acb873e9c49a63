/* lengths.h: the row lengths of a look-alike. */
#ifndef BENCH_LENGTHS_H
#define BENCH_LENGTHS_H

#include "bench/matrices/lookalike/model.h"

#include "runtime/spmv.h"

/* Draws a length for each row from the model and fits the lengths to the facts: the shortest and
 * the longest are row_min and row_max if known, and the sum is nnz. `length` has facts->rows
 * elements. On failure a sentence is in error; SPMV_INVALID_MATRIX: the facts contradict each
 * other. */
spmv_status bench_lengths_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                               int32_t *length, spmv_error *error);

#endif
