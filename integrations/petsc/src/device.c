/* device.c: opens and closes the process's device. */
#include "integrations/petsc/src/device.h"

static spmv_device *the_device;
static PetscInt plans;

PetscErrorCode aijspmv_device_retain(spmv_device **device)
{
    PetscFunctionBegin;
    if (!the_device) {
        spmv_device_options options = {.struct_size = sizeof options, .device = "cpu"};
        spmv_error error;

        AIJSPMV_CALL(spmv_device_open(&options, &the_device, &error), error);
    }
    plans++;
    *device = the_device;
    PetscFunctionReturn(PETSC_SUCCESS);
}

void aijspmv_device_release(void)
{
    plans--;
}

PetscErrorCode aijspmv_device_finalize(void)
{
    PetscFunctionBegin;
    if (plans == 0) {
        spmv_device_close(the_device);
        the_device = NULL;
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}
