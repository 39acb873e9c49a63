/* reference.h: what y = alpha*A*x + beta*y must be, and how far from it a result may be.
 *
 * For each row the sum of a*x and the sum of |a||x| are computed once, in long double. A result of
 * any order of additions, with or without fused multiply-add, passes when for each row of length n
 *
 *     |found - expected| <= 2 * max(n, 1) * eps * (|alpha| * sum |a||x| + |beta*y|)
 *
 * with eps the distance from 1 to the next number of the value type. Rounding to nearest errs by
 * u = eps/2 an operation, and a sum of n products, times alpha, plus beta times y, is n + 3
 * operations deep at most: (n + 3)*u <= 2*max(n, 1)*eps for every n. So nothing correct fails, and
 * the bound is within a factor of four of what a correct method may need; twice that for f64 where
 * long double is no wider (32-bit Arm), since the reference errs too. Where everything is a
 * small integer, results can be asked to be exact instead.
 *
 * A row whose sum is Inf or NaN must be the same Inf or a NaN. A row whose terms do not fit the
 * value type (finite ones whose magnitudes add up to more than its largest number) is not judged.
 *
 * A reference is constant once made; it keeps nothing of the matrix or of x.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv_module.h"

typedef struct bench_reference bench_reference;

/* x has csr->cols values of the matrix's value type. */
spmv_status bench_reference_create(const spmv_csr *csr, const void *x, bench_reference **out);
size_t bench_reference_row_bytes(void);                          /* that it takes */
void bench_reference_destroy(bench_reference *reference);        /* NULL is fine */

/* The row with the largest error, in units of its bound, and how many rows were beyond theirs. */
typedef struct bench_verdict {
    int64_t wrong;               /* rows beyond the bound */
    int64_t unjudged;            /* rows whose terms do not fit the value type */
    double worst;                /* largest error / bound; HUGE_VAL where a bound of 0 was missed */
    int64_t row;                 /* where that was, or the first wrong row; -1: no rows */
    double found, expected, bound;
} bench_verdict;

/* before: y as it was, which may be NULL when beta is 0; y: the result. exact: bounds are 0. */
bench_verdict bench_reference_check(const bench_reference *reference, double alpha, double beta,
                                    const void *before, const void *y, bool exact);

/* true: bench_reference_check finds nothing wrong; false: unknown, ask it. Done in double, and many
 * times as fast, for tests that check millions of rows.
 *
 * Let u = 2^-53 and M = |alpha| * sum |a||x| + |beta*y|. The expected value in double errs by 3u*M at
 * most: the sum is rounded, both products are, and their sum is. So a row within its bound less
 * 3.1u*M is right, where M and the bound, computed in double, are taken for a little less than they are.
 * In f64 some right rows of one or two nonzeros are not recognised, nor are rows whose magnitudes are
 * subnormal or overflow. With exact, integers below 2^31 and factors that are multiples of 1/1024 make
 * no error, and are compared for equality. */
bool bench_reference_agrees(const bench_reference *reference, double alpha, double beta,
                            const void *before, const void *y, bool exact);

#endif
