/* opencl/backend.h: the OpenCL backend: its device (opencl/device.c), memory (opencl/memory.c),
 * programs (opencl/program.c), plans (opencl/plan.c) and executes (opencl/execute.c and
 * opencl/enqueue.c, both by opencl/run.c and opencl/step_runner.c).
 *
 * A device is one context and one queue: its own, which keeps commands in their order, or the
 * caller's, which need not. Its calls may run at once. */
#ifndef SPMV_OPENCL_BACKEND_H
#define SPMV_OPENCL_BACKEND_H

#include "runtime/device/backend.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/base/text.h"

enum { OCL_NAME_SIZE = 128 };

typedef struct spmv_opencl_state {
    spmv_opencl_api api;
    spmv_opencl_platform platform;
    spmv_opencl_device device;
    spmv_opencl_context context;
    spmv_opencl_queue queue;
    spmv_opencl_bits queue_properties;   /* OCL_QUEUE_... */
    spmv_opencl_sharing sharing;         /* of memory with the host */
    int is_sharing_forced;               /* by the environment, whatever targets say */
    spmv_allocation_registry allocations;
    char name[OCL_NAME_SIZE];            /* of the device, as its driver calls it */
    char platform_name[OCL_NAME_SIZE];
    char driver[OCL_NAME_SIZE];          /* its version */
    size_t work_group_size;              /* the most work-items of a work-group */
    uint64_t local_memory;               /* bytes that a work-group may have */
    uint64_t largest_buffer;             /* bytes */
    uint64_t svm_capabilities;           /* OCL_SVM_... */
    int32_t has_f64;
    int32_t is_unified;                  /* host and device have one memory */
} spmv_opencl_state;

/* Builds the module's program. On error the text has the build log's beginning. */
spmv_status spmv_opencl_program_build(const spmv_opencl_state *state, const spmv_module *module,
                                      spmv_opencl_program *program, spmv_error *err);

/* Does the device lack what the program needs beyond OpenCL 1.2? Then `why` gets the end of a
 * sentence. */
int spmv_opencl_lacks_needed(const spmv_opencl_state *state, const spmv_program *program,
                             spmv_text *why);

/* SPMV_UNSUPPORTED where the driver gives a kernel subgroups of another size than its text relies
 * on. */
spmv_status spmv_opencl_check_subgroups(const spmv_opencl_state *state, const spmv_module *module,
                                        spmv_opencl_program program, spmv_error *err);

extern const spmv_backend spmv_opencl_backend;

/* Of opencl/plan.c. */
spmv_status spmv_opencl_plan_create(void *state, const spmv_plan *plan, void **plan_state,
                                    spmv_error *err);
void spmv_opencl_plan_destroy(void *plan_state);
spmv_status spmv_opencl_plan_take_values(void *plan_state, spmv_error *err);

/* Of opencl/execute.c and opencl/enqueue.c. */
spmv_status spmv_opencl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                     int32_t *count);
spmv_status spmv_opencl_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                                     const spmv_enqueue_options *options);

#endif
