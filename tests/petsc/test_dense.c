/* Products of aijspmv and dense matrices are those of AIJ, and libspmv computes them. */
#include "petsc_test.h"

static const test_shape shapes[] = {
    {.name = "square", .rows = 300, .cols = 300, .row_nnz = 9, .has_diagonal = true},
    {.name = "tall", .rows = 700, .cols = 50, .row_nnz = 4},
    {.name = "wide", .rows = 50, .cols = 700, .row_nnz = 40},
    {.name = "nine of ten rows empty", .rows = 900, .cols = 300, .row_nnz = 6, .empty_rows = 900},
    {.name = "band", .rows = 400, .cols = 400, .row_nnz = 5, .band = 3, .has_diagonal = true},
    {.name = "all entries zero", .rows = 100, .cols = 100},
    {.name = "fewer rows than ranks", .rows = 3, .cols = 3, .row_nnz = 2},
    {.name = "one row", .rows = 1, .cols = 200, .row_nnz = 120},
};

/* The last one is more than are multiplied at a time. */
static const PetscInt widths[] = {1, 8, 33};

/* A dense matrix with the layout of A's columns, whose columns are `gap` values apart. */
static PetscErrorCode create_dense(Mat A, PetscInt columns, PetscInt gap, Mat *B)
{
    PetscInt local, global, first, ld;
    PetscScalar *values;

    PetscFunctionBegin;
    PetscCall(MatGetLocalSize(A, NULL, &local));
    PetscCall(MatGetSize(A, NULL, &global));
    PetscCall(MatCreate(PETSC_COMM_WORLD, B));
    PetscCall(MatSetSizes(*B, local, PETSC_DECIDE, global, columns));
    PetscCall(MatSetType(*B, MATDENSE));
    if (gap)
        PetscCall(MatDenseSetLDA(*B, local + gap));
    PetscCall(MatSetUp(*B));
    PetscCall(MatGetOwnershipRange(*B, &first, NULL));
    PetscCall(MatDenseGetLDA(*B, &ld));
    PetscCall(MatDenseGetArray(*B, &values));
    for (PetscInt c = 0; c < columns; c++)
        for (PetscInt i = 0; i < local; i++)
            values[i + c * ld] = test_value(5, (uint32_t)(first + i), (uint32_t)c);
    PetscCall(MatDenseRestoreArray(*B, &values));
    PetscCall(MatAssemblyBegin(*B, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*B, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode is_near(Mat C, Mat D, bool *near)
{
    PetscReal difference, size;
    Mat copy;

    PetscFunctionBegin;
    PetscCall(MatDuplicate(C, MAT_COPY_VALUES, &copy));
    PetscCall(MatAXPY(copy, -1, D, SAME_NONZERO_PATTERN));
    PetscCall(MatNorm(copy, NORM_FROBENIUS, &difference));
    PetscCall(MatNorm(C, NORM_FROBENIUS, &size));
    PetscCall(MatDestroy(&copy));
    *near = difference <= 1000 * PETSC_MACHINE_EPSILON * (size + 1);
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Products by libspmv on all ranks so far. */
static PetscErrorCode count_products(int *products)
{
    PetscLogEvent event;
    PetscEventPerfInfo info;

    PetscFunctionBegin;
    PetscCall(PetscLogEventGetId("MatSpmvMult", &event));
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info));
    PetscCallMPI(MPI_Allreduce(&info.count, products, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* The product, the same again with new values of A, and with another B. */
static PetscErrorCode test_width(const test_shape *shape, PetscInt columns, PetscInt gap)
{
    int before, after;
    bool near[3];
    Mat A, B, X, Z, C, D;

    PetscFunctionBegin;
    PetscCall(test_matrix(MATAIJ, shape, 1, &A));
    PetscCall(test_matrix("aijspmv", shape, 1, &B));
    PetscCall(create_dense(A, columns, gap, &X));
    PetscCall(create_dense(A, columns, gap, &Z));     /* AIJ takes no other gap again */
    PetscCall(MatScale(Z, -3));
    PetscCall(MatMatMult(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(count_products(&before));
    PetscCall(MatMatMult(B, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(count_products(&after));
    PetscCall(is_near(C, D, &near[0]));
    PetscCall(MatScale(A, 2));
    PetscCall(MatScale(B, 2));
    PetscCall(MatMatMult(A, X, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMult(B, X, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(is_near(C, D, &near[1]));
    PetscCall(MatMatMult(A, Z, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMult(B, Z, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(is_near(C, D, &near[2]));
    all_ok(near[0] && near[1] && near[2], "%s, %d columns, %d between them", shape->name,
           (int)columns, (int)gap);
    all_ok(shape->row_nnz == 0 || after > before, "and libspmv multiplies");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&X));
    PetscCall(MatDestroy(&Z));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* -mat_aijspmv_dense never leaves products to PETSc. Others do not depend on the option's value
 * but by rounding. */
static PetscErrorCode test_option(void)
{
    static const char *const values[] = {"never", "kernels", "always"};
    int before, after[3];
    bool near[3];

    PetscFunctionBegin;
    for (int i = 0; i < 3; i++) {
        Mat A, B, X, C, D;

        PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_dense", values[i]));
        PetscCall(test_matrix(MATAIJ, &shapes[0], 1, &A));
        PetscCall(test_matrix("aijspmv", &shapes[0], 1, &B));
        PetscCall(create_dense(A, 4, 0, &X));
        PetscCall(MatMatMult(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
        PetscCall(count_products(&before));
        PetscCall(MatMatMult(B, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
        PetscCall(count_products(&after[i]));
        after[i] -= before;
        PetscCall(is_near(C, D, &near[i]));
        PetscCall(MatDestroy(&A));
        PetscCall(MatDestroy(&B));
        PetscCall(MatDestroy(&X));
        PetscCall(MatDestroy(&C));
        PetscCall(MatDestroy(&D));
    }
    all_ok(near[0] && near[1] && near[2], "-mat_aijspmv_dense: right products");
    all_ok(after[0] == 0 && after[2] > 0 && after[1] <= after[2],
           "-mat_aijspmv_dense: never by libspmv, always by libspmv");
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* C is the program's, and has gaps. Blocks without plans, beside others, multiply, too. */
static PetscErrorCode test_own_matrix(const char *least_nonzeros)
{
    const test_shape *shape = &shapes[4];
    bool near;
    Mat A, B, X, C, D;

    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_least_nonzeros", least_nonzeros));
    PetscCall(test_matrix(MATAIJ, shape, 1, &A));
    PetscCall(test_matrix("aijspmv", shape, 1, &B));
    PetscCall(create_dense(A, 5, 3, &X));
    PetscCall(create_dense(A, 5, 7, &D));        /* A is square */
    PetscCall(MatMatMult(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatProductCreateWithMat(B, X, NULL, D));
    PetscCall(MatProductSetType(D, MATPRODUCT_AB));
    PetscCall(MatProductSetFromOptions(D));
    PetscCall(MatProductSymbolic(D));
    PetscCall(MatProductNumeric(D));
    PetscCall(is_near(C, D, &near));
    all_ok(near, "into a matrix of the program, blocks of %s nonzeros", least_nonzeros);
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&X));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_least_nonzeros", "1"));
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscLogDefaultBegin());
    PetscCall(test_option());                    /* ends with "always" */
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            PetscCall(test_width(&shapes[i], widths[w], w % 2 ? 3 : 0));
    PetscCall(test_own_matrix("1"));
    PetscCall(test_own_matrix("100"));           /* off-diagonal blocks have fewer */
    PetscCall(test_own_matrix("1000000"));
    return test_end();
}
