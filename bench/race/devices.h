/* devices.h: the devices whose kernels race: one device, or one for each --backend, so that all
 * results come from one run; and one for each variant of a sweep, since a device has one module of
 * each name. */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "bench/race/options.h"
#include "bench/sweep/sweep.h"
#include "runtime/spmv.h"

/* Size of a text with all settings of a module: libspmv's limit. */
enum { BENCH_SETTINGS_SIZE = 512 };

typedef struct bench_devices {
    spmv_device **device;        /* those of variants come last */
    const bench_variant **variant;   /* of each device; NULL: none */
    size_t count;
} bench_devices;

/* A module, the device that runs it, and what tells it from others of its method and target. */
typedef struct bench_candidate {
    spmv_device *device;
    const spmv_module *module;
    const bench_variant *variant;    /* NULL: none */
    char settings[BENCH_SETTINGS_SIZE];  /* of the plan: "name=value,..." */
} bench_candidate;

/* Opens the devices and loads the modules that options name and the variants of the sweep, which
 * must outlive the devices and may be all zero; a variant that its device cannot run becomes
 * unusable. *out can be closed even on error. SPMV_INVALID_ARGUMENT: a name in options does not
 * exist. */
spmv_status bench_devices_open(const bench_options *options, bench_sweep *sweep,
                               bench_devices *out, spmv_error *err);
void bench_devices_close(bench_devices *devices);

/* The name that its driver gives a device; "": the CPU. */
const char *bench_device_name(const spmv_device *device);

/* The usable modules of all devices, in the order of the devices. */
size_t bench_devices_module_count(const bench_devices *devices);
bench_candidate bench_devices_module(const bench_devices *devices, size_t index);

#endif
