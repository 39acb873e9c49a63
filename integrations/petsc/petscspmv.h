/* petscspmv.h: libspmv's kernels for PETSc, as the matrix type aijspmv.
 *
 * A matrix of this type is PETSc's AIJ in every respect; MatMult and MatMultAdd use libspmv. There
 * are two ways to the type:
 *
 *     ./program -dll_append /PATH/libpetscspmv.so -mat_type aijspmv
 *
 * without a change to the program, or, in a program that is linked with -lpetscspmv,
 *
 *     PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
 *     PetscCall(MatAIJSpmvRegister());
 *     ...
 *     PetscCall(MatSetType(A, MATAIJSPMV));
 *
 * docs/how-to/petsc.md lists the options.
 */
#ifndef PETSCSPMV_H
#define PETSCSPMV_H

#include <petscmat.h>

#define MATAIJSPMV    "aijspmv"       /* the type below that fits the communicator */
#define MATSEQAIJSPMV "seqaijspmv"    /* a MATSEQAIJ */
#define MATMPIAIJSPMV "mpiaijspmv"    /* a MATMPIAIJ, whose two blocks are MATSEQAIJSPMV */

/* Makes the types known. Not collective; may be called again. -dll_append does the same. */
PETSC_EXTERN PetscErrorCode MatAIJSpmvRegister(void);

#endif
