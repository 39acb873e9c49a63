/* devices.h: the devices whose kernels race: one device, or one for each --backend, so that all
 * results come from one run. */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "bench/race/options.h"
#include "runtime/spmv.h"

enum { BENCH_MAX_DEVICES = 4 };

typedef struct bench_devices {
    spmv_device *device[BENCH_MAX_DEVICES];
    size_t count;
} bench_devices;

/* A module and the device that runs it. */
typedef struct bench_candidate {
    spmv_device *device;
    const spmv_module *module;
} bench_candidate;

/* Opens the devices and loads the modules that options name. *out can be closed even on error.
 * SPMV_INVALID_ARGUMENT: a name in options does not exist. */
spmv_status bench_devices_open(const bench_options *options, bench_devices *out, spmv_error *err);
void bench_devices_close(bench_devices *devices);

/* The usable modules of all devices, in the order of the devices. */
size_t bench_devices_module_count(const bench_devices *devices);
bench_candidate bench_devices_module(const bench_devices *devices, size_t index);

#endif
