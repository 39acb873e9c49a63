/* overlay.h: the page that tune writes: it inherits from the page that was tuned and states the
 * better values, each with its evidence. It has no date, host name or folder of this machine. */
#ifndef BENCH_TUNE_OVERLAY_H
#define BENCH_TUNE_OVERLAY_H

#include <stdio.h>

#include "bench/tune/study.h"

typedef struct bench_overlay {
    const char *name;            /* of the page, without ".lua" */
    const char *base;            /* of the page that was tuned */
    int argc;                    /* the command line; argv[0] is "tune" */
    char *const *argv;
    const bench_tune *tune;
    const bench_study *study;    /* those that are better are written */
    size_t count;
} bench_overlay;

/* Errors stay in the stream. */
void bench_overlay_write(const bench_overlay *overlay, FILE *out);

#endif
