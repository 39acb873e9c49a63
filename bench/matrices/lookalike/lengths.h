/* lengths.h: how long the rows of a look-alike are. */
#ifndef BENCH_LENGTHS_H
#define BENCH_LENGTHS_H

#include "bench/matrices/lookalike/model.h"

/* Draws a length for each row, the model's, and fits them to the facts: the shortest and the
 * longest are row_min and row_max where these are known, and they add up to nnz. `length` has
 * facts->rows places. On failure a sentence is in message: facts that contradict each other are
 * SPMV_INVALID_MATRIX. */
spmv_status bench_lengths_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                               int32_t *length, char *message, size_t message_bytes);

#endif
