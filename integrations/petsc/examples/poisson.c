/* poisson.c: solves the Poisson equation on a square grid, with any options of PETSc.
 * docs/how-to/petsc.md compiles it, and runs it with the kernels of libspmv. */
#include <petscksp.h>

int main(int argc, char **argv)
{
    PetscInt n = 200, first, last, iterations;
    Mat A;
    Vec x, b;
    KSP ksp;

    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
    PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
    PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n));
    PetscCall(MatSetFromOptions(A));
    PetscCall(MatSeqAIJSetPreallocation(A, 5, NULL));
    PetscCall(MatMPIAIJSetPreallocation(A, 5, NULL, 5, NULL));
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        PetscCall(MatSetValue(A, i, i, 4, INSERT_VALUES));
        if (i % n > 0)
            PetscCall(MatSetValue(A, i, i - 1, -1, INSERT_VALUES));
        if (i % n < n - 1)
            PetscCall(MatSetValue(A, i, i + 1, -1, INSERT_VALUES));
        if (i >= n)
            PetscCall(MatSetValue(A, i, i - n, -1, INSERT_VALUES));
        if (i < n * (n - 1))
            PetscCall(MatSetValue(A, i, i + n, -1, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetType(ksp, KSPCG));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d iterations\n", (int)iterations));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(MatDestroy(&A));
    return PetscFinalize();
}
