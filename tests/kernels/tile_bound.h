/* tile_bound.h: the bound of a result's error where the rows of a tile share sums.
 *
 * A difference of prefix sums has the error of the prefixes, so a small row takes part of the error
 * of a large row beside it (csr5 with segmented_sum = "prefix_difference"). A result passes if for
 * each row of length n
 *
 *     |found - expected| <= 2 * max(n, 1) * eps * (|alpha| * sum |a||x| + |beta*y|)
 *                           + 2 * omega * eps * |alpha| * near
 *
 * with near the sum of |a||x| of all nonzeros that may lie in a tile with one of the row's. The
 * first line is the bound of reference.h. The second is that of two prefixes of omega heads: each
 * is at most omega - 1 additions deep, so their difference errs by at most omega * eps times the
 * sum of the tile's |a||x|; a factor of 2 covers the rounding of the heads themselves.
 *
 * Rows are not judged if a bound exceeds the value type, or is Inf or NaN.
 */
#ifndef TEST_TILE_BOUND_H
#define TEST_TILE_BOUND_H

#include "bench/race/reference.h"
#include "cases.h"

/* The tile's size follows from the module's parameters omega and sigma, or s where sigma is chosen
 * by the matrix. Without them, the whole matrix counts as a tile. wrong < 0: out of memory. */
bench_verdict test_tile_bound_check(const spmv_module *module, const test_input *input,
                                    double alpha, double beta, const void *before, const void *y);

#endif
