/* cuda/program.h: the programs of modules, loaded in a device's context. All plans of a module
 * share its program, which is loaded for the first plan and unloaded with the last. Any thread may
 * take and give back programs at any time; two that need the same program load it once, and others
 * do not wait for them. */
#ifndef SPMV_CUDA_PROGRAM_H
#define SPMV_CUDA_PROGRAM_H

#include "runtime/device/cuda/state.h"

typedef struct spmv_cuda_program {
    struct spmv_cuda_program *next;      /* of the device */
    const spmv_module *module;
    int references;                      /* plans that have it, or wait for it */
    pthread_mutex_t loading;             /* held while the program is loaded */
    int is_ready;
    spmv_cuda_module loaded;
    spmv_cuda_function kernel[SPMV_MAX_KERNELS];
} spmv_cuda_program;

/* Returns the module's program with a reference for the caller. The context must be current. The
 * error text has the beginning of the compiler's log. */
spmv_status spmv_cuda_program_take(spmv_cuda_state *state, const spmv_module *module,
                                   spmv_cuda_program **out, spmv_error *err);

/* is_entered: the context is current; otherwise it has been destroyed, with all that was in it. */
void spmv_cuda_program_give_back(spmv_cuda_state *state, spmv_cuda_program *program,
                                 int is_entered);

#endif
