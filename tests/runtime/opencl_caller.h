/* opencl_caller.h: an application that uses OpenCL itself: a context, a queue and two buffers of
 * the mock. */
#ifndef TEST_OPENCL_CALLER_H
#define TEST_OPENCL_CALLER_H

#include "opencl_client.h"
#include "runtime/device/opencl/api.h"

typedef struct caller {
    spmv_opencl_context (*create_context)(const spmv_opencl_property *, spmv_opencl_uint,
                                          const spmv_opencl_device *,
                                          void (*)(const char *, const void *, size_t, void *),
                                          void *, spmv_opencl_int *);
    spmv_opencl_queue (*create_queue)(spmv_opencl_context, spmv_opencl_device, spmv_opencl_bits,
                                      spmv_opencl_int *);
    spmv_opencl_memory (*create_buffer)(spmv_opencl_context, spmv_opencl_bits, size_t, void *,
                                        spmv_opencl_int *);
    spmv_opencl_int (*write)(spmv_opencl_queue, spmv_opencl_memory, spmv_opencl_uint, size_t,
                             size_t, const void *, spmv_opencl_uint, const spmv_opencl_event *,
                             spmv_opencl_event *);
    spmv_opencl_int (*read)(spmv_opencl_queue, spmv_opencl_memory, spmv_opencl_uint, size_t, size_t,
                            void *, spmv_opencl_uint, const spmv_opencl_event *,
                            spmv_opencl_event *);
    spmv_opencl_int (*release_context)(spmv_opencl_context);
    spmv_opencl_int (*release_queue)(spmv_opencl_queue);
    spmv_opencl_int (*release_memory)(spmv_opencl_memory);
    spmv_opencl_int (*release_event)(spmv_opencl_event);
    spmv_opencl_context context;
    spmv_opencl_queue queue;
    spmv_opencl_memory x, y;
} caller;

extern caller own;

/* properties: of the queue. */
void own_begin(spmv_opencl_bits properties);
void own_end(void);

/* Whether own.y, read on this queue after the event (may be NULL), is alpha*A*x + beta*old. */
int reads_right(spmv_opencl_queue queue, spmv_opencl_event event, double alpha, double beta,
                double old);

#endif
