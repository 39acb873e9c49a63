/* spmvgen.h: the program spmvgen: where it is, and what it says. */
#ifndef BENCH_SPMVGEN_H
#define BENCH_SPMVGEN_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/sweep/module_cache.h"
#include "runtime/spmv.h"

typedef struct bench_spmvgen {
    char path[BENCH_CACHE_PATH];
    char printed[BENCH_CACHE_PATH];      /* the file for its output */
} bench_spmvgen;

/* Finds spmvgen: SPMVGEN of the environment, beside spmvbench, or in PATH. False, with a sentence
 * in error: nowhere. `folder` is for temporary files. */
bool bench_spmvgen_find(const char *folder, bench_spmvgen *out, spmv_error *error);

/* `spmvgen --target TARGET --explain WHAT`. Returns the output, to be freed. NULL: an error, whose
 * text is in error. */
char *bench_spmvgen_explain(const bench_spmvgen *spmvgen, const char *target, const char *what,
                            spmv_error *error);

/* `spmvgen --target TARGET --tunable`: likewise. */
char *bench_spmvgen_tunable(const bench_spmvgen *spmvgen, const char *target, spmv_error *error);

/* The error in an output of spmvgen: its first line, with the place of the note that follows. To
 * be freed. */
char *bench_spmvgen_reason(const char *output);

#endif
