/* bandwidth.h: how fast this machine reads memory, as the yardstick of a method that is limited by
 * it.
 *
 * A stream is an array of a given size, cut into one part a thread; reading it adds up all of its
 * words. Its size matters more than anything: give it the footprint of the matrix to see what the
 * caches make of that, and bench_dram_bytes() to see memory itself.
 *
 * The owner of a stream reads it from one thread at a time.
 */
#ifndef BENCH_BANDWIDTH_H
#define BENCH_BANDWIDTH_H

#include <stddef.h>

typedef struct bench_stream bench_stream;

/* NULL without memory. bytes is rounded up to whole words; each thread touches its part first. */
bench_stream *bench_stream_create(size_t bytes, int threads);
void bench_stream_destroy(bench_stream *stream);                 /* NULL is fine */

size_t bench_stream_bytes(const bench_stream *stream);

/* A bench_runner's run: reads all of the stream; nonzero where the sum is wrong. */
int bench_stream_read(void *stream);

/* A size that no cache of this machine holds: four times the largest one, but at least 64 MiB, at
 * most 1 GiB and at most an eighth of the machine's memory. */
size_t bench_dram_bytes(void);

/* The threads that a plan with options.threads = wanted has, were it large. */
int bench_threads(int wanted);

#endif
