/* suites.h: the matrices that a paper measures, as the inputs suite:PAPER and suite:PAPER:MILLIONS.
 */
#ifndef BENCH_SUITES_H
#define BENCH_SUITES_H

#include "bench/inputs/folder.h"

#include "runtime/spmv.h"

/* Appends the look-alikes of a suite's matrices, in the paper's order: of all, or of those with at
 * most MILLIONS million nonzeros. text: "suite:csr5:10". False, with a sentence in error, if
 * there is no such suite. */
bool bench_suite_list(const char *text, bench_texts *out, spmv_error *error);

/* Whether a text begins as that of a suite. */
bool bench_is_suite(const char *text);

#endif
