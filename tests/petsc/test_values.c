/* New values reach the next product, in whichever way PETSc changes them. A matrix whose structure
 * stays keeps its plan. */
#include "petsc_test.h"

typedef PetscErrorCode change_function(Mat A, uint32_t turn);

static const test_shape shape = {.name = "square", .rows = 120, .cols = 120, .row_nnz = 6,
                                 .has_diagonal = true};

static PetscErrorCode set_values(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(test_fill(A, &shape, 1));
    PetscCall(MatScale(A, 1.0 + turn));
    PetscCall(test_fill(A, &shape, 1));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_values(Mat A, uint32_t turn)
{
    PetscInt first, last;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt i = first; i < last; i++)
        PetscCall(MatSetValue(A, i, i, 0.5 + turn, ADD_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries of rows of other ranks. */
static PetscErrorCode add_values_elsewhere(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    for (PetscInt i = 0; i < shape.rows; i++)
        PetscCall(MatSetValue(A, i, i, 0.25 + turn, ADD_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FLUSH_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FLUSH_ASSEMBLY));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zero_and_fill(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatZeroEntries(A));
    PetscCall(add_values(A, turn));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zero(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    (void)turn;
    PetscCall(MatZeroEntries(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode scale(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatScale(A, 2.0 + turn));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode shift(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatShift(A, 1.0 + turn));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode diagonal_scale(Mat A, uint32_t turn)
{
    Vec left, right;

    PetscFunctionBegin;
    PetscCall(MatCreateVecs(A, &right, &left));
    PetscCall(test_random_vector(left, turn));
    PetscCall(test_random_vector(right, turn + 50));
    PetscCall(MatDiagonalScale(A, left, right));
    PetscCall(MatDiagonalScale(A, NULL, right));
    PetscCall(VecDestroy(&left));
    PetscCall(VecDestroy(&right));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode diagonal_set(Mat A, uint32_t turn)
{
    Vec diagonal;

    PetscFunctionBegin;
    PetscCall(MatCreateVecs(A, NULL, &diagonal));
    PetscCall(test_random_vector(diagonal, turn));
    PetscCall(MatDiagonalSet(A, diagonal, turn ? ADD_VALUES : INSERT_VALUES));
    PetscCall(VecDestroy(&diagonal));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode with_other(Mat A, uint32_t turn, PetscErrorCode (*f)(Mat, Mat))
{
    Mat B;

    PetscFunctionBegin;
    PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    PetscCall(MatScale(B, 3.0 + turn));
    PetscCall(f(A, B));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode axpy_same(Mat A, Mat B) { return MatAXPY(A, 0.5, B, SAME_NONZERO_PATTERN); }
static PetscErrorCode axpy_subset(Mat A, Mat B)
{
    return MatAXPY(A, 0.5, B, SUBSET_NONZERO_PATTERN);
}
static PetscErrorCode aypx_same(Mat A, Mat B) { return MatAYPX(A, 0.5, B, SAME_NONZERO_PATTERN); }
static PetscErrorCode copy_same(Mat A, Mat B) { return MatCopy(B, A, SAME_NONZERO_PATTERN); }
static PetscErrorCode copy_different(Mat A, Mat B)
{
    return MatCopy(B, A, DIFFERENT_NONZERO_PATTERN);
}

static PetscErrorCode axpy(Mat A, uint32_t turn) { return with_other(A, turn, axpy_same); }
static PetscErrorCode axpy_of_subset(Mat A, uint32_t turn)
{
    return with_other(A, turn, axpy_subset);
}
static PetscErrorCode aypx(Mat A, uint32_t turn) { return with_other(A, turn, aypx_same); }
static PetscErrorCode copy(Mat A, uint32_t turn) { return with_other(A, turn, copy_same); }
static PetscErrorCode copy_entries(Mat A, uint32_t turn)
{
    return with_other(A, turn, copy_different);
}

static PetscErrorCode zero_rows(Mat A, uint32_t turn)
{
    const PetscInt rows[] = {3, 7 + (PetscInt)turn, 100};

    PetscFunctionBegin;
    PetscCall(MatSetOption(A, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
    PetscCall(MatZeroRows(A, test_rank() ? 0 : 3, rows, 2.0, NULL, NULL));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode zero_rows_and_columns(Mat A, uint32_t turn)
{
    const PetscInt rows[] = {5, 20 + (PetscInt)turn, 110};

    PetscFunctionBegin;
    PetscCall(MatSetOption(A, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
    PetscCall(MatZeroRowsColumns(A, test_rank() ? 0 : 3, rows, 2.0, NULL, NULL));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* The SeqAIJ matrices of A: itself, or its two blocks. */
static PetscErrorCode blocks_of(Mat A, Mat block[2])
{
    PetscFunctionBegin;
    block[0] = A;
    block[1] = NULL;
    if (test_ranks() > 1)
        PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_array(Mat A, uint32_t turn)
{
    Mat block[2];
    MatInfo info;
    PetscScalar *values;

    PetscFunctionBegin;
    PetscCall(blocks_of(A, block));
    for (int i = 0; i < 2 && block[i]; i++) {
        PetscCall(MatGetInfo(block[i], MAT_LOCAL, &info));
        PetscCall(MatSeqAIJGetArray(block[i], &values));
        for (PetscInt k = 0; k < (PetscInt)info.nz_used; k++)
            values[k] = values[k] * 0.5 + turn + 1;
        PetscCall(MatSeqAIJRestoreArray(block[i], &values));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode overwrite_array(Mat A, uint32_t turn)
{
    Mat block[2];
    MatInfo info;
    PetscScalar *values;

    PetscFunctionBegin;
    PetscCall(blocks_of(A, block));
    for (int i = 0; i < 2 && block[i]; i++) {
        PetscCall(MatGetInfo(block[i], MAT_LOCAL, &info));
        PetscCall(MatSeqAIJGetArrayWrite(block[i], &values));
        for (PetscInt k = 0; k < (PetscInt)info.nz_used; k++)
            values[k] = test_value(turn, (uint32_t)k, (uint32_t)i);
        PetscCall(MatSeqAIJRestoreArrayWrite(block[i], &values));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode change_blocks(Mat A, uint32_t turn)
{
    Mat block[2];

    PetscFunctionBegin;
    PetscCall(blocks_of(A, block));
    for (int i = 0; i < 2 && block[i]; i++)
        PetscCall(MatScale(block[i], 1.5 + turn + i));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_random(Mat A, uint32_t turn)
{
    PetscRandom random;

    PetscFunctionBegin;
    PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
    PetscCall(PetscRandomSetSeed(random, 17 + turn));
    PetscCall(PetscRandomSeed(random));
    PetscCall(MatSetRandom(A, random));
    PetscCall(PetscRandomDestroy(&random));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc does not count this change. The product between makes a plan of the scaled values. */
static PetscErrorCode retrieve(Mat A, uint32_t turn)
{
    Vec x, y;

    PetscFunctionBegin;
    PetscCall(MatSetOption(A, MAT_NEW_NONZERO_LOCATIONS, PETSC_FALSE));
    PetscCall(MatStoreValues(A));
    PetscCall(MatScale(A, 7.0 + turn));
    PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(VecSet(x, 1.0));
    PetscCall(MatMult(A, x, y));
    PetscCall(MatRetrieveValues(A));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode filter(Mat A, uint32_t turn)
{
    PetscFunctionBegin;
    PetscCall(MatScale(A, 1.0 / (turn + 1)));
#if PETSC_VERSION_GE(3, 20, 0)
    PetscCall(MatFilter(A, 0.3, PETSC_FALSE, PETSC_FALSE));
#else
    PetscCall(MatChop(A, 0.3));
#endif
    PetscFunctionReturn(PETSC_SUCCESS);
}

static const struct {
    const char *name;
    change_function *change;
    bool keeps_plan;
} changes[] = {
    {"MatSetValues", set_values, true},
    {"MatSetValues, ADD_VALUES", add_values, true},
    {"MatSetValues for other ranks, flushed", add_values_elsewhere, true},
    {"MatZeroEntries", zero, true},
    {"MatZeroEntries and MatSetValues", zero_and_fill, true},
    {"MatScale", scale, true},
    {"MatShift", shift, true},
    {"MatDiagonalScale", diagonal_scale, true},
    {"MatDiagonalSet", diagonal_set, true},
    {"MatAXPY", axpy, true},
    {"MatAXPY of a subset", axpy_of_subset, true},
    {"MatAYPX", aypx, true},
    {"MatCopy", copy, true},
    {"MatCopy, other pattern", copy_entries, false},
    {"MatZeroRows that keeps the pattern", zero_rows, true},
    {"MatZeroRowsColumns that keeps the pattern", zero_rows_and_columns, true},
    {"MatSeqAIJGetArray", write_array, true},
    {"MatSeqAIJGetArrayWrite", overwrite_array, true},
    {"MatScale of the blocks", change_blocks, true},
    {"MatSetRandom", set_random, true},
    {"MatRetrieveValues", retrieve, true},
    {"MatFilter", filter, false},
};

/* Plans made by this rank so far. */
static PetscErrorCode plans_made(int *plans)
{
    PetscLogEvent event;
    PetscEventPerfInfo info;

    PetscFunctionBegin;
    PetscCall(PetscLogEventGetId("MatSpmvInspect", &event));
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info));
    *plans = info.count;
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_change(size_t i, const char *method)
{
    Mat A, B;
    bool is_same, keeps_plan = true;

    PetscFunctionBegin;
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(test_matrix("aijspmv", &shape, 1, &B));
    PetscCall(test_same_products(A, B, &is_same));
    for (uint32_t turn = 0; turn < 3; turn++) {
        bool is_now;
        int before, after;

        PetscCall(plans_made(&before));
        PetscCall(changes[i].change(A, turn));
        PetscCall(changes[i].change(B, turn));
        PetscCall(test_same_products(A, B, &is_now));
        PetscCall(plans_made(&after));
        is_same = is_same && is_now;
        keeps_plan = keeps_plan && before == after;
    }
    all_ok(is_same, "%s: %s", method, changes[i].name);
    if (changes[i].keeps_plan)
        all_ok(keeps_plan, "%s: %s: the plan is kept", method, changes[i].name);
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    /* A method that reads PETSc's values in place, and one that has a copy. */
    static const char *const methods[] = {"csr_scalar", "csr5"};

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscLogDefaultBegin());
    for (int m = 0; m < 2; m++) {
        PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_method", methods[m]));
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
            PetscCall(test_change(i, methods[m]));
    }
    return test_end();
}
