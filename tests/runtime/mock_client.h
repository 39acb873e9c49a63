/* mock_client.h: what tests of the OpenCL backend have in common: the mock library, opened beside libspmv,
 * and a matrix. */
#ifndef MOCK_CLIENT_H
#define MOCK_CLIENT_H

#include "mock_opencl.h"
#include "sample.h"
#include "toy_device.h"

enum { ROWS = 9, COLS = 7 };

extern mock_control *mock;
extern sample *s;

/* argv: MOCK LIBRARY_WITHOUT_OPENCL. Ends the program where the mock cannot be opened. */
void mock_begin(int argc, char **argv);
void mock_end(void);

/* A good device, whatever the last test asked for. */
void mock_reset(void);

/* A function of the mock, by its name; NULL: it has none. */
void *mock_function(const char *name);

/* queue: NULL for libspmv's own. */
spmv_status open_mock(void *queue, spmv_device **device, spmv_error *err);
spmv_plan *make_plan(spmv_device *device, spmv_error *err);

/* Copies to and from the device that a multiplication makes. */
int transfers(const spmv_plan *plan, const void *x, void *y);

/* Did everything that was created go, and was nothing misused? */
int is_clean(void);

#endif
