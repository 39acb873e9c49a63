/* selection.h: selects the modules that race, by the methods, target and settings of the command
 * line.
 *
 * Names are checked before the matrix is made, since only the selection of modules depends on the
 * matrix's types. Pure functions of options and devices.
 */
#ifndef BENCH_SELECTION_H
#define BENCH_SELECTION_H

#include "bench/race/devices.h"

/* Size of a text with all settings of a module: libspmv's limit. */
enum { BENCH_SETTINGS_SIZE = 512 };

/* Whether target, methods and settings exist, and each method accepts its settings' values. If not,
 * the command line is wrong and message has a sentence. */
bool bench_selection_check(const bench_options *options, const bench_devices *devices,
                           char *message, size_t message_bytes);

/* Selects the modules for a matrix's types, in the order of the devices: for each method and device
 * the module of the highest rank, or all with --all. `out` has room for all modules. Returns their
 * number; 0, with a sentence in message, if a requested method has no module. */
size_t bench_selection_make(const bench_options *options, const bench_devices *devices,
                            const spmv_csr *csr, bench_candidate *out, char *message,
                            size_t message_bytes);

/* Writes the settings ("name=value") that the module has, separated by commas, in the syntax of a
 * plan's options. */
void bench_selection_settings(const spmv_module *module, const bench_names *settings, char *text,
                              size_t bytes);

#endif
