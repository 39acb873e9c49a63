/* build_progress.h: how far the compilation of a sweep is: a line on a terminal, and a note at the
 * end. */
#ifndef BENCH_SWEEP_BUILD_PROGRESS_H
#define BENCH_SWEEP_BUILD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_build_progress {
    size_t total, compiled, cached;
    double begin;
    bool on_terminal, is_shown;
} bench_build_progress;

void bench_build_progress_begin(bench_build_progress *progress, size_t total);
void bench_build_progress_show(bench_build_progress *progress, size_t finished);
void bench_build_progress_hide(bench_build_progress *progress);  /* before another message */

/* Says what was compiled, if anything was. folder: of the cache, or NULL. */
void bench_build_progress_end(bench_build_progress *progress, const char *folder);

#endif
