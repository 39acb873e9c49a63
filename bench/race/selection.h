/* selection.h: which modules race, by what the command line names: methods, target, settings.
 *
 * Names are looked up before a matrix is made: whether a module takes part may depend on the
 * matrix's types, whether a name is known does not. Pure functions of options and devices.
 */
#ifndef BENCH_SELECTION_H
#define BENCH_SELECTION_H

#include "bench/race/devices.h"

/* Room for all settings of a module, as long as libspmv takes them. */
enum { BENCH_SETTINGS_SIZE = 512 };

/* Whether target, methods and settings are there, and each method takes the values that its
 * settings are given; else a sentence is in message, and the command line is to blame. */
bool bench_selection_check(const bench_options *options, const bench_devices *devices, char *message,
                           size_t message_bytes);

/* The modules for a matrix's types, in the devices' order: of each method and device the one that ranks
 * best, or all where options ask for it. `out` has room for as many as there are. Returns how many;
 * 0 where one that was asked for is missing, with a sentence in message. */
size_t bench_selection_make(const bench_options *options, const bench_devices *devices,
                            const spmv_csr *csr, bench_candidate *out, char *message,
                            size_t message_bytes);

/* Those of the settings ("name=value") that the module has, as a plan takes them, with commas. */
void bench_selection_settings(const spmv_module *module, const bench_names *settings, char *text,
                              size_t bytes);

#endif
