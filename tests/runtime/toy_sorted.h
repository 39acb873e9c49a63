/* toy_sorted.h: a hand-written module with features that few methods need.
 *
 * toy_sorted holds the whole matrix in its own arrays and multiplies rows in the order of their
 * lengths, shortest first. It has two settings, `permuted` (leave y in that order) and `stripe`
 * (rows of a chunk), reports figures, uses scratch for sizing and for its build, and restores
 * row_ptr.
 */
#ifndef TEST_TOY_SORTED_H
#define TEST_TOY_SORTED_H

#include "runtime/spmv_module.h"

extern const spmv_module toy_sorted_f64_i32;
extern const spmv_module *const toy_sorted_modules[];

/* The scratch of the last build. */
extern const void *toy_sorted_scratch;

/* The scratch of the last layout_size, and whether the next build still saw it. */
extern const void *toy_sorted_sizing;
extern int32_t toy_sorted_sees_sizing;

/* If not 0, the number that `figures` returns. */
extern int32_t toy_sorted_figure_count;

/* Whether y is permuted even without the setting. */
extern int32_t toy_sorted_always_permutes;

#endif
