/* choice.h: which method a plan would take for a matrix, why, and what each method would move. */
#ifndef BENCH_CHOICE_H
#define BENCH_CHOICE_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/inspect/structure.h"
#include "runtime/spmv.h"

/* Makes a plan for the product of `options`, and prints its method, a sentence with the reason, and
 * a table of all candidates. `structure` is of the matrix that the product is of; `columns` is the
 * width of a line. False, with a sentence in error, if no plan can be made. */
bool bench_choice_print(spmv_device *device, const spmv_csr *csr, const bench_structure *structure,
                        const spmv_plan_options *options, int columns, FILE *out,
                        spmv_error *error);

#endif
