/* data.h: what the plug-in knows of a matrix, and the operations that it replaced. */
#ifndef AIJSPMV_DATA_H
#define AIJSPMV_DATA_H

#include "integrations/petsc/src/local_plan.h"

/* The operations that the types replace. */
enum {
    AIJSPMV_MULT, AIJSPMV_MULT_ADD, AIJSPMV_MULT_TRANSPOSE, AIJSPMV_MULT_TRANSPOSE_ADD,
    AIJSPMV_ASSEMBLY_END, AIJSPMV_DUPLICATE, AIJSPMV_DESTROY, AIJSPMV_VIEW,
    AIJSPMV_SET_FROM_OPTIONS, AIJSPMV_OPERATIONS
};
typedef struct aijspmv_operations {
    aijspmv_function *of[AIJSPMV_OPERATIONS];
} aijspmv_operations;

typedef struct aijspmv_data {
    aijspmv_kind kind;
    aijspmv_settings settings;
    aijspmv_operations parent;
    aijspmv_plan plan[2];            /* SeqAIJ: of the matrix and of its transpose, each made for
                                        its first product */
    PetscBool is_viewed[2];          /* MPIAIJ, of the same: the choices were printed for
                                        viewed_state, a nonzero state */
    PetscObjectState viewed_state[2];
} aijspmv_data;

enum { AIJSPMV_PLAIN, AIJSPMV_TRANSPOSED };      /* indices of plan */

/* The data of A; NULL: it has none. */
PetscErrorCode aijspmv_data_find(Mat A, aijspmv_data **data);

/* Gives A data with default settings. */
PetscErrorCode aijspmv_data_attach(Mat A, aijspmv_kind kind, aijspmv_data **data);
PetscErrorCode aijspmv_data_detach(Mat A);       /* and frees it */

/* Forgets the plans, as aijspmv_plan_reset. */
PetscErrorCode aijspmv_data_reset_plans(aijspmv_data *data);

#endif
