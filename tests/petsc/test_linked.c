/* A program that links the plug-in, registers it twice, loads it by -dll_append, too, and
 * initialises PETSc again after PetscFinalize. */
#include "integrations/petsc/petscspmv.h"
#include "petsc_test.h"

static const test_shape shape = {.name = "square", .rows = 150, .cols = 150, .row_nnz = 5,
                                 .has_diagonal = true};

static PetscErrorCode test_round(int round)
{
    Mat A, B;
    bool is_same;
    MatType type;
    PetscBool is_own;

    PetscFunctionBegin;
    PetscCall(MatAIJSpmvRegister());
    PetscCall(MatAIJSpmvRegister());
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(test_matrix(MATAIJSPMV, &shape, 1, &B));
    PetscCall(MatGetType(B, &type));
    PetscCall(PetscStrcmp(type, test_ranks() > 1 ? MATMPIAIJSPMV : MATSEQAIJSPMV, &is_own));
    PetscCall(test_same_products(A, B, &is_same));
    all_ok(is_own && is_same, "round %d", round);
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    int code;

    MPI_Init(&argc, &argv);
    for (int round = 0; round < 3; round++) {
        PetscFunctionBeginUser;
        PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
        PetscCall(test_round(round));
        if (round < 2)
            PetscCall(PetscFinalize());
    }
    code = test_end();
    MPI_Finalize();
    return code;
}
