/* data.c: keeps the plug-in's data of a matrix as an object that is composed with it. */
#include "integrations/petsc/src/data.h"

static const char container_name[] = "aijspmv";

PetscErrorCode aijspmv_data_find(Mat A, aijspmv_data **data)
{
    PetscContainer container;

    PetscFunctionBegin;
    *data = NULL;
    PetscCall(PetscObjectQuery((PetscObject)A, container_name, (PetscObject *)&container));
    if (container)
        PetscCall(PetscContainerGetPointer(container, (void **)data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_data_reset_plans(aijspmv_data *data)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_plan_reset(&data->plan[AIJSPMV_PLAIN]));
    PetscCall(aijspmv_plan_reset(&data->plan[AIJSPMV_TRANSPOSED]));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy_data(aijspmv_data *data)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_data_reset_plans(data));
    PetscCall(PetscFree(data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

#if PETSC_VERSION_GE(3, 25, 0)
static PetscErrorCode destroy_context(PetscCtxRt context)
#elif PETSC_VERSION_GE(3, 23, 0)
static PetscErrorCode destroy_context(void **context)
#endif
#if PETSC_VERSION_GE(3, 23, 0)
{
    PetscFunctionBegin;
    PetscCall(destroy_data(*(aijspmv_data **)context));
    PetscFunctionReturn(PETSC_SUCCESS);
}
#define set_destroy PetscContainerSetCtxDestroy
#else
static PetscErrorCode destroy_context(void *context)
{
    PetscFunctionBegin;
    PetscCall(destroy_data((aijspmv_data *)context));
    PetscFunctionReturn(PETSC_SUCCESS);
}
#define set_destroy PetscContainerSetUserDestroy
#endif

PetscErrorCode aijspmv_data_attach(Mat A, aijspmv_kind kind, aijspmv_data **data)
{
    PetscContainer container;

    PetscFunctionBegin;
    PetscCall(PetscNew(data));
    (*data)->kind = kind;
    aijspmv_settings_default(&(*data)->settings);
    (*data)->plan[AIJSPMV_TRANSPOSED].is_transposed = PETSC_TRUE;
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscContainerSetPointer(container, *data));
    PetscCall(set_destroy(container, destroy_context));
    PetscCall(PetscObjectCompose((PetscObject)A, container_name, (PetscObject)container));
    PetscCall(PetscContainerDestroy(&container));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_data_detach(Mat A)
{
    PetscFunctionBegin;
    PetscCall(PetscObjectCompose((PetscObject)A, container_name, NULL));
    PetscFunctionReturn(PETSC_SUCCESS);
}
