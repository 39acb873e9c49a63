/* toy_client.h: shared by tests of backends: a matrix, and plans of toy modules for the matrix. */
#ifndef TEST_TOY_CLIENT_H
#define TEST_TOY_CLIENT_H

#include "sample.h"
#include "toy_device.h"

enum { ROWS = 9, COLS = 7 };

extern sample *s;

/* Makes the matrix, and unsets the environment's device, target, memory and cache. */
void toy_begin(void);
void toy_end(void);

/* A device of the language with these modules alone. queue: NULL for libspmv's own. */
spmv_status toy_open(const char *language, const spmv_module *const *modules, void *queue,
                     spmv_device **device, spmv_error *err);
spmv_plan *make_plan(spmv_device *device, spmv_error *err);

/* Sets a function that is called before each host step; the step runs only if it returns SPMV_OK.
 * NULL: no function. Returns 0 if the linker has no --wrap. */
int toy_before_host_steps(spmv_status (*before)(void));

/* Executes the plan with a host step that breaks the module contract. *status: the result. Returns
 * 0 if the linker has no --wrap. */
int toy_execute_breaking(const spmv_plan *plan, void *y, spmv_status *status);

/* Multiplies vectors of spmv_alloc. Returns whether all results are right. */
int multiply_shared(spmv_device *device, const spmv_plan *plan);

/* The number of copies to and from the device in a multiplication. -1: it fails. */
int transfers(const spmv_plan *plan, const void *x, void *y);

#endif
