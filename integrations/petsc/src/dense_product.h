/* dense_product.h: C = A B for A of the plug-in's types and a dense B. */
#ifndef AIJSPMV_DENSE_PRODUCT_H
#define AIJSPMV_DENSE_PRODUCT_H

#include "integrations/petsc/src/plugin.h"

/* For a product C whose symbolic phase PETSc has chosen: lets libspmv compute it, if it is one of
 * these. */
PetscErrorCode aijspmv_dense_product_hook(Mat C);

#endif
