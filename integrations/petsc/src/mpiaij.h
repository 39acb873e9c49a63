/* mpiaij.h: the type mpiaijspmv, PETSc's MPIAIJ whose two blocks are seqaijspmv.
 *
 * PETSc distributes rows, and exchanges x while the diagonal block is multiplied. */
#ifndef AIJSPMV_MPIAIJ_H
#define AIJSPMV_MPIAIJ_H

#include "integrations/petsc/src/data.h"

PetscErrorCode aijspmv_create_mpi(Mat A);        /* for MatRegister */

/* Begins and ends a product with A by its blocks: their plans are made or updated before, and their
 * choices are printed afterwards if an option asks for it. */
PetscErrorCode aijspmv_mpi_begin(Mat A);
PetscErrorCode aijspmv_mpi_end(Mat A);

/* For MatConvert. */
PetscErrorCode aijspmv_convert_to_mpi(Mat A, MatType type, MatReuse reuse, Mat *out);
PetscErrorCode aijspmv_convert_from_mpi(Mat A, MatType type, MatReuse reuse, Mat *out);

#endif
