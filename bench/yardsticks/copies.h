/* copies.h: the four loops of McCalpin's STREAM: the rate at which this machine reads and writes
 * memory. Papers compare with it; bandwidth.h measures reading alone.
 *
 * Loops are as a compiler makes them, so a store may read its cache line first, which STREAM does
 * not count. One thread at a time may run a loop.
 */
#ifndef BENCH_COPIES_H
#define BENCH_COPIES_H

#include <stddef.h>

typedef enum bench_copy_kind {
    BENCH_COPY, BENCH_SCALE, BENCH_ADD, BENCH_TRIAD, BENCH_COPY_KINDS
} bench_copy_kind;

/* Three arrays, which the threads share evenly. */
typedef struct bench_copies {
    double *a, *b, *c;           /* loops write c */
    size_t count;                /* values of each */
    int threads;
} bench_copies;

typedef struct bench_copy_loop {
    const bench_copies *arrays;
    bench_copy_kind kind;
} bench_copy_loop;

/* bytes: of all arrays together. Each thread touches its part first. 0: out of memory. */
int bench_copies_create(size_t bytes, int threads, bench_copies *out);
void bench_copies_destroy(bench_copies *copies);                 /* all zero is fine */

/* What a run of the loop reads and writes, by STREAM's count. */
double bench_copy_bytes(const bench_copy_loop *loop);

/* The run of a bench_runner; the context is a bench_copy_loop. Nonzero: a sum is wrong. */
int bench_copy_run(void *context);

#endif
