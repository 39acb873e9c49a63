/* silent_change.c: wrappers that count changes, composed with a matrix in place of PETSc's. */
#include "integrations/petsc/src/silent_change.h"

#include "integrations/petsc/src/data.h"

typedef PetscErrorCode retrieve_function(Mat);
typedef PetscErrorCode set_columns_function(Mat, PetscInt *);

static const char retrieve_name[] = "MatRetrieveValues_C";
static const char set_columns_name[] = "MatSeqAIJSetColumnIndices_C";
static retrieve_function *petsc_retrieve;        /* of PETSc's SeqAIJ */
static set_columns_function *petsc_set_columns;

static PetscErrorCode count_change(Mat A)
{
    PetscObjectState state;

    PetscFunctionBegin;
    PetscCall(PetscObjectStateGet((PetscObject)A, &state));
    PetscCall(PetscObjectStateSet((PetscObject)A, state + 1));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode retrieve(Mat A)
{
    PetscFunctionBegin;
    PetscCall(petsc_retrieve(A));
    PetscCall(count_change(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* No function counts a change of the structure; so the plans are forgotten. */
static PetscErrorCode set_columns(Mat A, PetscInt *columns)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(petsc_set_columns(A, columns));
    PetscCall(aijspmv_data_find(A, &data));
    if (data)
        PetscCall(aijspmv_data_reset_plans(data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_silent_change_count(Mat A)
{
    const PetscObject object = (PetscObject)A;

    PetscFunctionBegin;
    if (!petsc_retrieve) {
        PetscCall(PetscObjectQueryFunction(object, retrieve_name, &petsc_retrieve));
        PetscCall(PetscObjectQueryFunction(object, set_columns_name, &petsc_set_columns));
    }
    if (petsc_retrieve)
        PetscCall(PetscObjectComposeFunction(object, retrieve_name, retrieve));
    if (petsc_set_columns)
        PetscCall(PetscObjectComposeFunction(object, set_columns_name, set_columns));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_silent_change_restore(Mat A)
{
    PetscFunctionBegin;
    PetscCall(PetscObjectComposeFunction((PetscObject)A, retrieve_name, petsc_retrieve));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, set_columns_name, petsc_set_columns));
    PetscFunctionReturn(PETSC_SUCCESS);
}
