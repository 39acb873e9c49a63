/* toy_device.h: a module with a program: a method for another device, as small as it can be and
 * still use all that there is: an array, a number, a part of the workspace, and a host step between
 * kernels. mock_opencl.c and mock_cuda.c run its kernels. */
#ifndef TOY_DEVICE_H
#define TOY_DEVICE_H

#include "runtime/spmv_module.h"

extern const spmv_module toy_device_f64_i32;
extern const spmv_module *const toy_device_modules[];

/* Another one without host steps, so that nothing waits in the middle; right where beta is 0. */
extern const spmv_module *const toy_alone_modules[];

/* One that does not double: it multiplies by the caller's values. For CUDA alone. */
extern const spmv_module *const toy_borrowing_modules[];

/* What the tests change of the program; set back afterwards. */
extern spmv_program toy_device_program;

typedef struct toy_kernel {
    const char *name;
    int argument_count;
    const char *is_pointer;      /* 1 or 0 of each */
    const char *bytes;           /* of each that is none */
    void (*run)(const void *const *argument, int64_t item);
} toy_kernel;

/* Ends with a NULL name. */
extern const toy_kernel toy_kernels[];

#endif
