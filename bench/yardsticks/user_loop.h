/* user_loop.h: y = A*x as a program writes it without a library: two loops over a CSR of base 0.
 *
 * Unlike plain_csr.h it has no alpha, no beta and no threads, so that nothing is left out that a
 * small matrix could notice. One file is compiled with two sets of options.
 */
#ifndef BENCH_USER_LOOP_H
#define BENCH_USER_LOOP_H

#include <stdint.h>

typedef void bench_user_loop(int64_t rows, const void *row_ptr, const int32_t *col,
                             const void *val, const void *x, void *y);

/* [offsets are i64][values are f64] */
extern bench_user_loop *const bench_user_loops[2][2];            /* -O3, for any CPU */
extern bench_user_loop *const bench_user_loops_native[2][2];     /* -O3, for this CPU */

#endif
