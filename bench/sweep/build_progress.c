/* build_progress.c: see build_progress.h. */
#define _POSIX_C_SOURCE 200809L  /* clock_gettime */
#include "bench/sweep/build_progress.h"

#include <stdio.h>
#include <time.h>

#include "bench/output/message.h"
#include "bench/output/terminal.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void bench_build_progress_begin(bench_build_progress *progress, size_t total)
{
    *progress = (bench_build_progress){ .total = total, .begin = now(),
                                  .on_terminal = bench_terminal_takes_line() };
}

void bench_build_progress_show(bench_build_progress *progress, size_t finished)
{
    const double spent = now() - progress->begin;

    if (!progress->on_terminal)
        return;
    fprintf(stderr, "\r\033[Kspmvbench: compiling kernels, %zu of %zu ready", finished,
            progress->total);
    /* What the cache gives takes no time, so it says nothing about the time left. */
    if (progress->compiled >= 4)
        fprintf(stderr, ", %.0f s left", spent / (double)(finished - progress->cached) *
                (double)(progress->total - finished));
    fflush(stderr);
    progress->is_shown = true;
}

void bench_build_progress_hide(bench_build_progress *progress)
{
    if (progress->is_shown)
        fprintf(stderr, "\r\033[K");
    progress->is_shown = false;
}

void bench_build_progress_end(bench_build_progress *progress, const char *folder)
{
    bench_build_progress_hide(progress);
    if (progress->compiled > 0)
        bench_message("note: compiled %zu of %zu sets of kernels in %.1f s%s%s", progress->compiled,
                      progress->total, now() - progress->begin,
                      folder ? "; cache: " : "", folder ? folder : "");
}
