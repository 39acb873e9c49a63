/* operations.h: the operations of AIJ that the plug-in's types replace.
 *
 * Both types have the same ones; an aijspmv_type holds what a type does differently. Some functions
 * of PETSc exchange the inside of a matrix and keep its operations (MatHeaderMerge). The data of
 * the plug-in may be gone afterwards; they are attached again when an operation needs them, with
 * the parent's operations at the first conversion. */
#ifndef AIJSPMV_OPERATIONS_H
#define AIJSPMV_OPERATIONS_H

#include "integrations/petsc/src/data.h"

typedef struct aijspmv_type {
    aijspmv_kind kind;

    /* Composes A with the functions that PETSc finds by name, when its data are attached again.
     * NULL: they are not lost. */
    PetscErrorCode (*compose_functions)(Mat A);

    /* Before a product: makes or updates plans. *plan: multiplies; where it stays NULL, and where
     * its `plan` is, the parent's operation does. which: AIJSPMV_PLAIN or AIJSPMV_TRANSPOSED. */
    PetscErrorCode (*begin_product)(Mat A, aijspmv_data *data, int which, aijspmv_plan **plan);
    PetscErrorCode (*end_product)(Mat A, aijspmv_data *data, int which);     /* NULL: nothing */

    PetscErrorCode (*assembly_end)(Mat A, aijspmv_data *data, MatAssemblyType type);
    PetscErrorCode (*print_choices)(Mat A, const aijspmv_data *data, PetscViewer viewer,
                                    bool in_detail);

    /* After data->settings were read anew. */
    PetscErrorCode (*renew)(Mat A, aijspmv_data *data);
} aijspmv_type;

/* The data of A; attaches them again if they are gone. */
PetscErrorCode aijspmv_data_of(Mat A, aijspmv_data **data);

/* Replaces the operations of A, whose data are attached, and the reverse. Operations that the
 * program has set since stay. */
PetscErrorCode aijspmv_operations_replace(Mat A, const aijspmv_type *type, aijspmv_data *data);
PetscErrorCode aijspmv_operations_restore(Mat A, const aijspmv_data *data);

/* Calls the parent's MatAssemblyEnd. */
PetscErrorCode aijspmv_parent_assembly_end(Mat A, const aijspmv_data *data, MatAssemblyType type);

#endif
