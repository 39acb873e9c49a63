/* problem.h: the problem of a race: the matrix that the command line names, the product, x, the
 * initial y, and the reference. A problem owns all of them, and is constant once made. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "bench/matrices/rounded.h"
#include "bench/race/product.h"
#include "bench/race/reference.h"
#include "bench/race/source.h"
#include "runtime/spmv.h"

typedef struct bench_problem {
    bench_source source;
    bool borrows_source;         /* from another problem, which lives longer */
    bench_product product;
    bench_rounded rounded;       /* with product.values: the values */
    spmv_csr csr;                /* what is multiplied; it borrows the arrays of source.matrix */
    spmv_csr given;              /* the same for plans: its values may be narrower */
    bench_reference **reference; /* of each column */
    void *x;                     /* X, as bench_product describes it */
    void *before;                /* the initial Y, likewise; all NaN if beta is 0 */
    double alpha, beta;
} bench_problem;

/* On failure returns false with a sentence in error and keeps nothing. */
bool bench_problem_create(const bench_options *options, bench_problem *out, spmv_error *error);

/* Another product with the matrix of `other`. */
bool bench_problem_create_beside(const bench_options *options, const bench_problem *other,
                                 const bench_product *product, bench_problem *out,
                                 spmv_error *error);
void bench_problem_destroy(bench_problem *problem);              /* all zero is fine */

#endif
