/* Products of matrices of all shapes are those of PETSc's AIJ. */
#include "petsc_test.h"

static const test_shape shapes[] = {
    {.name = "square", .rows = 300, .cols = 300, .row_nnz = 9, .has_diagonal = true},
    {.name = "band", .rows = 1000, .cols = 1000, .row_nnz = 5, .band = 3, .has_diagonal = true},
    {.name = "tall", .rows = 700, .cols = 50, .row_nnz = 4},
    {.name = "wide", .rows = 50, .cols = 700, .row_nnz = 40},
    {.name = "half of the rows empty", .rows = 400, .cols = 400, .row_nnz = 6, .empty_rows = 500},
    {.name = "nine of ten rows empty", .rows = 900, .cols = 300, .row_nnz = 6, .empty_rows = 900},
    {.name = "all entries zero", .rows = 100, .cols = 100},
    {.name = "one column", .rows = 200, .cols = 1, .row_nnz = 1},
    {.name = "one row", .rows = 1, .cols = 200, .row_nnz = 120},
    {.name = "one entry", .rows = 1, .cols = 1, .row_nnz = 1},
    {.name = "rows on one rank", .rows = 200, .cols = 200, .row_nnz = 5, .is_on_rank_0 = true},
    {.name = "fewer rows than ranks", .rows = 3, .cols = 3, .row_nnz = 2},
    {.name = "no rows", .rows = 0, .cols = 10, .row_nnz = 2},
    {.name = "dense", .rows = 60, .cols = 60, .row_nnz = 200},
};

/* As PETSc's, the parallel type may be named on one rank, too. */
static PetscErrorCode test_parallel_type(void)
{
    Mat A, B;
    bool is_same;

    PetscFunctionBegin;
    PetscCall(test_matrix(MATMPIAIJ, &shapes[0], 1, &A));
    PetscCall(test_matrix("mpiaijspmv", &shapes[0], 1, &B));
    PetscCall(test_same_products(A, B, &is_same));
    all_ok(is_same, "mpiaijspmv");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint32_t seed = 1; seed <= 3; seed++) {
            Mat A, B;
            bool is_same;

            PetscCall(test_matrix(MATAIJ, &shapes[i], seed, &A));
            PetscCall(test_matrix("aijspmv", &shapes[i], seed, &B));
            PetscCall(test_same_products(A, B, &is_same));
            all_ok(is_same, "%s: seed %u", shapes[i].name, seed);
            PetscCall(MatDestroy(&A));
            PetscCall(MatDestroy(&B));
        }
    PetscCall(test_parallel_type());
    return test_end();
}
