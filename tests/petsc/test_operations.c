/* Matrices of type aijspmv behave as AIJ in conversions, copies, parts, products and transposes. */
#include "petsc_test.h"

static const test_shape shape = {.name = "square", .rows = 96, .cols = 96, .row_nnz = 5,
                                 .has_diagonal = true};

/* Whether A and B give the same A x; and whether `type` is A's, where it is not NULL. */
static PetscErrorCode is_same_as(Mat A, const char *type, Mat B, bool *is_same)
{
    Vec x, a, b;
    MatType own;
    PetscBool has_type = PETSC_TRUE;

    PetscFunctionBegin;
    PetscCall(MatCreateVecs(B, &x, &b));
    PetscCall(VecDuplicate(b, &a));
    PetscCall(test_random_vector(x, 9));
    PetscCall(MatMult(A, x, a));
    PetscCall(MatMult(B, x, b));
    PetscCall(test_is_near(a, b, is_same));
    PetscCall(MatGetType(A, &own));
    if (type)
        PetscCall(PetscStrcmp(type, own, &has_type));
    if (!has_type && test_rank() == 0)
        diag("the type is %s, expected %s", own, type);
    *is_same = *is_same && has_type;
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&a));
    PetscCall(VecDestroy(&b));
    PetscFunctionReturn(PETSC_SUCCESS);
}

#define check(A, type, B, ...)                                                                     \
    do {                                                                                           \
        bool is_same_;                                                                             \
        PetscCall(is_same_as(A, type, B, &is_same_));                                              \
        all_ok(is_same_, __VA_ARGS__);                                                             \
    } while (0)

static const char *own_type(void) { return test_ranks() > 1 ? "mpiaijspmv" : "seqaijspmv"; }
static const char *petsc_type(void) { return test_ranks() > 1 ? MATMPIAIJ : MATSEQAIJ; }

static PetscErrorCode test_conversions(Mat A, Mat B)
{
    Mat C, D;
    void (*petsc_mult)(void), (*mult)(void);

    PetscFunctionBegin;
    PetscCall(MatConvert(A, "aijspmv", MAT_INITIAL_MATRIX, &C));
    check(C, own_type(), A, "MatConvert from aij to aijspmv");
    PetscCall(MatScale(A, 2.0));
    PetscCall(MatConvert(A, "aijspmv", MAT_REUSE_MATRIX, &C));
    check(C, own_type(), A, "MatConvert from aij to aijspmv again");
    PetscCall(MatScale(A, 0.5));
    PetscCall(MatConvert(C, MATAIJ, MAT_INITIAL_MATRIX, &D));
    check(D, petsc_type(), C, "MatConvert from aijspmv to aij");
    PetscCall(MatScale(C, 3.0));
    PetscCall(MatConvert(C, MATAIJ, MAT_REUSE_MATRIX, &D));
    check(D, petsc_type(), C, "MatConvert from aijspmv to aij again");
    PetscCall(MatDestroy(&C));
    PetscCall(MatConvert(D, own_type(), MAT_INPLACE_MATRIX, &D));
    PetscCall(MatScale(D, 1.0 / 6.0 * 2.0));
    PetscCall(MatScale(D, 0.5));
    check(D, own_type(), A, "MatConvert from aij to aijspmv in place");
    PetscCall(MatConvert(D, "aijspmv", MAT_INPLACE_MATRIX, &D));
    check(D, own_type(), A, "MatConvert from aijspmv to aijspmv in place");
    PetscCall(MatConvert(D, MATSAME, MAT_INITIAL_MATRIX, &C));
    check(C, own_type(), A, "MatConvert to the same type");
    PetscCall(MatDestroy(&C));
    PetscCall(MatConvert(D, petsc_type(), MAT_INPLACE_MATRIX, &D));
    check(D, petsc_type(), A, "MatConvert from aijspmv to aij in place");
    PetscCall(MatGetOperation(A, MATOP_MULT, &petsc_mult));
    PetscCall(MatGetOperation(D, MATOP_MULT, &mult));
    all_ok(mult == petsc_mult, "a matrix that was converted back has PETSc's operations");
    PetscCall(MatGetOperation(B, MATOP_MULT, &mult));
    all_ok(mult != petsc_mult, "a matrix of type aijspmv has others");
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether PETSc converts its own AIJ to a type without a loss. From 3.20.0 to 3.25.2, conversion to
 * sell on several ranks reads the compressed columns of the off-diagonal block as global ones. */
static PetscErrorCode petsc_converts(Mat A, const char *type, bool *is_same)
{
    Mat C;

    PetscFunctionBegin;
    PetscCall(MatConvert(A, type, MAT_INITIAL_MATRIX, &C));
    PetscCall(is_same_as(C, NULL, A, is_same));
    PetscCall(MatDestroy(&C));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_other_types(Mat A, Mat B)
{
    static const char *const types[] = {MATDENSE, MATBAIJ, MATSELL, MATIS, MATHYPRE};

    PetscFunctionBegin;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        Mat C;
        bool is_converted = true;

#if !defined(PETSC_HAVE_HYPRE)
        if (strcmp(types[i], MATHYPRE) == 0)
            continue;
#endif
        if (strcmp(types[i], MATSELL) == 0)
            PetscCall(petsc_converts(A, types[i], &is_converted));
        if (!is_converted) {
            if (test_rank() == 0)
                skip("PETSc %d.%d.%d loses entries when it converts its own AIJ to %s",
                     PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, types[i]);
            continue;
        }
        PetscCall(MatConvert(B, types[i], MAT_INITIAL_MATRIX, &C));
        check(C, NULL, A, "MatConvert to %s", types[i]);
        PetscCall(MatDestroy(&C));
        if (i < 3) {
            PetscCall(MatDuplicate(B, MAT_COPY_VALUES, &C));
            PetscCall(MatConvert(C, types[i], MAT_INPLACE_MATRIX, &C));
            check(C, NULL, A, "MatConvert to %s in place", types[i]);
            PetscCall(MatConvert(C, "aijspmv", MAT_INPLACE_MATRIX, &C));
            check(C, own_type(), A, "MatConvert from %s in place", types[i]);
            PetscCall(MatDestroy(&C));
        }
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_copies(Mat A, Mat B)
{
    Mat C, D;

    PetscFunctionBegin;
    PetscCall(MatDuplicate(B, MAT_COPY_VALUES, &C));
    check(C, own_type(), A, "MatDuplicate");
    PetscCall(MatDuplicate(C, MAT_COPY_VALUES, &D));
    PetscCall(MatScale(C, 5.0));
    check(D, own_type(), A, "a copy is independent");
    PetscCall(MatDestroy(&C));
    check(D, own_type(), A, "a copy survives the original");
    PetscCall(MatDuplicate(D, MAT_DO_NOT_COPY_VALUES, &C));
    PetscCall(test_fill(C, &shape, 1));
    check(C, own_type(), A, "MatDuplicate without values");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDuplicate(D, MAT_SHARE_NONZERO_PATTERN, &C));
    PetscCall(MatCopy(D, C, SAME_NONZERO_PATTERN));
    PetscCall(MatDestroy(&D));
    check(C, own_type(), A, "MatDuplicate with a shared pattern");
    PetscCall(MatDestroy(&C));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_parts(Mat A, Mat B)
{
    PetscInt first, last;
    Mat C, D, block[2];
    IS rows, all;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    PetscCall(ISCreateStride(PETSC_COMM_WORLD, (last - first + 1) / 2, first, 2, &rows));
    PetscCall(MatCreateSubMatrix(A, rows, rows, MAT_INITIAL_MATRIX, &C));
    PetscCall(MatCreateSubMatrix(B, rows, rows, MAT_INITIAL_MATRIX, &D));
    check(D, own_type(), C, "MatCreateSubMatrix");
    PetscCall(MatScale(A, 2.0));
    PetscCall(MatScale(B, 2.0));
    PetscCall(MatCreateSubMatrix(A, rows, rows, MAT_REUSE_MATRIX, &C));
    PetscCall(MatCreateSubMatrix(B, rows, rows, MAT_REUSE_MATRIX, &D));
    check(D, own_type(), C, "MatCreateSubMatrix again");
    PetscCall(MatScale(A, 0.5));
    PetscCall(MatScale(B, 0.5));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(ISDestroy(&rows));

    PetscCall(ISCreateStride(PETSC_COMM_SELF, shape.rows, 0, 1, &all));
    for (int i = 0; i < 2; i++) {
        Mat *part;

        PetscCall(MatCreateSubMatrices(i ? B : A, 1, &all, &all, MAT_INITIAL_MATRIX, &part));
        PetscCall(PetscObjectReference((PetscObject)part[0]));
        block[i] = part[0];
        PetscCall(MatDestroySubMatrices(1, &part));
    }
    {
        bool is_same;

        PetscCall(test_same_products(block[0], block[1], &is_same));
        all_ok(is_same, "MatCreateSubMatrices");
    }
    PetscCall(MatDestroy(&block[0]));
    PetscCall(MatDestroy(&block[1]));
    PetscCall(ISDestroy(&all));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_transposes(Mat A, Mat B)
{
    Mat C, D;

    PetscFunctionBegin;
    PetscCall(MatTranspose(A, MAT_INITIAL_MATRIX, &C));
    PetscCall(MatTranspose(B, MAT_INITIAL_MATRIX, &D));
    check(D, own_type(), C, "MatTranspose");
    PetscCall(MatScale(A, 2.0));
    PetscCall(MatScale(B, 2.0));
    PetscCall(MatTranspose(A, MAT_REUSE_MATRIX, &C));
    PetscCall(MatTranspose(B, MAT_REUSE_MATRIX, &D));
    check(D, own_type(), C, "MatTranspose again");
    PetscCall(MatScale(A, 0.5));
    PetscCall(MatScale(B, 0.5));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(MatCreateTranspose(A, &C));
    PetscCall(MatCreateTranspose(B, &D));
    check(D, NULL, C, "MatCreateTranspose");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Products of sparse matrices: of this type alone, and of both types. */
static PetscErrorCode test_sparse_products(Mat A, Mat B)
{
    Mat C, D;

    PetscFunctionBegin;
    PetscCall(MatMatMult(A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMult(B, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, own_type(), C, "MatMatMult");
    PetscCall(MatScale(A, 2.0));
    PetscCall(MatScale(B, 2.0));
    PetscCall(MatMatMult(A, A, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMult(B, B, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D));
    check(D, own_type(), C, "MatMatMult again");
    PetscCall(MatDestroy(&D));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatMatMult of aij and aijspmv");
    PetscCall(MatDestroy(&D));
    PetscCall(MatMatMult(B, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatMatMult of aijspmv and aij");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(MatScale(A, 0.5));
    PetscCall(MatScale(B, 0.5));

    PetscCall(MatTransposeMatMult(A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatTransposeMatMult(B, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatTransposeMatMult");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));

    PetscCall(MatPtAP(A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatPtAP(B, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatPtAP");
    PetscCall(MatScale(A, 2.0));
    PetscCall(MatScale(B, 2.0));
    PetscCall(MatPtAP(A, A, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatPtAP(B, B, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatPtAP again");
    PetscCall(MatScale(A, 0.5));
    PetscCall(MatScale(B, 0.5));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_dense_products(Mat A, Mat B)
{
    PetscInt rows;
    PetscRandom random;
    Mat X, C, D;

    PetscFunctionBegin;
    PetscCall(MatGetLocalSize(A, &rows, NULL));
    PetscCall(MatCreateDense(PETSC_COMM_WORLD, rows, PETSC_DECIDE, shape.rows, 7, NULL, &X));
    PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
    PetscCall(MatSetRandom(X, random));
    PetscCall(PetscRandomDestroy(&random));
    PetscCall(MatMatMult(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMult(B, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatMatMult of aijspmv and dense");
    PetscCall(MatScale(A, 2.0));
    PetscCall(MatScale(B, 2.0));
    PetscCall(MatMatMult(A, X, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatMatMult(B, X, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatMatMult of aijspmv and dense again");
    PetscCall(MatScale(A, 0.5));
    PetscCall(MatScale(B, 0.5));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(MatTransposeMatMult(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatTransposeMatMult(B, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatTransposeMatMult of aijspmv and dense");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(MatPtAP(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatPtAP(B, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    check(D, NULL, C, "MatPtAP of aijspmv and dense");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(MatDestroy(&X));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* A factorization in place: PETSc exchanges the inside of the matrix and keeps its operations. */
static PetscErrorCode test_factor_in_place(void)
{
    Vec b, x[2];
    bool is_near;

    PetscFunctionBegin;
    if (test_ranks() > 1)
        PetscFunctionReturn(PETSC_SUCCESS);
    for (int i = 0; i < 2; i++) {
        Mat A;
        IS rows, cols;
        MatFactorInfo info;

        PetscCall(test_matrix(i ? "aijspmv" : MATAIJ, &shape, 1, &A));
        PetscCall(MatCreateVecs(A, &x[i], &b));
        PetscCall(test_random_vector(b, 5));
        PetscCall(MatMult(A, b, x[i]));
        PetscCall(MatGetOrdering(A, MATORDERINGND, &rows, &cols));
        PetscCall(MatFactorInfoInitialize(&info));
        PetscCall(MatLUFactor(A, rows, cols, &info));
        PetscCall(MatSolve(A, b, x[i]));
        PetscCall(ISDestroy(&rows));
        PetscCall(ISDestroy(&cols));
        PetscCall(MatDestroy(&A));
        if (i == 0)
            PetscCall(VecDestroy(&b));
    }
    PetscCall(test_is_near(x[0], x[1], &is_near));
    all_ok(is_near, "MatLUFactor");
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&x[0]));
    PetscCall(VecDestroy(&x[1]));
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    Mat A, B;

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(test_matrix("aijspmv", &shape, 1, &B));
    PetscCall(test_conversions(A, B));
    PetscCall(test_other_types(A, B));
    PetscCall(test_copies(A, B));
    PetscCall(test_parts(A, B));
    PetscCall(test_transposes(A, B));
    PetscCall(test_sparse_products(A, B));
    PetscCall(test_dense_products(A, B));
    PetscCall(test_factor_in_place());
    check(B, own_type(), A, "the matrix is unchanged in the end");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    return test_end();
}
