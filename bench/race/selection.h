/* selection.h: selects the modules that race, by the methods, target and settings of the command
 * line.
 *
 * Names are checked before the matrix is made, since only the selection of modules depends on the
 * matrix's types. Pure functions of options and devices.
 */
#ifndef BENCH_SELECTION_H
#define BENCH_SELECTION_H

#include "bench/race/devices.h"

#include "runtime/spmv.h"

/* Whether target, methods and settings exist, and each method accepts its settings' values. If not,
 * the command line is wrong and error has a sentence. */
bool bench_selection_check(const bench_options *options, const bench_devices *devices,
                           spmv_error *error);

/* The most candidates that bench_selection_make can select. */
size_t bench_selection_most(const bench_options *options, const bench_devices *devices);

/* Selects the candidates for a matrix's types, in the order of the devices: for each method and
 * device the module of the highest rank, with --target that of each target, or all with --all; each
 * with every combination of its settings. In a sweep, of the linked-in modules only the baseline's.
 * Returns their number; 0, with a sentence in error, if a requested method has no module. */
size_t bench_selection_make(const bench_options *options, const bench_devices *devices,
                            const spmv_csr *csr, bench_candidate *out, spmv_error *error);

#endif
