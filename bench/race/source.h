/* source.h: the matrix that an input names (input.h).
 *
 * A matrix that cannot fit into this machine's memory is refused before it is made; the message
 * states the bytes that it needs.
 */
#ifndef BENCH_SOURCE_H
#define BENCH_SOURCE_H

#include "bench/matrices/matrix.h"
#include "bench/race/options.h"
#include "runtime/spmv.h"

typedef struct bench_source {
    char name[256];              /* for people: a file's name, "look-alike of ..." */
    char note[400];              /* about values that the type cannot hold; or "" */
    bench_matrix *matrix;
    bench_matrix *original;      /* --statistics: the original of the look-alike; or NULL */
} bench_source;

/* Makes the matrix of options->input. On failure returns false with a sentence in error and keeps
 * nothing. */
bool bench_source_create(const bench_options *options, bench_source *out, spmv_error *error);
void bench_source_destroy(bench_source *source);                 /* all zero is fine */

#endif
