/* probe.h: whether this machine can run a variant. */
#ifndef BENCH_SWEEP_PROBE_H
#define BENCH_SWEEP_PROBE_H

#include "bench/sweep/variant.h"
#include "runtime/spmv.h"

/* Loads the variant's file, and asks for a plan. False, with the reason, if this CPU lacks its
 * instructions or the file cannot be loaded. Devices other than the CPU are not asked: opening them
 * takes long, and bench_devices_open does so later. */
bool bench_sweep_can_run(const bench_variant *variant, spmv_error *error);

#endif
