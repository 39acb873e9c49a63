/* device.h: the CPU as libspmv's device, one for all matrices of the process.
 *
 * It is opened for the first plan and closed by PetscFinalize if no plan is left then. */
#ifndef AIJSPMV_DEVICE_H
#define AIJSPMV_DEVICE_H

#include "integrations/petsc/src/plugin.h"

PetscErrorCode aijspmv_device_retain(spmv_device **device);      /* for one plan */
void aijspmv_device_release(void);                               /* when the plan is gone */
PetscErrorCode aijspmv_device_finalize(void);

#endif
