/* options.h: spmvbench's command line. Strings point into argv. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/output/about.h"

enum { BENCH_MAX_NAMES = 16 };

typedef struct bench_names {
    const char *name[BENCH_MAX_NAMES];
    size_t count;
} bench_names;

typedef struct bench_options {
    const char *file;            /* .mtx or .mtx.gz; "-": standard input; NULL: none */
    const char *shape;           /* NULL: none */
    const char *lookalike;       /* NULL: none; "list"; with a file, a class */
    int64_t poisson;             /* side of the cube; 0: not given */
    int64_t size, seed;          /* size -1: the typical size */
    const char *type, *offset;   /* "f32" or "f64"; "i32" or "i64" */
    bench_names methods, modules, settings, backends;
    bench_names peers;           /* shared objects */
    const char *device;          /* as in spmv_device_options; with a backend, part of a name */
    const char *target, *json;   /* these three NULL: not given */
    int64_t threads, rounds, runs;       /* 0: not given */
    int64_t dram;                /* MB of the array that measures memory; -1: not given */
    double alpha, beta, seconds;
    bool all, all_peers, details, explain, measure, statistics, force, list;
    bench_about about;
} bench_options;

/* Fills *out. False, with a sentence in message, if the command line is wrong. */
bool bench_options_parse(int argc, char *const *argv, bench_options *out, char *message,
                         size_t message_bytes);

/* spmvbench's table of options, and what surrounds it in help and man page. */
const sg_program *bench_options_program(void);

#endif
