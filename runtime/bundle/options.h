/* options.h: the options of a matrix of a bundle, and its memory. */
#ifndef SPMV_BUNDLE_OPTIONS_H
#define SPMV_BUNDLE_OPTIONS_H

#include "runtime/spmv.h"

#include <stddef.h>
#include <stdint.h>

/* ---- a matrix, its options and its memory ---------------------------------------------------- */

/* A matrix, converted to the arrays of the method that was chosen for it. */
typedef struct spmv_matrix spmv_matrix;

#if SPMV_BUNDLE_STATIC
/* How a matrix is placed. All zero: the defaults. */
typedef struct spmv_matrix_options {
    int32_t full_check;          /* nonzero: check every column, not only sizes and row_ptr */
    int32_t threads;             /* with parallel_for: parts that the work is cut into, 1 to 4096; 0
                                    without */
    spmv_parallel_for *parallel_for;     /* runs the parts; NULL: the calling thread does all of
                                            the work */
    void *parallel_for_context;
} spmv_matrix_options;
#else
/* How a matrix is created. All zero: the defaults. */
typedef struct spmv_matrix_options {
    const char *method;          /* NULL: the cheapest that fits into memory, as the methods
                                    estimate their costs */
    const char *target;          /* NULL: the best that can run here */
    int32_t threads;             /* parts that the work is cut into, each for one thread; 1 to 4096.
                                    0: as many as OpenMP has threads, but at most one for each 4096
                                    rows and nonzeros. Without OpenMP and parallel_for the calling
                                    thread does all of the work */
    int32_t expected_runs;       /* multiplications that the matrix will serve; 0: 1000. Below 8,
                                    only methods without conversion are considered */
    int32_t copy;                /* nonzero: copy the arrays that would be borrowed */
    int32_t full_check;          /* nonzero: check every column, not only sizes and row_ptr */
    spmv_parallel_for *parallel_for;     /* runs the parts; `threads` must be given. NULL: OpenMP
                                            does, if the compiler has it */
    void *parallel_for_context;
} spmv_matrix_options;

/* The functions that allocate and release memory; NULL and NULL: malloc and free. Call this before
 * the first matrix is created, while no other call is in progress. allocate returns `bytes` bytes
 * of any alignment, or NULL; release gets only what allocate returned. Both may be called from any
 * thread that calls a function below, and must not leave by an exception or longjmp. */
void spmv_use_memory(void *(*allocate)(void *context, size_t bytes),
                     void (*release)(void *context, void *memory), void *context);
#endif

#endif
