/* bratu.h: Jacobians of the Bratu problem, -laplace(u) = lambda exp(u), on a regular grid. */
#ifndef AIJSPMV_BRATU_H
#define AIJSPMV_BRATU_H

#include <petscksp.h>
#include <stdbool.h>

/* Creates the Jacobian at u = 0, with lambda 6, on the inner points of the unit square ("bratu2d")
 * or of the unit cube ("bratu3d"), as an AIJ matrix of PETSC_COMM_WORLD. `points`: in each
 * dimension. Sets *is_bratu to false, and creates nothing, for another name. */
PetscErrorCode bratu_create(const char *name, PetscInt points, Mat *A, bool *is_bratu);

#endif
