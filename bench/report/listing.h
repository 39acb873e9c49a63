/* listing.h: --list and --lookalike list: kernels, shapes and look-alikes. */
#ifndef BENCH_LISTING_H
#define BENCH_LISTING_H

#include <stdio.h>

#include "bench/race/devices.h"

/* Prints the shapes, and the kernels that the devices can run, of one target or (NULL) of all
 * targets. */
void bench_list_kernels(const bench_devices *devices, const char *target, FILE *out);

/* Prints the look-alikes and their classes. */
void bench_list_lookalikes(FILE *out);

#endif
