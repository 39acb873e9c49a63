/* opencl_caller.c: see opencl_caller.h. */
#include "opencl_caller.h"

caller own;

void own_begin(spmv_opencl_bits properties)
{
    *(void **)&own.create_context = mock_function("clCreateContext");
    *(void **)&own.create_queue = mock_function("clCreateCommandQueue");
    *(void **)&own.create_buffer = mock_function("clCreateBuffer");
    *(void **)&own.write = mock_function("clEnqueueWriteBuffer");
    *(void **)&own.read = mock_function("clEnqueueReadBuffer");
    *(void **)&own.release_context = mock_function("clReleaseContext");
    *(void **)&own.release_queue = mock_function("clReleaseCommandQueue");
    *(void **)&own.release_memory = mock_function("clReleaseMemObject");
    *(void **)&own.release_event = mock_function("clReleaseEvent");
    own.context = own.create_context(NULL, 1, NULL, NULL, NULL, NULL);
    own.queue = own.create_queue(own.context, NULL, properties, NULL);
    own.x = own.create_buffer(own.context, 0, COLS * sizeof(double), NULL, NULL);
    own.y = own.create_buffer(own.context, 0, ROWS * sizeof(double), NULL, NULL);
}

void own_end(void)
{
    own.release_memory(own.x);
    own.release_memory(own.y);
    own.release_queue(own.queue);
    own.release_context(own.context);
}

int reads_right(spmv_opencl_queue queue, spmv_opencl_event event, double alpha, double beta,
                double old)
{
    double y[ROWS];

    return own.read(queue, own.y, 1, 0, sizeof y, y, event != NULL, event != NULL ? &event : NULL,
                    NULL) == OCL_SUCCESS && sample_is_right(s, y, alpha, beta, old);
}
