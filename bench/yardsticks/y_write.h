/* y_write.h: the rate at which this machine writes y: in the order of the rows, or scattered, as a
 * method does that sorts rows and leaves y in their order. A write reads no matrix and no x.
 *
 * One thread at a time may run a write.
 */
#ifndef BENCH_Y_WRITE_H
#define BENCH_Y_WRITE_H

#include "runtime/spmv.h"

typedef struct bench_y_write {
    void *y;                     /* rows values of the type; only written */
    int64_t rows;
    spmv_value_type value_type;
    const int32_t *order;        /* y[order[k]] is written k-th; NULL: y[k] */
    int threads;                 /* each has consecutive k */
} bench_y_write;

/* The run of a bench_runner; the context is a bench_y_write. Returns 0. */
int bench_y_write_run(void *context);

#endif
