/* folder.h: lists of paths: the matrix files of a folder. */
#ifndef BENCH_FOLDER_H
#define BENCH_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/spmv.h"

/* A growing list of texts, which it owns. */
typedef struct bench_texts {
    char **text;
    size_t count, space;
} bench_texts;

/* Appends a copy. False: out of memory. */
bool bench_texts_add(bench_texts *texts, const char *text);
void bench_texts_destroy(bench_texts *texts);            /* all zero is fine */

/* Appends the paths of all .mtx and .mtx.gz files in a folder and the folders below it, in the
 * order of their names. Skipped are hidden ones, symbolic links to folders below this one, and
 * vectors of a matrix as archives have them: a dense NAME_b.mtx beside NAME.mtx. False, with a
 * sentence in error, if a folder cannot be read. */
bool bench_folder_list(const char *folder, bench_texts *out, spmv_error *error);

#endif
