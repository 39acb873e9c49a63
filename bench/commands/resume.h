/* resume.h: --resume: whether a file of records is of the same command on the same machine, and
 * which of its groups are whole. */
#ifndef BENCH_RESUME_H
#define BENCH_RESUME_H

#include "bench/records/record.h"

/* The words of a command line as a JSON array: "spmvbench", "run", and those behind argv[0]. NULL:
 * out of memory. The caller frees it. */
char *bench_resume_command(int argc, char *const *argv);

/* Reads a file whose last run has the same command, CPU, compiler, version and threads as `run`. On
 * failure returns false with a sentence in message, and keeps nothing. */
bool bench_resume_read(const char *path, const bench_records *run, bench_records *out,
                       char *message, size_t message_bytes);

/* The index of the complete group of this input and type; matrix_count: none. */
size_t bench_resume_find(const bench_records *records, const char *input, const char *type);

#endif
