/* explain.h: --explain: what a plan that names no method would be, and what it was chosen from. */
#ifndef BENCH_EXPLAIN_H
#define BENCH_EXPLAIN_H

#include "bench/race/devices.h"

/* Makes the matrix and, on each device, a plan; nothing is multiplied or timed. False, with a sentence
 * in message, on any failure. */
bool bench_explain(const bench_options *options, const bench_devices *devices, FILE *out,
                   char *message, size_t message_bytes);

#endif
