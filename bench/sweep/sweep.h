/* sweep.h: kernels with other parameters or for other targets than those that are linked in: every
 * combination of --set, for every --target, method and value type. spmvgen emits them, a compiler
 * compiles them, and a cache keeps them for the next run. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/sweep/variant.h"
#include "runtime/spmv.h"

/* A variant by itself, where no grid has all of them. */
typedef struct bench_sweep_item {
    const char *method, *type;   /* "csr5"; "f32" or "f64" */
    const char *set;             /* as bench_variant.set */
} bench_sweep_item;

/* What a command line asks for. */
typedef struct bench_sweep_request {
    const char *const *set;      /* KEY=VALUE,VALUE... */
    const char *const *method;
    size_t set_count, method_count;
    const char *target;          /* names, separated by commas; NULL: this CPU's */
    const char *type;            /* likewise; never NULL */
    const char *offset;          /* NULL: both */
    const char *backend;         /* of another device than the CPU, if named; NULL: none */
    const bench_sweep_item *item;    /* the variants of one target, whose keys are known to be */
    size_t item_count;               /*   right; 0: all combinations of `set` */
} bench_sweep_request;

/* The method that a sweep without --method is compared with: plain loops over CSR. */
extern const char bench_sweep_baseline[];

/* Lists, emits and compiles the variants. Unless it is done, a sentence is in error; *out can be
 * destroyed in any case. Progress goes to stderr. */
bench_sweep_status bench_sweep_create(const bench_sweep_request *request, bench_sweep *out,
                                      spmv_error *error);

/* Removes the temporary files. Call it once the shared objects are loaded. */
void bench_sweep_clean(bench_sweep *sweep);
void bench_sweep_destroy(bench_sweep *sweep);            /* all zero is fine */

/* Whether a variant is built that this machine can run. */
bool bench_sweep_has_built(const bench_sweep *sweep);

/* "illegal", "unusable" or "failed", of a variant that does not race. */
const char *bench_sweep_state_text(bench_variant_state state);

/* Prints the variants that do not race, equal reasons once. */
void bench_sweep_print(const bench_sweep *sweep, FILE *out);

/* Whether a program failed, so that the run is not what the command line asked for. */
bool bench_sweep_has_failed(const bench_sweep *sweep);

#endif
