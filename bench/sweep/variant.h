/* variant.h: the variants of a sweep: which there are, and what became of each. */
#ifndef BENCH_SWEEP_VARIANT_H
#define BENCH_SWEEP_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "bench/sweep/module_cache.h"

enum { BENCH_MAX_VARIANTS = 4096, BENCH_SWEEP_NAMES = 16 };

typedef enum bench_variant_state {
    BENCH_VARIANT_WAITING, BENCH_VARIANT_EMITTING, BENCH_VARIANT_EMITTED, BENCH_VARIANT_COMPILING,
    BENCH_VARIANT_BUILT,
    BENCH_VARIANT_ILLEGAL,       /* spmvgen refuses the combination */
    BENCH_VARIANT_UNUSABLE,      /* this machine cannot run it */
    BENCH_VARIANT_FAILED         /* a program failed */
} bench_variant_state;

typedef struct bench_sweep_target {
    char *word;                  /* of the command line: a name, "host" or FILE.lua */
    char *name, *backend;        /* of the page */
    bool has_built;              /* a kernel of it was compiled, and this machine can run it */
    int failures;                /* of the compiler */
    bench_variant_state given_up;    /* the state of the variants that are not compiled */
    char *reason;                /* why it is given up; NULL: it is not */
} bench_sweep_target;

/* A module's method, target, value type and values of --set: one shared object. */
typedef struct bench_variant {
    const char *method, *type;   /* "csr5"; "f32" or "f64" */
    bench_sweep_target *target;
    char *set;                   /* "csr5.omega=4 csr5.sigma=8", sorted by key; or "" */
    char *file;                  /* the shared object */
    char *reason;                /* why it is not built, with the place; NULL: it is */
    bench_variant_state state;
    uint64_t key;                /* of the shared object in the cache */
    pid_t program;               /* that works at it */
} bench_variant;

typedef struct bench_sweep {
    bench_sweep_target target[BENCH_SWEEP_NAMES];
    size_t target_count;
    bench_variant *variant;      /* the methods of a target and type, each with its combinations */
    size_t count;
    char *method[BENCH_SWEEP_NAMES];
    size_t method_count;
    bool with_baseline;          /* no --method: the linked-in baseline races, too */
    char *temporary;             /* a folder; NULL: none */
} bench_sweep;

typedef enum bench_sweep_status {
    BENCH_SWEEP_DONE,            /* at least one variant is built */
    BENCH_SWEEP_FAILED, BENCH_SWEEP_WRONG_COMMAND, BENCH_SWEEP_INTERRUPTED
} bench_sweep_status;

#endif
