/* resume.h: --resume: whether a file of records is of the same command on the same machine, and
 * which of its groups are whole. */
#ifndef BENCH_RESUME_H
#define BENCH_RESUME_H

#include "bench/race/options.h"
#include "bench/records/record.h"
#include "runtime/spmv.h"

/* The words of a command line as a JSON array: "spmvbench", "run", and those behind argv[0]. NULL:
 * out of memory. The caller frees it. */
char *bench_resume_command(int argc, char *const *argv);

/* The options that name code to run, which a file does not decide: shared objects, a page of one's
 * own, facts of --set. Words for a shell; "": none; NULL: out of memory. The caller frees it. */
char *bench_resume_code(const bench_options *options);

/* The command line of a file, for a command line that has nothing but --resume, options that may
 * differ and those that name code: behind those of argv that may differ. */
typedef struct bench_resumed_words {
    int argc;
    char **argv;                 /* NULL: argv has other words, and counts as it is */
    void *owned;                 /* the words */
} bench_resumed_words;

/* False, with a sentence in error, if the file cannot be read, or names code that argv does not
 * name. */
bool bench_resume_words(int argc, char *const *argv, bench_resumed_words *out, spmv_error *error);
void bench_resumed_words_free(bench_resumed_words *words);   /* all zero is fine */

/* Reads a file whose last run has the same command, CPU, compiler, version and threads as `run`. On
 * failure returns false with a sentence in error, and keeps nothing. */
bool bench_resume_read(const char *path, const bench_records *run, bench_records *out,
                       spmv_error *error);

/* The index of the complete group of this input and type; matrix_count: none. */
size_t bench_resume_find(const bench_records *records, const char *input, const char *type);

#endif
