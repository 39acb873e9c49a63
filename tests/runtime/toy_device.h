/* toy_device.h: a module with a program, for another device. The method is minimal, but has each
 * feature: an array, a number, a part of the workspace, and a host step between kernels.
 * mock_opencl.c and mock_cuda.c run its kernels. */
#ifndef TEST_TOY_DEVICE_H
#define TEST_TOY_DEVICE_H

#include "runtime/spmv_module.h"

extern const spmv_module toy_device_f64_i32;
extern const spmv_module *const toy_device_modules[];

/* If set, a host step of toy_device calls the function. */
extern void (*toy_during_step)(void);

/* A module without host steps, so that an enqueue waits for nothing; right only for beta == 0. */
extern const spmv_module *const toy_alone_modules[];

/* A module that borrows the caller's values instead of doubling them. For CUDA alone. */
extern const spmv_module *const toy_borrowing_modules[];

/* A module of one kernel without a workspace; right only for alpha == 1 and beta == 0. For CUDA
 * alone. */
extern const spmv_module *const toy_single_modules[];
extern spmv_kernel toy_single_kernel;    /* its kernel; tests change it */

/* Tests change the program, and restore it afterwards. */
extern spmv_program toy_device_program;

typedef struct toy_kernel {
    const char *name;
    int argument_count;
    const char *is_pointer;      /* 1 or 0 for each argument */
    const char *bytes;           /* of each argument that is no pointer */
    void (*run)(const void *const *argument, int64_t item);
} toy_kernel;

/* Ends with a NULL name. */
extern const toy_kernel toy_kernels[];

#endif
