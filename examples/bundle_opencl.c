/* bundle_opencl.c: an OpenCL program with a bundle of kernels, which needs no other library.
 *
 *     spmvgen --target pocl --type f64 --offsets i32 --bundle bundle
 *     cc -I bundle bundle_opencl.c bundle/spmv_kernels.c -lOpenCL -lm -o bundle_opencl
 */
#include "spmv_kernels.h"

#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77 };           /* Meson's exit code of a skipped test */

int main(void)
{
    static const int32_t row_ptr[] = {0, 2, 5, 5, 7}, col_idx[] = {0, 1, 0, 1, 2, 2, 3};
    static const double val[] = {4, 1, 1, 4, 1, 1, 4}, expected[] = {62, 74, 50, 88};
    double x[] = {1, 2, 3, 4}, y[] = {100, 100, 100, 100};
    cl_platform_id platform;
    cl_device_id device;
    spmv_error error;

    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        printf("there is no OpenCL device\n");
        return SKIPPED;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    cl_mem device_x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL);
    cl_mem device_y = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof y, y, NULL);

    spmv_matrix *a = spmv_matrix_create_f64(queue, 4, 4, row_ptr, col_idx, val, &error);
    if (a == NULL || spmv_multiply_f64(a, 2.0, device_x, 0.5, device_y, queue, 0, NULL, NULL,
                                       &error) != SPMV_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    clEnqueueReadBuffer(queue, device_y, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL);
    printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

    spmv_matrix_destroy(a);
    clReleaseMemObject(device_x);
    clReleaseMemObject(device_y);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return memcmp(y, expected, sizeof y) != 0;
}
