/* output_file.h: a file that spmvbench writes at the end of a run. It takes the place of nothing
 * but an empty file or an older one of its kind, never that of an input, and only when it is
 * complete: it has another name in the same folder until then.
 *
 * generator/emit/write.h and runtime/file/file.h are its twins for spmvgen, which needs its memory,
 * and for libspmv, which keeps that to itself. What is no regular file, such as a pipe, is written
 * straight.
 */
#ifndef BENCH_OUTPUT_FILE_H
#define BENCH_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Paths and texts belong to the caller. */
typedef struct bench_output_file_rules {
    const char *option;          /* for messages: --json */
    const char *kind;            /* and "a report of spmvbench" */
    const char *beginning;       /* what all files of this kind begin with */
    const char *const *inputs;   /* files that the run reads */
    size_t input_count;
} bench_output_file_rules;

/* Whether the file may and can be written; if not, a sentence is in message. Nothing changes. */
bool bench_output_file_check(const bench_output_file_rules *rules, const char *path, char *message,
                             size_t message_bytes);

typedef struct bench_output_file {
    FILE *file;                  /* to write to */
    char *path;                  /* where it will be; NULL: it is there */
    char *fresh;                 /* its name until then */
} bench_output_file;

/* Checks again, then opens. On error a sentence is in message, and there is nothing to end. */
bool bench_output_file_begin(bench_output_file *output, const bench_output_file_rules *rules,
                             const char *path, char *message, size_t message_bytes);

/* Puts the file into its place. On error it is gone, what was there before still is, and a sentence
 * is in message. */
bool bench_output_file_end(bench_output_file *output, char *message, size_t message_bytes);

#endif
