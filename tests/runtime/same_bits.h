/* same_bits.h: multiplications whose sums depend on the order of additions, and whether plans give
 * the bits of one thread. */
#ifndef TEST_SAME_BITS_H
#define TEST_SAME_BITS_H

#include "sample.h"

enum { ROWS = 3000, PARTS = 7, METHODS = 2 };

extern spmv_device *same_bits_device;
extern sample *same_bits_sample;         /* of ROWS rows */

/* Creates device, sample, and the bits of one thread. */
void same_bits_begin(void);
void same_bits_end(void);

/* A plan of PARTS parts; method: less than METHODS. */
spmv_plan *same_bits_plan(size_t method, spmv_parallel_for *parallel_for, void *context);

/* Whether the plan gives the bits of one thread. */
int plan_is_same(const spmv_plan *plan, size_t method);

/* The same of new plans of all methods, several times each. */
int plans_are_same(spmv_parallel_for *parallel_for, void *context);

#endif
