/* opencl.h: the OpenCL backend: its device (opencl.c), programs (opencl_program.c) and plans
 * (opencl_plan.c).
 *
 * A device is one context and one in-order queue, made here. Its calls may run at once. */
#ifndef SPMV_OPENCL_H
#define SPMV_OPENCL_H

#include "backend.h"
#include "opencl_api.h"

enum { OCL_NAME_SIZE = 128 };

typedef struct ocl_state {
    ocl_api api;
    ocl_platform platform;
    ocl_device device;
    ocl_context context;
    ocl_queue queue;
    char name[OCL_NAME_SIZE];            /* of the device, as its driver calls it */
    char platform_name[OCL_NAME_SIZE];
    char driver[OCL_NAME_SIZE];          /* its version */
    size_t work_group_size;              /* the most work-items of a work-group */
    uint64_t local_memory;               /* bytes that a work-group may have */
    uint64_t largest_buffer;             /* bytes */
    int32_t has_f64;
} ocl_state;

/* Builds the module's program. On error the text has the build log's beginning. */
spmv_status ocl_program_build(const ocl_state *state, const spmv_module *module,
                              ocl_program *program, spmv_error *err);

extern const spmv_backend spmv_opencl_backend;

/* Of opencl_plan.c. */
spmv_status ocl_plan_create(void *state, const spmv_plan *plan, void **plan_state, spmv_error *err);
void ocl_plan_destroy(void *plan_state);
spmv_status ocl_plan_take_values(void *plan_state, spmv_error *err);
spmv_status ocl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                             int32_t *count);

#endif
