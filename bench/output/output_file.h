/* output_file.h: a file that spmvbench writes at the end of a run. It replaces only an empty file
 * or an older file of its kind, and never an input. Until it is complete, it has a temporary name
 * in the same folder. Links are followed. A file that is not regular, such as a pipe, is written
 * directly.
 *
 * generator/outputs/write_files.h and runtime/file/file.h do the same for spmvgen and libspmv: the
 * former depends on spmvgen's memory, and the latter is private to libspmv. All three find the file
 * by common/base/destination.h.
 */
#ifndef BENCH_OUTPUT_FILE_H
#define BENCH_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime/spmv.h"

/* Paths and texts belong to the caller. */
typedef struct bench_output_file_rules {
    const char *option;          /* the option's name for messages: --json */
    const char *kind;            /* the same: "a report of spmvbench" */
    const char *beginning;       /* text at the beginning of all files of this kind */
    const char *const *inputs;   /* files that the run reads; never replaced */
    size_t input_count;
} bench_output_file_rules;

/* Whether the file may and can be written; if not, a sentence is in error. Changes nothing. */
bool bench_output_file_check(const bench_output_file_rules *rules, const char *path,
                             spmv_error *error);

typedef struct bench_output_file {
    FILE *file;                  /* to write to */
    char *path;                  /* final name; NULL: written directly */
    char *fresh;                 /* temporary name */
} bench_output_file;

/* Checks again and opens the file. On error a sentence is in error, and `end` must not be
 * called. */
bool bench_output_file_begin(bench_output_file *output, const bench_output_file_rules *rules,
                             const char *path, spmv_error *error);

/* Gives the file its final name. On error the new file is removed, an older file stays, and a
 * sentence is in error. */
bool bench_output_file_end(bench_output_file *output, spmv_error *error);

#endif
