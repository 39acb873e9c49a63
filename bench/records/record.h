/* record.h: the records of a run, as docs/reference/records.md describes them, and how to read
 * them.
 *
 * A bench_records owns all strings of its records; they live until bench_records_free. Numbers that
 * a record lacks are NaN, counts -1, texts "".
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/records/fields.h"
#include "runtime/spmv.h"

typedef struct bench_record_matrix {
    const char *input, *name, *type, *offset;
    const char *row_lengths, *spy;       /* JSON; "": none */
    const char *stream;          /* likewise: rates of STREAM's loops by name */
    int64_t rows, cols, nnz, empty_rows, min_row, max_row;
    double average_row, alpha, beta;
    double csr_bytes, read_rate, dram_rate;  /* rates in 10^9 bytes a second */
    double gather_rate;          /* 10^9 operations a second */
    double plain_seconds;        /* of the plain CSR loop */
    bool transposed;             /* the product is with the transpose of A */
    int64_t columns;             /* vectors, at least 1 */
    const char *order;           /* of several: "row" or "column"; else "" */
    const char *values;          /* the type that values are rounded to; "": they are not */
    int64_t dram_bytes, x_line_bytes, core_cache_bytes, x_l1_line_bytes, l1_cache_bytes;
    bool ones;                   /* x and all values of A are 1 */
    int64_t competitors;
    int64_t results;             /* how many belong to it; the writer counts */
    bool complete;               /* false, too, if the file has fewer results */
} bench_record_matrix;

typedef struct bench_record_result {
    size_t matrix;               /* index in bench_records.matrix */
    const char *method, *target, *settings, *module, *failure;
    const char *device;          /* the name of a device that is not the CPU; or "" */
    const char *set;             /* "csr5.sigma=8 csr5.omega=4", in the order of the names; or "" */
    const char *figures;         /* what the layout is made of: numbers by name, a JSON object */
    const char *build_steps;     /* seconds of each step of building the layout, likewise */
    bool peer, benchmark_only, correct, left_out;
    bool permuted_y;             /* its y is not in the order of the rows */
    int64_t samples, layout_bytes, workspace_bytes, unjudged_rows;
    double seconds, low, high, fastest, ratio, ratio_low, ratio_high, gflops;
    double prepare_seconds, update_seconds, restore_seconds, error_over_bound;
    /* Where the product is transposed: the time of A x by the same method; the time of this product
     * over that, in the same rounds */
    double of_a_seconds, of_a_ratio;
    double of_one_seconds, of_one_ratio;     /* likewise of one vector, where there are several */
    double of_type_seconds, of_type_ratio;   /* likewise with the values as they are, where values
                                                are rounded */
    double of_type_bytes;        /* bytes of the matrix, x and y, over those with these values */
    int64_t matrix_bytes;        /* of the matrix that a multiplication reads, as it is stored */
    double kernels_seconds, host_seconds, copies_seconds;    /* NaN: it runs on the CPU */
} bench_record_result;

/* A combination of a sweep that does not race. */
typedef struct bench_record_illegal {
    const char *method, *set, *target, *type;    /* as in a result and in a matrix */
    const char *why, *reason;    /* "illegal", "unusable" or "failed" */
} bench_record_illegal;

typedef struct bench_records {
    const char *path;            /* as given */
    const char *version, *cpu, *compiler, *time;     /* of the last run */
    const char *command;         /* its words, quoted for a shell */
    const char *command_json;    /* the same as an array in JSON */
    int64_t threads;
    bool ended, complete;        /* the last run has an `end`, and that says complete */

    /* A later group replaces an earlier one of the same input, types and product. */
    bench_record_matrix *matrix;
    size_t matrix_count;
    bench_record_result *result; /* grouped by matrix, in the order of the file */
    size_t result_count;
    bench_record_illegal *illegal;   /* of the last run */
    size_t illegal_count;
    void *owned;                 /* for bench_records_free */
} bench_records;

/* Reads a file of --save; "-" is standard input. A last line without line feed is ignored. On
 * failure returns false with a sentence in error that names the file and the line, and keeps
 * nothing. */
bool bench_records_read(const char *path, bench_records *out, spmv_error *error);
void bench_records_free(bench_records *records);     /* all zero is fine */

/* The same from a stream, which the caller closes; name: for messages, and the path of *out. */
bool bench_records_read_stream(FILE *file, const char *name, bench_records *out, spmv_error *error);

/* A matrix or a result without any number. */
bench_record_matrix bench_record_matrix_empty(void);
bench_record_result bench_record_result_empty(void);

/* Floating point operations: two for each nonzero and vector. */
double bench_record_flops(const bench_record_matrix *matrix);

/* Bytes of X and of Y, all vectors. */
double bench_record_x_bytes(const bench_record_matrix *matrix);
double bench_record_y_bytes(const bench_record_matrix *matrix);

/* Index of the group with the input, the types and the product of `key`; matrix_count: none. */
size_t bench_records_find(const bench_records *records, const bench_record_matrix *key);

/* The results of a matrix are result[first .. first + count - 1]. */
size_t bench_records_first_result(const bench_records *records, size_t matrix, size_t *count);

/* Whether both are of one contender: method, target, parameters and settings. */
bool bench_records_same_contender(const bench_record_result *a, const bench_record_result *b);

/* Add a copy, strings included. A matrix takes the place of an earlier one of its group, whose
 * results are dropped. False: out of memory. */
bool bench_records_add_matrix(bench_records *records, const bench_record_matrix *matrix,
                              size_t *index);
bool bench_records_add_result(bench_records *records, const bench_record_result *result);
bool bench_records_add_illegal(bench_records *records, const bench_record_illegal *illegal);

/* A copy of text that the records own; NULL: out of memory. */
const char *bench_records_own(bench_records *records, const char *text);

/* Replaces the texts of a record by such copies. False: out of memory. */
bool bench_records_own_all(bench_records *records, const bench_fields *fields, void *record);

#endif
