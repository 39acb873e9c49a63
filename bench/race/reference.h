/* reference.h: the reference for y = alpha*A*x + beta*y, and the bound of a result's error.
 *
 * For each row the sum of a*x and the sum of |a||x| are computed once, in long double. Additions
 * may have any order, with or without fused multiply-add. A result passes if for each row of length
 * n
 *
 *     |found - expected| <= 2 * max(n, 1) * eps * (|alpha| * sum |a||x| + |beta*y|)
 *
 * with eps the distance from 1 to the next number of the value type. Rounding to nearest errs by at
 * most u = eps/2 in an operation. A sum of n products, times alpha, plus beta times y, is at most n
 * + 3 operations deep, and (n + 3)*u <= 2*max(n, 1)*eps for every n. So no correct result fails,
 * and the bound is at most four times the largest error of a correct method. For f64 the bound is
 * doubled if long double is no wider (32-bit Arm), since the reference errs, too. Results of small
 * integers can be required to be exact instead.
 *
 * The result of a row whose sum is Inf or NaN must be the same Inf or a NaN. A row is not judged if
 * its terms are finite but the sum of their magnitudes exceeds the largest number of the value
 * type.
 *
 * A reference is constant once made; it keeps no pointer to the matrix or to x.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv_module.h"

typedef struct bench_reference bench_reference;

/* x has csr->cols values of the matrix's value type; or csr->rows for the product with the
 * transpose, whose rows are the columns of the matrix. */
spmv_status bench_reference_create(const spmv_csr *csr, const void *x, bench_reference **out);
spmv_status bench_reference_create_transposed(const spmv_csr *csr, const void *x,
                                              bench_reference **out);
size_t bench_reference_row_bytes(void);                          /* memory for each row */
void bench_reference_destroy(bench_reference *reference);        /* NULL is fine */

/* The row with the largest error over its bound, and the number of rows beyond their bound. */
typedef struct bench_verdict {
    int64_t wrong;               /* rows beyond the bound */
    int64_t unjudged;            /* rows whose terms do not fit the value type */
    double worst;                /* largest error / bound; HUGE_VAL: a bound of 0 was missed */
    int64_t row;                 /* of `worst`, or the first wrong row; -1: no rows */
    double found, expected, bound;
} bench_verdict;

/* Checks the result y. before: the initial y; may be NULL if beta is 0. exact: all bounds are 0. */
bench_verdict bench_reference_check(const bench_reference *reference, double alpha, double beta,
                                    const void *before, const void *y, bool exact);

/* A fast check in double, for tests of millions of rows. True: bench_reference_check would find
 * nothing wrong. False: unknown; call bench_reference_check.
 *
 * Let u = 2^-53 and M = |alpha| * sum |a||x| + |beta*y|. The expected value in double errs by at
 * most 3u*M: the sum, both products and their sum are rounded. So a row is right if its error is
 * below its bound by 3.1u*M; M and the bound, computed in double, are reduced to cover their own
 * rounding. In f64 some right rows of one or two nonzeros are not recognised, nor are rows whose
 * magnitudes are subnormal or overflow. With exact, integers below 2^31 and factors that are
 * multiples of 1/1024 cause no error and are compared for equality. */
bool bench_reference_agrees(const bench_reference *reference, double alpha, double beta,
                            const void *before, const void *y, bool exact);

#endif
