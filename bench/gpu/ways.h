/* ways.h: the ways in which a multiplication is timed. A table, so that the race, the report and its
 * reader have the same ones.
 *
 * By launches, one after another without waiting, which shows what a program sees that does just that;
 * and by replays of graphs of one and of many multiplications, in which the host's part is next to
 * nothing. Each with one replica again and again, where that fits the L2 cache, and with replicas that
 * take turns (problem.h). What tells most comes first, since a run may be cut between two ways.
 */
#ifndef GPU_WAYS_H
#define GPU_WAYS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum gpu_source { GPU_LAUNCHES, GPU_GRAPH, GPU_CHAIN } gpu_source;

typedef struct gpu_way {
    const char *name;            /* in reports */
    gpu_source source;
    bool beyond;                 /* the L2: replicas take turns */
} gpu_way;

enum { GPU_WAYS = 6 };
extern const gpu_way gpu_ways[GPU_WAYS];

/* Seconds of one multiplication. */
typedef struct gpu_times {
    size_t samples;              /* 0: not timed this way */
    size_t multiplications;      /* in a sample */
    double median, least, lower, upper;      /* lower and upper quartile */
} gpu_times;

/* Of samples, which are put in order. */
gpu_times gpu_times_of(double *sample, size_t samples, size_t multiplications);

#endif
