/* inputs.h: the matrices that a command line names, in its order.
 *
 * An input is a text that names one matrix (bench/race/input.h): a file's path, "-",
 * lookalike:NAME, model:NAME:... All commands take the same inputs; records name a matrix by this
 * text. Folders and patterns become paths, in the order of their names; --poisson, --shape and
 * --lookalike become texts, too. Equal texts are one input. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include "bench/race/options.h"

#include "runtime/spmv.h"

typedef struct bench_inputs {
    char **text;                 /* owned */
    size_t count;                /* at least 1 */
} bench_inputs;

/* Expands folders and patterns, and checks all names. False, with a sentence in error, if an
 * input does not exist; *out then holds nothing. A file that does not exist is an input all the
 * same: reading it fails, and the other inputs go on. */
bool bench_inputs_create(const bench_options *options, bench_inputs *out, spmv_error *error);
void bench_inputs_destroy(bench_inputs *inputs);         /* all zero is fine */

/* The options for one input. They borrow from both arguments. */
bench_options bench_inputs_options(const bench_options *options, const bench_inputs *inputs,
                                   size_t index);

#endif
