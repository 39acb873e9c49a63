/* modes.h: the modes in which a multiplication is timed, one table for the race and the report.
 *
 *     launches   one after another without waiting, as most programs do
 *     graph      replays of a graph of one multiplication
 *     chain      replays of a graph of many, in which the host takes almost no part
 *
 * Each is timed in L2, with the same replica again and again, if one replica fits the cache; and
 * beyond L2, with replicas that take turns (problem.h). The most informative mode comes first,
 * since a run may be killed between two modes.
 */
#ifndef GPU_MODES_H
#define GPU_MODES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum gpu_source { GPU_LAUNCHES, GPU_GRAPH, GPU_CHAIN } gpu_source;

typedef struct gpu_mode {
    const char *name;            /* in reports */
    gpu_source source;
    bool beyond;                 /* L2: replicas take turns */
} gpu_mode;

enum { GPU_MODES = 6 };
extern const gpu_mode gpu_modes[GPU_MODES];

/* Seconds of one multiplication. */
typedef struct gpu_times {
    size_t samples;              /* 0: not timed in this mode */
    size_t multiplications;      /* in a sample */
    double median, least, lower, upper;      /* lower and upper quartile */
} gpu_times;

/* Sorts the samples. */
gpu_times gpu_times_of(double *sample, size_t samples, size_t multiplications);

#endif
