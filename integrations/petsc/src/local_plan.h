/* local_plan.h: libspmv's plan of one SeqAIJ matrix A or of its transpose, kept up to date with A.
 *
 * The plan borrows the matrix's arrays where its method allows. PETSc counts changes: a matrix with
 * a new nonzero state has a new structure and gets a new plan; one with a new object state has new
 * values, which the plan takes over. Both happen in aijspmv_plan_refresh, before a product.
 */
#ifndef AIJSPMV_LOCAL_PLAN_H
#define AIJSPMV_LOCAL_PLAN_H

#include "integrations/petsc/src/csr.h"
#include "integrations/petsc/src/settings.h"

typedef struct aijspmv_plan {
    PetscBool is_transposed;         /* it multiplies by A^T; set once */
    spmv_plan *plan;                 /* NULL: not inspected yet, or PETSc multiplies */
    PetscBool is_inspected;
    Mat matrix;                      /* whose plan it was at last, only to compare: MatHeaderReplace
                                        hands it to another matrix, which counts for itself */
    PetscObjectState state, nonzero_state;   /* of that matrix */
    const PetscInt *row_ptr, *col_idx;       /* of the same, to tell other arrays */
    aijspmv_csr csr;
    PetscScalar *filled;             /* if rows are compressed: values of the filled rows, of A x
                                        or, for A^T x, of x */
    char why_petsc[256];             /* why PETSc multiplies */
} aijspmv_plan;

/* Makes or updates the plan, if A has changed since. */
PetscErrorCode aijspmv_plan_refresh(aijspmv_plan *p, const aijspmv_settings *settings, Mat A);

/* y = A x, and z = A x + y, by a plan; A^T instead of A if it is transposed. z may be y. */
PetscErrorCode aijspmv_plan_mult(const aijspmv_plan *p, Vec x, Vec y);
PetscErrorCode aijspmv_plan_mult_add(const aijspmv_plan *p, Vec x, Vec y, Vec z);

/* Y = A X or, if adds, Y = A X + Y, by a plan that is not transposed. X and Y are dense, of
 * `columns` columns. */
PetscErrorCode aijspmv_plan_mult_columns(const aijspmv_plan *p, spmv_order order, PetscInt columns,
                                         const PetscScalar *x, PetscInt ldx, bool adds,
                                         PetscScalar *y, PetscInt ldy);

/* A line on the choice, without a line end; in detail, with its reason. */
PetscErrorCode aijspmv_plan_describe(const aijspmv_plan *p, bool in_detail, char *text,
                                     size_t bytes);

/* Forgets the plan: the next product makes another. */
PetscErrorCode aijspmv_plan_reset(aijspmv_plan *p);

#endif
