/* seqaij.h: the type seqaijspmv, PETSc's SeqAIJ with libspmv's products. */
#ifndef AIJSPMV_SEQAIJ_H
#define AIJSPMV_SEQAIJ_H

#include "integrations/petsc/src/data.h"

PetscErrorCode aijspmv_create_seq(Mat A);        /* for MatRegister */

/* For MatConvert and MatSeqAIJRegister. */
PetscErrorCode aijspmv_convert_to_seq(Mat A, MatType type, MatReuse reuse, Mat *out);
PetscErrorCode aijspmv_convert_from_seq(Mat A, MatType type, MatReuse reuse, Mat *out);

/* Makes a block of a parallel matrix seqaijspmv, in place, with that matrix's settings. A block of
 * another type than SeqAIJ stays as it is. A block that is one already takes other settings only if
 * `renew` is set. */
PetscErrorCode aijspmv_convert_block(Mat block, const aijspmv_settings *settings, bool renew);

/* Makes or updates A's plan, and prints its choice if an option asks for it. *plan is A's until A
 * changes; its `plan` is NULL if PETSc multiplies. which: AIJSPMV_PLAIN or AIJSPMV_TRANSPOSED. */
PetscErrorCode aijspmv_seq_plan(Mat A, int which, aijspmv_plan **plan);

/* Makes or updates the plan of a block, if it is seqaijspmv. */
PetscErrorCode aijspmv_refresh_block(Mat block, int which);

#endif
