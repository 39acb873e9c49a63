/* mock_caller.h: an application with OpenCL of its own: a context, a queue and two buffers in the mock. */
#ifndef MOCK_CALLER_H
#define MOCK_CALLER_H

#include "mock_client.h"
#include "runtime/device/opencl/api.h"

typedef struct caller {
    ocl_context (*create_context)(const ocl_property *, ocl_uint, const ocl_device *,
                                  void (*)(const char *, const void *, size_t, void *), void *,
                                  ocl_int *);
    ocl_queue (*create_queue)(ocl_context, ocl_device, ocl_bits, ocl_int *);
    ocl_memory (*create_buffer)(ocl_context, ocl_bits, size_t, void *, ocl_int *);
    ocl_int (*write)(ocl_queue, ocl_memory, ocl_uint, size_t, size_t, const void *, ocl_uint,
                     const ocl_event *, ocl_event *);
    ocl_int (*read)(ocl_queue, ocl_memory, ocl_uint, size_t, size_t, void *, ocl_uint,
                    const ocl_event *, ocl_event *);
    ocl_int (*release_context)(ocl_context);
    ocl_int (*release_queue)(ocl_queue);
    ocl_int (*release_memory)(ocl_memory);
    ocl_int (*release_event)(ocl_event);
    ocl_context context;
    ocl_queue queue;
    ocl_memory x, y;
} caller;

extern caller own;

/* properties: of the queue. */
void own_begin(ocl_bits properties);
void own_end(void);

/* Whether own.y, read on this queue after the event, or NULL, is alpha*A*x + beta*old. */
int reads_right(ocl_queue queue, ocl_event event, double alpha, double beta, double old);

#endif
