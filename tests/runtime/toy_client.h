/* toy_client.h: what tests of backends have in common: a matrix, and plans of toy modules for
 * it. */
#ifndef TOY_CLIENT_H
#define TOY_CLIENT_H

#include "sample.h"
#include "toy_device.h"

enum { ROWS = 9, COLS = 7 };

extern sample *s;

/* Makes the matrix, and hides the environment's device, target and cache from the library. */
void toy_begin(void);
void toy_end(void);

/* A device of the language with these modules and no others. queue: NULL for libspmv's own. */
spmv_status toy_open(const char *language, const spmv_module *const *modules, void *queue,
                     spmv_device **device, spmv_error *err);
spmv_plan *make_plan(spmv_device *device, spmv_error *err);

/* Calls the function before each host step, which runs only if that is SPMV_OK; NULL: no function.
 * 0: this linker cannot send calls elsewhere. */
int toy_before_host_steps(spmv_status (*before)(void));

/* Executes the plan with a host step that breaks the module contract; *status: what that returns.
 * 0: this linker cannot send calls elsewhere. */
int toy_execute_breaking(const spmv_plan *plan, void *y, spmv_status *status);

/* Multiplies with vectors of spmv_alloc; whether all results are right. */
int multiply_shared(spmv_device *device, const spmv_plan *plan);

/* Copies to and from the device that a multiplication makes; -1: it fails. */
int transfers(const spmv_plan *plan, const void *x, void *y);

#endif
