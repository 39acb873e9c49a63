/* data.h: what the plug-in knows of a matrix, and the operations that it replaced. */
#ifndef AIJSPMV_DATA_H
#define AIJSPMV_DATA_H

#include "integrations/petsc/src/local_plan.h"

/* The operations that a type replaces. */
enum {
    AIJSPMV_MULT, AIJSPMV_MULT_ADD, AIJSPMV_MULT_TRANSPOSE, AIJSPMV_MULT_TRANSPOSE_ADD,
    AIJSPMV_ASSEMBLY_END, AIJSPMV_DUPLICATE, AIJSPMV_DESTROY, AIJSPMV_VIEW,
    AIJSPMV_SET_FROM_OPTIONS, AIJSPMV_OPERATIONS
};
typedef struct aijspmv_operations {
    aijspmv_function *of[AIJSPMV_OPERATIONS];
} aijspmv_operations;

/* Calls the operation `which` of the parent, with its type. */
typedef PetscErrorCode aijspmv_mult_function(Mat, Vec, Vec);
typedef PetscErrorCode aijspmv_mult_add_function(Mat, Vec, Vec, Vec);
typedef PetscErrorCode aijspmv_assembly_end_function(Mat, MatAssemblyType);
typedef PetscErrorCode aijspmv_duplicate_function(Mat, MatDuplicateOption, Mat *);
typedef PetscErrorCode aijspmv_destroy_function(Mat);
typedef PetscErrorCode aijspmv_view_function(Mat, PetscViewer);

typedef struct aijspmv_data {
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
PetscErrorCode aijspmv_data_attach(Mat A, aijspmv_data **data);
PetscErrorCode aijspmv_data_detach(Mat A);       /* and frees it */

/* Forgets the plans, as aijspmv_plan_reset. */
PetscErrorCode aijspmv_data_reset_plans(aijspmv_data *data);

/* The parent's MatDuplicate. The copy has the same settings and makes its own plan. */
PetscErrorCode aijspmv_data_duplicate(Mat A, const aijspmv_data *data, MatDuplicateOption op,
                                      Mat *out);

/* Sets the operations of A to `own`, and stores the old ones in `parent`. NULL in `own`: as is. */
PetscErrorCode aijspmv_operations_replace(Mat A, const aijspmv_operations *own,
                                          aijspmv_operations *parent);

/* Sets them back, except those that the program has set since. */
PetscErrorCode aijspmv_operations_restore(Mat A, const aijspmv_operations *own,
                                          const aijspmv_operations *parent);

#endif
