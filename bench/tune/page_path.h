/* page_path.h: the file of the page that tune writes. */
#ifndef BENCH_TUNE_PAGE_PATH_H
#define BENCH_TUNE_PAGE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/spmv.h"

typedef struct bench_page_path {
    char *path;                  /* to be freed */
    char name[160];              /* the page's: without folder and ".lua" */
} bench_page_path;

/* Chooses `out`, or without it PAGE-tuned.lua beside the target, which has the name `page`. False,
 * with a sentence in error: the name cannot be a page's, or the page could not inherit from the
 * target. */
bool bench_page_path_choose(const char *target, const char *page, const char *out,
                            bench_page_path *chosen, spmv_error *error);

/* Whether there is no such file; if there is, a sentence is in error. */
bool bench_page_path_is_new(const bench_page_path *page, spmv_error *error);

#endif
