/* rounded.h: the values of a matrix, rounded to a narrower type: f32, f16 or bf16. */
#ifndef BENCH_ROUNDED_H
#define BENCH_ROUNDED_H

#include "runtime/spmv_module.h"

typedef struct bench_rounded {
    spmv_value_type type;        /* 0: nothing is rounded */
    void *narrow;                /* in this type */
    void *wide;                  /* the same numbers in the matrix's value type */
} bench_rounded;

/* "f32", "f16", "bf16". */
const char *bench_rounded_name(spmv_value_type type);

/* Rounds to nearest. type: narrower than csr->value_type. SPMV_INVALID_ARGUMENT: entry *too_large
 * is finite and would become infinite. On failure *out has nothing. */
spmv_status bench_rounded_create(const spmv_csr *csr, spmv_value_type type, bench_rounded *out,
                                 int64_t *too_large);
void bench_rounded_destroy(bench_rounded *rounded);              /* all zero is fine */

#endif
