/* listing.h: what there is to choose from: kernels, shapes, look-alikes. */
#ifndef BENCH_LISTING_H
#define BENCH_LISTING_H

#include <stdio.h>

#include "bench/race/devices.h"

/* Kernels that the device can run, of one target or (NULL) of all, and shapes. */
void bench_list_kernels(const bench_devices *devices, const char *target, FILE *out);

/* Look-alikes, and the classes that they are drawn from. */
void bench_list_lookalikes(FILE *out);

#endif
