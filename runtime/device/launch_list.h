/* launch_list.h: the steps of a multiplication on a device. They are kernels of the module's
 * program, and host steps between them. */
#ifndef SPMV_LAUNCH_LIST_H
#define SPMV_LAUNCH_LIST_H

#include "runtime/spmv_module.h"

enum { SPMV_HOST_STEP = -1 };

typedef struct spmv_launch {
    spmv_step step;              /* grid > 0 */
    int32_t kernel;              /* index in the program; SPMV_HOST_STEP: step.run is called */
} spmv_launch;

typedef struct spmv_launch_list {
    int32_t count;
    spmv_launch launch[SPMV_MAX_STEPS];
} spmv_launch_list;

/* Gets the steps of the job from the module, without steps whose grid is 0. SPMV_ABI_MISMATCH: the
 * steps break the module contract. Allocates nothing. */
spmv_status spmv_launch_list_make(const spmv_module *module, const spmv_job *job,
                                  spmv_launch_list *list);

/* The first host step. NULL: none. */
const spmv_step *spmv_launch_list_host_step(const spmv_launch_list *list);

#endif
