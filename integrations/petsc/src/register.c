/* register.c: makes the types known to PETSc, by -dll_append or by a call.
 *
 * PETSc forgets types when it is finalised, and may be initialised again afterwards. */
#include "integrations/petsc/src/dense_product.h"
#include "integrations/petsc/src/device.h"
#include "integrations/petsc/src/inherited.h"
#include "integrations/petsc/src/mpiaij.h"
#include "integrations/petsc/src/seqaij.h"

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_petscspmv(void);

PetscLogEvent aijspmv_event_inspect, aijspmv_event_update, aijspmv_event_mult;
static PetscBool is_registered;

static PetscErrorCode finalize(void)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_device_finalize());
    is_registered = PETSC_FALSE;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatAIJSpmvRegister(void)
{
    PetscFunctionBegin;
    if (is_registered)
        PetscFunctionReturn(PETSC_SUCCESS);
    is_registered = PETSC_TRUE;
    aijspmv_inherited_hook_products(aijspmv_dense_product_hook);
    PetscCall(MatRegisterRootName(MATAIJSPMV, MATSEQAIJSPMV, MATMPIAIJSPMV));
    PetscCall(MatRegister(MATSEQAIJSPMV, aijspmv_create_seq));
    PetscCall(MatRegister(MATMPIAIJSPMV, aijspmv_create_mpi));
    PetscCall(MatSeqAIJRegister(MATSEQAIJSPMV, aijspmv_convert_to_seq));
    PetscCall(PetscLogEventRegister("MatSpmvInspect", MAT_CLASSID, &aijspmv_event_inspect));
    PetscCall(PetscLogEventRegister("MatSpmvUpdate", MAT_CLASSID, &aijspmv_event_update));
    PetscCall(PetscLogEventRegister("MatSpmvMult", MAT_CLASSID, &aijspmv_event_mult));
    PetscCall(PetscRegisterFinalize(finalize));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PetscDLLibraryRegister_petscspmv(void)
{
    PetscFunctionBegin;
    PetscCall(MatAIJSpmvRegister());
    PetscFunctionReturn(PETSC_SUCCESS);
}
