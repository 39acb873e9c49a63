/* toy_sorted.h: a hand-written module that uses what few methods need.
 *
 * toy_sorted keeps the whole matrix in arrays of its own and multiplies its rows in the order of
 * their lengths, shortest first. It has two settings, `permuted` (leave y in that order) and
 * `stripe` (rows of a chunk), tells figures, takes scratch for sizing and for its build, and gives
 * row_ptr back.
 */
#ifndef TOY_SORTED_H
#define TOY_SORTED_H

#include "runtime/spmv_module.h"

extern const spmv_module toy_sorted_f64_i32;
extern const spmv_module *const toy_sorted_modules[];

/* The scratch of the last build. */
extern const void *toy_sorted_scratch;

/* The scratch of the last layout_size, and whether the build after it still had that. */
extern const void *toy_sorted_sizing;
extern int32_t toy_sorted_sees_sizing;

/* If set, what `figures` says it wrote. */
extern int32_t toy_sorted_figure_count;

/* Whether y is permuted without the setting, too. */
extern int32_t toy_sorted_always_permutes;

#endif
