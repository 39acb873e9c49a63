/* record.h: the records of a run, as docs/reference/records.md describes them, and how they are
 * read.
 *
 * A file owns all strings of its records; they live until bench_records_free. Numbers that a record
 * lacks are NaN, counts -1, texts "".
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_record_matrix {
    const char *input, *name, *type, *offset;
    int64_t rows, cols, nnz;
    double csr_bytes, read_rate, dram_rate;  /* rates in 10^9 bytes a second */
    int64_t competitors;
    bool complete;
} bench_record_matrix;

typedef struct bench_record_result {
    size_t matrix;               /* index in bench_records.matrix */
    const char *method, *target, *settings, *module, *failure;
    const char *set;             /* "csr5.sigma=8 csr5.omega=4", in the order of the names; or "" */
    bool peer, benchmark_only, correct, left_out;
    int64_t samples, layout_bytes;
    double seconds, low, high, fastest, ratio, ratio_low, ratio_high, gflops;
    double prepare_seconds, update_seconds, error_over_bound;
} bench_record_result;

typedef struct bench_records {
    const char *path;            /* as given */
    const char *version, *cpu, *compiler, *time;     /* of the last run */
    const char *command;         /* its words, quoted for a shell */
    int64_t threads;
    bool ended, complete;        /* the last run has an `end`, and that says complete */

    /* A later group replaces an earlier one of the same input, type and offset. */
    bench_record_matrix *matrix;
    size_t matrix_count;
    bench_record_result *result; /* grouped by matrix, in the order of the file */
    size_t result_count;
    void *owned;                 /* for bench_records_free */
} bench_records;

/* Reads a file of --save; "-" is standard input. A last line without line feed is ignored. On
 * failure returns false with a sentence in message that names the file and the line, and keeps
 * nothing. */
bool bench_records_read(const char *path, bench_records *out, char *message, size_t message_bytes);
void bench_records_free(bench_records *records);     /* all zero is fine */

#endif
