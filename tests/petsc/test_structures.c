/* A new structure reaches the next product, in whichever way PETSc changes it. */
#include "petsc_test.h"

typedef PetscErrorCode change_function(Mat *A, uint32_t turn);

static const test_shape shape = {.name = "square", .rows = 120, .cols = 120, .row_nnz = 6,
                                 .has_diagonal = true};

static PetscErrorCode assemble(Mat A)
{
    PetscFunctionBegin;
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* New entries in each row, so that off-diagonal blocks get other columns. */
static PetscErrorCode add_entries(Mat *A, uint32_t turn)
{
    PetscInt first, last;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(*A, &first, &last));
    for (PetscInt i = first; i < last; i++)
        PetscCall(MatSetValue(*A, i, (i * 7 + 31 * ((PetscInt)turn + 1)) % shape.cols, 2.5,
                              INSERT_VALUES));
    PetscCall(assemble(*A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* A new entry on the last rank alone. */
static PetscErrorCode add_one_entry(Mat *A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    if (test_rank() == test_ranks() - 1)
        PetscCall(MatSetValue(*A, shape.rows - 1, 2 + 3 * (PetscInt)turn, 1.75, INSERT_VALUES));
    PetscCall(assemble(*A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zero_rows(Mat *A, uint32_t turn)
{
    const PetscInt rows[] = {4, 30 + (PetscInt)turn, 90};

    PetscFunctionBegin;
    PetscCall(MatSetOption(*A, MAT_KEEP_NONZERO_PATTERN, PETSC_FALSE));
    PetscCall(MatZeroRows(*A, test_rank() ? 0 : 3, rows, 2.0, NULL, NULL));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode axpy(Mat *A, uint32_t turn)
{
    const test_shape other = {.name = "other", .rows = shape.rows, .cols = shape.cols,
                              .row_nnz = 3};
    Mat B;
    MatType type;

    PetscFunctionBegin;
    PetscCall(MatGetType(*A, &type));
    PetscCall(test_matrix(type, &other, 100 + turn, &B));
    PetscCall(MatAXPY(*A, 0.5, B, DIFFERENT_NONZERO_PATTERN));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc exchanges the inside of *A for that of another matrix. */
static PetscErrorCode replace(Mat *A, uint32_t turn)
{
    Mat B;
    MatType type;

    PetscFunctionBegin;
    PetscCall(MatGetType(*A, &type));
    PetscCall(test_matrix(type, &shape, 200 + turn, &B));
    PetscCall(MatHeaderReplace(*A, &B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode preallocate_again(Mat *A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatSeqAIJSetPreallocation(*A, 20, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, 20, NULL, 20, NULL));
    PetscCall(test_fill(*A, &shape, 300 + turn));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode reset_preallocation(Mat *A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatResetPreallocation(*A));
    PetscCall(test_fill(*A, &shape, 400 + turn));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of this rank as CSR: `per_row` entries in each. */
enum { per_row = 5 };
static PetscErrorCode make_rows(Mat A, uint32_t turn, PetscInt **row_ptr, PetscInt **col_idx,
                                PetscScalar **val)
{
    PetscInt first, last;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    PetscCall(PetscMalloc3(last - first + 1, row_ptr, per_row * (last - first), col_idx,
                           per_row * (last - first), val));
    for (PetscInt i = first; i < last; i++)
        for (PetscInt k = 0; k < per_row; k++) {
            const PetscInt at = per_row * (i - first) + k;

            (*col_idx)[at] = (i + (PetscInt)turn + k * 23) % shape.cols;
            (*val)[at] = test_value(turn, (uint32_t)i, (uint32_t)k);
        }
    for (PetscInt i = 0; i <= last - first; i++)
        (*row_ptr)[i] = per_row * i;
    for (PetscInt i = 0; i < last - first; i++)
        PetscCall(PetscSortIntWithScalarArray(per_row, *col_idx + per_row * i,
                                              *val + per_row * i));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_csr(Mat *A, uint32_t turn)
{
    PetscInt *row_ptr, *col_idx;
    PetscScalar *val;

    PetscFunctionBegin;
    PetscCall(make_rows(*A, turn, &row_ptr, &col_idx, &val));
    PetscCall(MatSeqAIJSetPreallocationCSR(*A, row_ptr, col_idx, val));
    PetscCall(MatMPIAIJSetPreallocationCSR(*A, row_ptr, col_idx, val));
    PetscCall(PetscFree3(row_ptr, col_idx, val));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Coordinates, then values twice. */
static PetscErrorCode set_coo(Mat *A, uint32_t turn)
{
    PetscInt *row_ptr, *col_idx, *row_idx, rows, first, last;
    PetscScalar *val;
    Vec x, y;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(*A, &first, &last));
    rows = last - first;
    PetscCall(make_rows(*A, turn, &row_ptr, &col_idx, &val));
    PetscCall(PetscMalloc1(per_row * rows, &row_idx));
    for (PetscInt k = 0; k < per_row * rows; k++)
        row_idx[k] = first + k / per_row;
    PetscCall(MatSetPreallocationCOO(*A, per_row * rows, row_idx, col_idx));
    PetscCall(MatSetValuesCOO(*A, val, INSERT_VALUES));
    PetscCall(MatCreateVecs(*A, &x, &y));
    PetscCall(VecSet(x, 1.0));
    PetscCall(MatMult(*A, x, y));
    PetscCall(MatSetValuesCOO(*A, val, ADD_VALUES));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(PetscFree(row_idx));
    PetscCall(PetscFree3(row_ptr, col_idx, val));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode transpose_in_place(Mat *A, uint32_t turn)
{
    PetscFunctionBegin;
    (void)turn;
    PetscCall(MatTranspose(*A, MAT_INPLACE_MATRIX, A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Columns that are set behind PETSc's counters: in one process alone. */
static PetscErrorCode set_columns(Mat *A, uint32_t turn)
{
    PetscInt *row_ptr, *col_idx;
    PetscScalar *val;
    Vec x, y;

    PetscFunctionBegin;
    if (test_ranks() > 1)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(set_csr(A, turn));
    PetscCall(MatCreateVecs(*A, &x, &y));
    PetscCall(MatMult(*A, x, y));
    PetscCall(make_rows(*A, turn + 5, &row_ptr, &col_idx, &val));
    PetscCall(MatSeqAIJSetColumnIndices(*A, col_idx));
    PetscCall(PetscFree3(row_ptr, col_idx, val));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_type_again(Mat *A, uint32_t turn)
{
    char type[32];
    MatType own;

    PetscFunctionBegin;
    PetscCall(MatGetType(*A, &own));
    PetscCall(PetscStrncpy(type, own, sizeof type));
    PetscCall(MatSetType(*A, MATDENSE));
    PetscCall(MatSetType(*A, type));
    PetscCall(preallocate_again(A, turn));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* A file with another matrix is read into *A. */
static PetscErrorCode load(Mat *A, uint32_t turn)
{
    PetscViewer viewer;
    char path[64];
    Mat B;

    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(path, sizeof path, "test_structures_%d.bin", test_ranks()));
    PetscCall(test_matrix(MATAIJ, &shape, 500 + turn, &B));
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_WRITE, &viewer));
    PetscCall(PetscViewerBinarySetSkipInfo(viewer, PETSC_TRUE));
    PetscCall(MatView(B, viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscCall(MatDestroy(&B));
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &viewer));
    PetscCall(MatLoad(*A, viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    if (test_rank() == 0)
        PetscCheck(remove(path) == 0, PETSC_COMM_SELF, PETSC_ERR_SYS, "cannot remove %s", path);
    PetscFunctionReturn(PETSC_SUCCESS);
}

static const struct {
    const char *name;
    change_function *change;
} changes[] = {
    {"new entries", add_entries},
    {"a new entry on one rank", add_one_entry},
    {"MatZeroRows", zero_rows},
    {"MatAXPY, other pattern", axpy},
    {"MatHeaderReplace", replace},
    {"preallocated again", preallocate_again},
    {"MatResetPreallocation", reset_preallocation},
    {"MatSetPreallocationCSR", set_csr},
    {"MatSetPreallocationCOO", set_coo},
    {"MatTranspose in place", transpose_in_place},
    {"MatSeqAIJSetColumnIndices", set_columns},
    {"MatSetType twice", set_type_again},
    {"MatLoad", load},
};

static PetscErrorCode test_change(size_t i, const char *method)
{
    Mat A, B;
    bool is_same;
    MatType type;
    PetscBool is_own;

    PetscFunctionBegin;
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(test_matrix("aijspmv", &shape, 1, &B));
    PetscCall(test_same_products(A, B, &is_same));
    for (uint32_t turn = 0; turn < 3; turn++) {
        bool is_now;

        PetscCall(changes[i].change(&A, turn));
        PetscCall(changes[i].change(&B, turn));
        PetscCall(test_same_products(A, B, &is_now));
        is_same = is_same && is_now;
    }
    PetscCall(MatGetType(B, &type));
    PetscCall(PetscStrcmp(type, test_ranks() > 1 ? "mpiaijspmv" : "seqaijspmv", &is_own));
    all_ok(is_same && is_own, "%s: %s", method, changes[i].name);
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* MatHeaderReplace gives a matrix the inside of another one, which was multiplied, but keeps its
 * own count of changes. So later changes reach the count of that product. */
static PetscErrorCode test_replaced_counts(void)
{
    bool is_same = true;

    PetscFunctionBegin;
    for (int scalings = 0; scalings < 60; scalings++) {
        Mat A[2], B;
        bool is_now;

        for (int i = 0; i < 2; i++) {
            Vec x, y;

            PetscCall(test_matrix(i ? "aijspmv" : MATAIJ, &shape, 1, &A[i]));
            PetscCall(test_matrix(i ? "aijspmv" : MATAIJ, &shape, 2, &B));
            for (int k = 0; k < 30; k++)
                PetscCall(MatScale(B, 1.01));
            PetscCall(MatCreateVecs(B, &x, &y));
            PetscCall(VecSet(x, 1.0));
            PetscCall(MatMult(B, x, y));
            PetscCall(MatHeaderReplace(A[i], &B));
            if (test_ranks() == 1 && scalings % 2) {     /* counts once, MatScale twice */
                PetscScalar *values;

                PetscCall(MatSeqAIJGetArrayWrite(A[i], &values));
                PetscCall(MatSeqAIJRestoreArrayWrite(A[i], &values));
            }
            for (int k = 0; k < scalings; k++)
                PetscCall(MatScale(A[i], 1.01));
            PetscCall(VecDestroy(&x));
            PetscCall(VecDestroy(&y));
        }
        PetscCall(test_same_products(A[0], A[1], &is_now));
        is_same = is_same && is_now;
        PetscCall(MatDestroy(&A[0]));
        PetscCall(MatDestroy(&A[1]));
    }
    all_ok(is_same, "changes after MatHeaderReplace");
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    /* A method that reads PETSc's arrays in place, and one that has copies. */
    static const char *const methods[] = {"csr_scalar", "csr5"};

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    for (int m = 0; m < 2; m++) {
        PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_method", methods[m]));
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
            PetscCall(test_change(i, methods[m]));
    }
    PetscCall(test_replaced_counts());
    return test_end();
}
