/* write.h: writes records, as JSON Lines (docs/reference/records.md) or as CSV. Pure functions of
 * the records; errors stay in the stream. */
#ifndef BENCH_WRITE_H
#define BENCH_WRITE_H

#include <stdio.h>

#include "bench/records/record.h"

/* Why a run ended. */
typedef struct bench_ending {
    bool complete;
    const char *reason;          /* "done", "interrupted", "budget" */
    double seconds;              /* of the call */
} bench_ending;

/* A format of --save. Functions that are NULL write nothing. */
typedef struct bench_record_format {
    const char *suffix;          /* of its files: ".jsonl" */
    void (*begin)(FILE *out);    /* at the beginning of a file */
    void (*run)(const bench_records *records, FILE *out);    /* and what it cannot race */
    void (*group)(const bench_records *records, size_t matrix, FILE *out);
    void (*end)(const bench_ending *ending, FILE *out);
} bench_record_format;

/* The format of a file of this name; NULL: no format has its suffix. */
const bench_record_format *bench_record_format_of(const char *path);

#endif
