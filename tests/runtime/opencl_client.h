/* opencl_client.h: shared by tests of the OpenCL backend. Opens the mock library beside libspmv. */
#ifndef TEST_OPENCL_CLIENT_H
#define TEST_OPENCL_CLIENT_H

#include "backend_tests.h"
#include "mock_opencl.h"
#include "toy_client.h"

extern mock_control *mock;

/* argv: MOCK LIBRARY_WITHOUT_OPENCL. Ends the program if the mock cannot be opened. */
void mock_begin(int argc, char **argv);
void mock_end(void);

/* Sets the mock to a good device. */
void mock_reset(void);

/* For the tests that every backend passes. */
extern const tested_backend opencl;

/* A function of the mock, by its name. NULL: there is none. */
void *mock_function(const char *name);

/* queue: NULL for libspmv's own. */
spmv_status open_mock(void *queue, spmv_device **device, spmv_error *err);

/* Whether all objects were released and none was misused. */
int is_clean(void);

#endif
