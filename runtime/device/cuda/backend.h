/* cuda/backend.h: the CUDA backend: its device (cuda/device.c) and that device's context
 * (cuda/context.c), memory (cuda/memory.c), programs (cuda/program.c, cuda/nvrtc.c), plans
 * (cuda/plan.c) and executes (cuda/execute.c and cuda/enqueue.c, both by cuda/run.c and
 * cuda/step_runner.c).
 *
 * A device is one context and one stream: those of the caller, where there are any, else the
 * device's primary context, which the CUDA runtime's calls use too, and a stream of libspmv's own.
 * Each call of the backend makes the context the thread's current one and takes it back at its end.
 * Calls may run at once. */
#ifndef SPMV_CUDA_BACKEND_H
#define SPMV_CUDA_BACKEND_H

#include "runtime/device/backend.h"
#include "runtime/device/cuda/memory.h"
#include "runtime/base/text.h"

#include <pthread.h>

enum { CU_NAME_SIZE = 128 };

/* Whose the context is, and so what its end is. */
typedef enum spmv_cuda_owner {
    CU_OF_NOBODY,
    CU_OF_CALLER,
    CU_OF_DEVICE,
    CU_OF_LIBSPMV
} spmv_cuda_owner;

typedef struct spmv_cuda_state {
    spmv_cuda_api api;
    spmv_cuda_device device;
    spmv_cuda_context context;
    spmv_cuda_owner owner;
    spmv_cuda_stream stream;
    int owns_stream;
    spmv_cuda_sharing sharing;           /* of memory with the host */
    int is_sharing_forced;               /* by the environment, whatever targets say */
    pthread_mutex_t turn;                /* where sharing is in turns: the host or kernels use
                                            memory */
    spmv_allocation_registry allocations;
    char name[CU_NAME_SIZE];             /* as its driver calls it, and " (sm_NN)" */
    int capability;                      /* 10 * major + minor */
    int driver_version;
    int work_group_size;                 /* the most work-items of a work-group */
    int local_memory;                    /* bytes that a work-group may have */
    int subgroup_size;
    int64_t largest_grid;                /* work-groups */
    int is_unified;                      /* host and device have one memory */
    int has_one_address_space;           /* pointers say whose memory they are of */
    int has_managed, has_concurrent_managed;
} spmv_cuda_state;

/* ---- the device: cuda/device.c --------------------------------------------------------------- */

extern const spmv_backend spmv_cuda_backend;

/* The device's name as state.name has it. 0: the driver does not tell. */
int spmv_cuda_device_name(const spmv_cuda_state *state, spmv_cuda_device device,
                          char name[CU_NAME_SIZE]);

/* The device whose name contains `wanted`, or the first one (NULL). */
spmv_status spmv_cuda_device_find(const spmv_cuda_state *state, const char *wanted,
                                  spmv_cuda_device *device, spmv_error *err);

/* ---- the context: cuda/context.c ------------------------------------------------------------- */

/* The context, device and stream that the caller's queue (NULL: none), its thread and `wanted`
 * (NULL: any) come to. */
spmv_status spmv_cuda_context_open(spmv_cuda_state *state, const char *wanted,
                                   spmv_cuda_stream queue, spmv_error *err);
void spmv_cuda_context_close(spmv_cuda_state *state);

/* What a thread had before, until it leaves. */
typedef struct spmv_cuda_scope {
    int is_entered, is_relaxed;
    int mode;                            /* of captures */
} spmv_cuda_scope;

/* Makes the context current, and lets the thread make calls that a capture elsewhere forbids: they
 * have nothing to do with it. Leave whatever it returns. */
spmv_cuda_result spmv_cuda_enter(const spmv_cuda_state *state, spmv_cuda_scope *scope);
void spmv_cuda_leave(const spmv_cuda_state *state, const spmv_cuda_scope *scope);

/* Until what was started in the stream has ended; where the driver does not wait for that, all of
 * the context: memory that is in use must not go. */
spmv_cuda_result spmv_cuda_settle(const spmv_cuda_state *state, spmv_cuda_stream stream);

/* Whether the stream is being captured; with an error it is not known to be. */
spmv_cuda_result spmv_cuda_is_captured(const spmv_cuda_state *state, spmv_cuda_stream stream,
                                       int *is_captured);

/* ---- programs: cuda/program.c ---------------------------------------------------------------- */

/* The module's program, loaded. On error the text has the beginning of what the compiler said. */
spmv_status spmv_cuda_program_build(const spmv_cuda_state *state, const spmv_module *module,
                                    spmv_cuda_module *program, spmv_error *err);

/* ---- plans: cuda/plan.c, cuda/execute.c, cuda/enqueue.c -------------------------------------- */

spmv_status spmv_cuda_plan_create(void *state, const spmv_plan *plan, void **plan_state,
                                  spmv_error *err);
void spmv_cuda_plan_destroy(void *plan_state);
spmv_status spmv_cuda_plan_take_values(void *plan_state, spmv_error *err);
spmv_status spmv_cuda_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                   int32_t *count);
spmv_status spmv_cuda_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                                   const spmv_enqueue_options *options);

#endif
