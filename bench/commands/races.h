/* races.h: the races of a command line: each input in each value type. */
#ifndef BENCH_RACES_H
#define BENCH_RACES_H

#include "bench/commands/outputs.h"
#include "bench/inputs/inputs.h"
#include "bench/peers/peers.h"
#include "bench/race/devices.h"
#include "bench/sweep/sweep.h"

/* Races, prints and writes to the outputs, which are open; also which variants of the sweep do not
 * race. A race that fails is reported, and the others go on. Returns an exit code. */
int bench_races_run(const bench_options *options, const bench_inputs *inputs,
                    const bench_devices *devices, const bench_peers *peers,
                    const bench_sweep *sweep, bench_outputs *outputs, bench_records *records);

#endif
