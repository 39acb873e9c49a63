/* explain.h: --explain: which method a plan chooses, and from which candidates. */
#ifndef BENCH_EXPLAIN_H
#define BENCH_EXPLAIN_H

#include "bench/race/devices.h"

/* Makes the matrix and a plan on each device. Nothing is multiplied or timed, but with --measure.
 * On failure returns false with a sentence in message. */
bool bench_explain(const bench_options *options, const bench_devices *devices, FILE *out,
                   char *message, size_t message_bytes);

#endif
