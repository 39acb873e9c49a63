/* cuda_client.h: what tests of the CUDA backend have in common: the mock driver, opened beside
 * libspmv, and an application with CUDA of its own: a context, a stream and two vectors on the
 * device. */
#ifndef CUDA_CLIENT_H
#define CUDA_CLIENT_H

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

/* argv: MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA; use_old: the mock of an old driver. Ends the program
 * where it cannot be opened. */
void cuda_begin(int argc, char **argv, int use_old);
void cuda_end(void);

/* A good device, whatever the last test asked for. */
void cuda_reset(void);

/* For the tests that every backend passes. */
extern const tested_backend cuda;

/* queue: NULL for libspmv's own. */
spmv_status open_cuda(void *queue, spmv_device **device, spmv_error *err);

/* A plan whose method has no host step, so that an enqueue returns before it has begun. */
spmv_plan *open_alone(void *queue, spmv_device **device);

/* Did everything that was created go, was nothing misused, and has the thread no context? */
int is_clean(void);

/* Is this the calling thread's only context, or NULL: has it none? */
int has_context(spmv_cuda_context context);

typedef struct cuda_app {
    spmv_cuda_context context;
    spmv_cuda_stream stream;
    spmv_cuda_pointer x, y;
} cuda_app;

/* flags: of the stream. Leaves the context current. */
void app_begin(cuda_app *app, unsigned flags);
void app_end(cuda_app *app);

/* The application's context must be current. fill: every value of y. */
void app_write(const cuda_app *app, spmv_cuda_pointer x, const void *from);
void app_fill(const cuda_app *app, spmv_cuda_pointer y, double value);

/* Whether y, read in this stream, is alpha*A*x + beta*old. */
int app_reads_right(spmv_cuda_stream stream, spmv_cuda_pointer y, double alpha, double beta,
                    double old);

/* As spmv_enqueue takes it. */
void *address(spmv_cuda_pointer memory);

#endif
