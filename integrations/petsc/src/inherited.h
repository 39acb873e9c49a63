/* inherited.h: what PETSc finds by the name of a matrix's type: conversions and products.
 *
 * PETSc registers them for seqaij and mpiaij. These functions make them known for the types of the
 * plug-in. */
#ifndef AIJSPMV_INHERITED_H
#define AIJSPMV_INHERITED_H

#include "integrations/petsc/src/plugin.h"

typedef PetscErrorCode aijspmv_convert_function(Mat, MatType, MatReuse, Mat *);

/* The conversions lead to the plug-in's type of this kind, and back. */
PetscErrorCode aijspmv_inherited_add(Mat A, aijspmv_kind kind, aijspmv_convert_function *to,
                                     aijspmv_convert_function *from);
PetscErrorCode aijspmv_inherited_remove(Mat A, aijspmv_kind kind);

/* The hook is called for each product of the plug-in's types, when PETSc has chosen its symbolic
 * phase. */
typedef PetscErrorCode aijspmv_product_hook(Mat C);
void aijspmv_inherited_hook_products(aijspmv_product_hook *hook);

/* Sets *B to the matrix that a conversion of A changes in place: A or a copy. NULL: nothing is left
 * to do, since `reuse` asks for A's values in the matrix `out`. */
PetscErrorCode aijspmv_conversion_begin(Mat A, MatReuse reuse, Mat out, Mat *B);

#endif
