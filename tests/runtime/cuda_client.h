/* cuda_client.h: shared by tests of the CUDA backend: the mock driver, opened beside libspmv, and
 * an application that uses CUDA itself: a context, a stream and two vectors on the device. */
#ifndef TEST_CUDA_CLIENT_H
#define TEST_CUDA_CLIENT_H

#include "backend_tests.h"
#include "mock_cuda.h"
#include "toy_client.h"

extern cuda_control *mock;

/* The driver's functions, as the application calls them. */
extern spmv_cuda_api cu;
#define MOCK_MEMBER(name, symbol, parameters) spmv_cuda_result (*name) parameters;
extern struct cuda_more {
    MOCK_CUDA_FUNCTIONS(MOCK_MEMBER)
} more;

/* Drivers that are mocked, by their place in argv: a current one; the oldest that is supported; one
 * without functions that NVIDIA may remove. */
typedef enum cuda_driver { CUDA_NOW = 1, CUDA_OLD = 2, CUDA_NEW = 4 } cuda_driver;

/* argv: MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK. Ends the program if the mock cannot be
 * opened. */
void cuda_begin(int argc, char **argv, cuda_driver driver);
void cuda_end(void);

/* Sets the mock to a good device. */
void cuda_reset(void);

/* For the tests that every backend passes. */
extern const tested_backend cuda;

/* queue: NULL for libspmv's own. */
spmv_status open_cuda(void *queue, spmv_device **device, spmv_error *err);

/* A plan whose method has no host steps, so that spmv_enqueue returns before kernels run. */
spmv_plan *open_alone(void *queue, spmv_device **device);

/* Whether all objects were released, none was misused, and the thread has no context. */
int is_clean(void);

/* Objects that were created and not released, after all pending commands. */
int live_objects(void);

/* Whether this is the calling thread's only context; NULL: whether the thread has none. */
int has_context(spmv_cuda_context context);

typedef struct cuda_app {
    spmv_cuda_context context;
    spmv_cuda_stream stream;
    spmv_cuda_pointer x, y;
} cuda_app;

/* flags: of the stream. Leaves the context current. */
void app_begin(cuda_app *app, unsigned flags);
void app_end(cuda_app *app);

/* Ends plan (or NULL), device and application, and tests that nothing is left. */
void app_end_clean(cuda_app *app, spmv_plan *plan, spmv_device *device);

/* Copies a vector to x; sets every value of y. The application's context must be current. */
void app_write(const cuda_app *app, spmv_cuda_pointer x, const void *from);
void app_fill(const cuda_app *app, spmv_cuda_pointer y, double value);

/* Whether y, read in this stream, is alpha*A*x + beta*old. */
int app_reads_right(spmv_cuda_stream stream, spmv_cuda_pointer y, double alpha, double beta,
                    double old);

/* Streams of the current context. */
void app_make_streams(spmv_cuda_stream *stream, int count);
void app_end_streams(const spmv_cuda_stream *stream, int count);

/* Captures y = alpha*A*x in the stream. status: of the enqueue. NULL: the capture fails. */
spmv_cuda_graph app_capture(const spmv_plan *plan, spmv_cuda_stream stream, double alpha,
                            spmv_cuda_pointer x, spmv_cuda_pointer y, spmv_status *status,
                            spmv_error *err);

/* The pointer for spmv_enqueue. */
void *address(spmv_cuda_pointer memory);

#endif
