/* slices.h: slices, a layout made for GPUs, as contenders of a race: a prototype that shows
 * which of its decisions are worth a method of their own
 * (docs/experiments/slices-on-an-h200.md).
 *
 * A slice is what a warp multiplies: 32/lanes rows, each of which has `lanes` lanes. Lane `sub` of
 * a row has the row's units sub, sub + lanes, ...; a unit is one entry, or in slices of runs three
 * with consecutive columns. Rows are sorted within windows; rows of more than PROTOTYPE_PART
 * entries are cut into parts, which are the first slices.
 */
#ifndef GPU_PROTOTYPE_H
#define GPU_PROTOTYPE_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PROTOTYPE_PART = 1024, PROTOTYPE_ABSENT = 63 };

typedef enum prototype_kind {
    PROTOTYPE_WIDE,              /* columns of 32 bits */
    PROTOTYPE_NARROW,            /* columns of 16 bits, from the slice's base on */
    PROTOTYPE_DIAGONALS,         /* offsets from the row, the same for all rows */
    PROTOTYPE_RUNS,              /* 16 bits for three entries */
} prototype_kind;

/* 16 bytes, for one load. */
typedef struct prototype_slice {
    uint32_t values_at;          /* in 32 values */
    uint32_t columns_at;         /* in 64 bytes */
    int32_t base;                /* the lowest column; or where the offsets are in `patterns` */
    uint32_t packed;             /* width 8, kind 2, log2 of lanes 3, window 19 bits */
} prototype_slice;

typedef struct prototype_part {
    int32_t row, first, count, counter;  /* first: of the row's partial sums */
} prototype_part;

/* Arrays on the GPU, or on the host. */
typedef struct prototype_arrays {
    void *values, *columns;
    prototype_slice *slices;
    uint16_t *lanes;             /* 32 a slice: position in the window, and << 10 missing units */
    int32_t *patterns;
    prototype_part *parts;
    void *partials;
    uint32_t *counters;          /* one for each long row; 0 between multiplications */
    int32_t slice_count, part_count, window, rows;
} prototype_arrays;

/* What a kernel does; see slices.cu. */
typedef enum prototype_loop {
    PROTOTYPE_PLAIN,             /* turns of 4 entries, no loads ahead */
    PROTOTYPE_AHEAD,             /* the next turn's values and columns are loaded ahead */
    PROTOTYPE_AHEAD_EIGHT,       /* AHEAD with turns of 8 entries, in blocks of 128 */
    PROTOTYPE_EIGHT,             /* turns of 8 entries, no loads ahead */
    PROTOTYPE_AHEAD_128,         /* AHEAD in blocks of 128 */
    PROTOTYPE_PERSISTENT,        /* AHEAD in as many blocks as the GPU holds */
    PROTOTYPE_CACHED,            /* AHEAD with ordinary loads of the matrix */
    PROTOTYPE_BULK,              /* PLAIN; a warp first has L2 fetch its whole slice */
    PROTOTYPE_PERSISTENT_BULK,   /* PERSISTENT, and L2 fetches the next slice meanwhile */
    PROTOTYPE_LOOPS
} prototype_loop;

/* Starts y = alpha*A*x + beta*y. Returns a cudaError_t. */
int gpu_prototype_launch(prototype_loop loop, int is_f32, const prototype_arrays *arrays,
                         const void *x, void *y, double alpha, double beta, int multiprocessors,
                         cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus
#include "bench/gpu/contender.h"

/* A layout on the host. `of`: an index below gpu_prototype_count(). */
typedef struct prototype_layout {
    prototype_arrays arrays;
    size_t values_bytes, columns_bytes, patterns_bytes, partials_bytes, long_rows;
    double stored;               /* values stored for each nonzero */
    double share[4];             /* of the values, by kind */
} prototype_layout;

size_t gpu_prototype_count(void);
prototype_loop gpu_prototype_loop(size_t of);
/* False: out of memory. */
bool gpu_prototype_layout(const spmv_csr *csr, size_t of, prototype_layout *out);
void gpu_prototype_free(prototype_layout *layout);

/* As gpu_modules_list. */
size_t gpu_prototypes_list(const gpu_setup *setup, gpu_contender *out, size_t room,
                           gpu_error *error);
#endif

#endif
