/* devices.h: the devices whose kernels take part: one, or one for each backend that was asked for, so
 * that their figures come from one run. */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "bench/race/options.h"
#include "runtime/spmv.h"

enum { BENCH_MAX_DEVICES = 4 };

typedef struct bench_devices {
    spmv_device *device[BENCH_MAX_DEVICES];
    size_t count;
} bench_devices;

/* A module, and the device that runs it. */
typedef struct bench_candidate {
    spmv_device *device;
    const spmv_module *module;
} bench_candidate;

/* Opens them, with the modules that options name. On error *out can be closed. SPMV_INVALID_ARGUMENT:
 * options name what is none. */
spmv_status bench_devices_open(const bench_options *options, bench_devices *out, spmv_error *err);
void bench_devices_close(bench_devices *devices);

/* The usable modules of all, in the devices' order. */
size_t bench_devices_module_count(const bench_devices *devices);
bench_candidate bench_devices_module(const bench_devices *devices, size_t index);

#endif
