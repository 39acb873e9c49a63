/* bandwidth.h: the rate at which this machine reads memory, as the yardstick of methods that memory
 * limits.
 *
 * A stream is an array of a given size, divided into one part for each thread; reading it adds up
 * all of its words. The size decides the measured level: with the footprint of a matrix, the caches
 * and memory that hold this matrix; with bench_dram_bytes(), memory itself.
 *
 * One thread at a time may read a stream.
 */
#ifndef BENCH_BANDWIDTH_H
#define BENCH_BANDWIDTH_H

#include <stddef.h>

typedef struct bench_stream bench_stream;

/* NULL: out of memory. bytes is rounded up to whole blocks. Each thread touches its part first. */
bench_stream *bench_stream_create(size_t bytes, int threads);
void bench_stream_destroy(bench_stream *stream);                 /* NULL is fine */

size_t bench_stream_bytes(const bench_stream *stream);

/* The run of a bench_runner: reads the stream. Nonzero: the sum is wrong. */
int bench_stream_read(void *stream);

/* A size that no cache of this machine holds: four times the largest cache, but at least 64 MiB,
 * and at most 1 GiB and an eighth of the memory. */
size_t bench_dram_bytes(void);

/* The threads of a plan of a large matrix with options.threads = wanted. */
int bench_threads(int wanted);

#endif
