/* source.h: the matrix that the command line names: a file, a shape, or a look-alike.
 *
 * What cannot fit into this machine's memory is refused before it is made, with the bytes that it
 * would take.
 */
#ifndef BENCH_SOURCE_H
#define BENCH_SOURCE_H

#include "bench/matrices/matrix.h"
#include "bench/race/options.h"

typedef struct bench_source {
    char name[256];              /* file name, shape and size, or "look-alike of ..." */
    char note[400];              /* a sentence about values that the type cannot hold, or "" */
    bench_matrix *matrix;
    bench_matrix *original;      /* what the matrix is a look-alike of, where that is a file and
                                    statistics are wanted; else NULL */
} bench_source;

/* Whether shape, size and look-alike are such that there are; else a sentence is in message, and
 * the command line is to blame. */
bool bench_source_check(const bench_options *options, char *message, size_t message_bytes);

/* For options that were checked. False, with a sentence in message, on any failure; then nothing is
 * kept. */
bool bench_source_create(const bench_options *options, bench_source *out, char *message,
                         size_t message_bytes);
void bench_source_destroy(bench_source *source);                 /* all zero is fine */

#endif
