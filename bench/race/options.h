/* options.h: spmvbench's command line. Strings point into argv, except `input`. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/output/about.h"
#include "runtime/spmv.h"

enum { BENCH_MAX_NAMES = 16, BENCH_MAX_TYPES = 2 };

typedef struct bench_names {
    const char *name[BENCH_MAX_NAMES];
    size_t count;
} bench_names;

/* A word of the command line that is no option. */
typedef struct bench_operand {
    const char *word;
    bool is_path;                /* stands behind "--": a file, whatever its name */
} bench_operand;

typedef struct bench_options {
    bench_operand *operand;      /* owned: bench_options_destroy */
    size_t operand_count;
    const char *input;           /* the one matrix to make: set by bench_inputs_options */
    const char *shape;           /* NULL: none */
    const char *lookalike;       /* NULL: none; "list"; with operands, a class */
    int64_t poisson;             /* side of the cube; 0: not given */
    int64_t size, seed;          /* size -1: the typical size */
    const char *type;            /* "f32" or "f64"; or both with a comma between */
    const char *offset;          /* "i32" or "i64"; NULL: as many bits as needed */
    bench_names methods, modules, settings, backends, sets;
    bench_names peers;           /* shared objects */
    const char *device;          /* as in spmv_device_options; with a backend, part of a name */
    const char *target;          /* names, separated by commas; NULL: not given */
    const char *json;            /* NULL: not given */
    bench_names saves;           /* files of records */
    const char *resume;          /* such a file to continue; NULL: not given */
    const char *budget_text;     /* "10m"; NULL: not given */
    double budget;               /* the same in seconds; 0: not given */
    const char *report;          /* a page of HTML; NULL: not given */
    int64_t threads, rounds, runs;       /* 0: not given */
    int64_t dram;                /* MB of the array that measures memory; -1: not given */
    double alpha, beta, seconds;
    bool transposed;             /* multiply by the transpose */
    bool ones;                   /* x and all values of A are 1 */
    int64_t columns;             /* vectors; 0: not given */
    const char *order;           /* "row" or "column"; NULL: not given */
    const char *values;          /* "f32", "f16" or "bf16"; NULL: not given */
    bool quiet;                  /* not an option: races print failures alone */
    bool all, all_peers, details, explain, measure, statistics, force, list;
    bench_about about;
} bench_options;

/* Fills *out. False, with a sentence in error, if the command line is wrong; *out then owns
 * nothing. */
bool bench_options_parse(int argc, char *const *argv, bench_options *out, spmv_error *error);
void bench_options_destroy(bench_options *options);

/* For option tables: sg_option_table.operand of a program whose options begin with a bench_options
 * that bench_options_begin prepared. */
bool bench_options_take_operand(void *options, const char *word, bool ended, spmv_error *error);

/* For option tables: sg_option.add of a bench_names. */
void bench_options_add_name(void *options, void *names, const char *value);

/* Sets the defaults, and makes space for the operands of a command line. False: out of memory. */
bool bench_options_begin(bench_options *options, int argc);

/* "90", "90s", "10m", "1h30m" in seconds; 0: none of these. */
double bench_options_duration(const char *text);

/* The value types of `type`, in its order. Returns their number. */
size_t bench_options_types(const bench_options *options, const char *type[BENCH_MAX_TYPES]);

/* Whether options ask for kernels that must be emitted: --set, or a page's file as --target. */
bool bench_options_sweep(const bench_options *options);

/* spmvbench's table of options, and what surrounds it in help and man page. details: also the
 * columns of --details and --explain. */
sg_program bench_options_program(bool details);

#endif
