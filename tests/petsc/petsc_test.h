/* petsc_test.h: what the tests of libpetscspmv share.
 *
 * All ranks run a test; rank 0 prints the lines. A case passes if it passes on all ranks. The
 * matrices of a case come in two types with the same entries: PETSc's AIJ, and aijspmv.
 */
#ifndef TEST_PETSC_TEST_H
#define TEST_PETSC_TEST_H

#include <petscmat.h>
#include <stdbool.h>

#include "../tap.h"

#if !PETSC_VERSION_GE(3, 19, 0)
#define PETSC_SUCCESS 0
#endif

/* Collective. */
#define all_ok(condition, ...)                                                                     \
    do {                                                                                           \
        int local_ = (condition) != 0, all_ = 0;                                                   \
        PetscCallMPI(MPI_Allreduce(&local_, &all_, 1, MPI_INT, MPI_LAND, PETSC_COMM_WORLD));       \
        if (test_rank() == 0)                                                                      \
            ok(all_, __VA_ARGS__);                                                                 \
    } while (0)

static inline int test_rank(void)
{
    int rank;

    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    return rank;
}

static inline int test_ranks(void)
{
    int ranks;

    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    return ranks;
}

/* A pseudo-random number that depends on its arguments alone, on all ranks. */
static inline uint32_t test_hash(uint32_t seed, uint32_t i, uint32_t j)
{
    uint32_t h = seed * 0x9E3779B1u + i * 0x85EBCA77u + j * 0xC2B2AE3Du;

    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return h ^ (h >> 15);
}

/* In [-1, 1). */
static inline PetscScalar test_value(uint32_t seed, uint32_t i, uint32_t j)
{
    return (PetscScalar)((double)test_hash(seed, i, j) / 2147483648.0 - 1.0);
}

typedef struct test_shape {
    const char *name;
    PetscInt rows, cols;
    PetscInt row_nnz;                /* random entries of a row; 0: none */
    PetscInt empty_rows;             /* per thousand, at random */
    PetscInt band;                   /* entries are at most so far from the diagonal; 0: anywhere */
    bool has_diagonal;
    bool is_on_rank_0;               /* rank 0 has all rows */
} test_shape;

/* Sets the entries of this rank's rows. */
PETSC_UNUSED static PetscErrorCode test_fill(Mat A, const test_shape *shape, uint32_t seed)
{
    PetscInt first, last;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        const uint32_t row = (uint32_t)i;

        if (test_hash(seed, row, 1) % 1000 < (uint32_t)shape->empty_rows)
            continue;
        for (PetscInt k = 0; k < shape->row_nnz; k++) {
            const uint32_t draw = test_hash(seed, row, (uint32_t)k + 2);
            PetscInt j = (PetscInt)(draw % (uint32_t)shape->cols);

            if (shape->band)
                j = PetscMax(0, PetscMin(shape->cols - 1, i - shape->band +
                                         (PetscInt)(draw % (uint32_t)(2 * shape->band + 1))));
            PetscCall(MatSetValue(A, i, j, test_value(seed, row, draw), INSERT_VALUES));
        }
        if (shape->has_diagonal && i < shape->cols)
            PetscCall(MatSetValue(A, i, i, 4.0 * (PetscScalar)(shape->row_nnz + 1),
                                  INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* An assembled matrix. type: an argument of MatSetType. */
PETSC_UNUSED static PetscErrorCode test_matrix(const char *type, const test_shape *shape,
                                               uint32_t seed, Mat *A)
{
    const PetscInt nnz = PetscMin(shape->cols, shape->row_nnz + 1);

    PetscFunctionBegin;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    if (shape->is_on_rank_0)
        PetscCall(MatSetSizes(*A, test_rank() ? 0 : shape->rows, PETSC_DECIDE, shape->rows,
                              shape->cols));
    else
        PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, shape->rows, shape->cols));
    PetscCall(MatSetType(*A, type));
    PetscCall(MatSetFromOptions(*A));
    PetscCall(MatSeqAIJSetPreallocation(*A, nnz, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, nnz, NULL, nnz, NULL));
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(test_fill(*A, shape, seed));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PETSC_UNUSED static PetscErrorCode test_random_vector(Vec x, uint32_t seed)
{
    PetscInt first, last;
    PetscScalar *array;

    PetscFunctionBegin;
    PetscCall(VecGetOwnershipRange(x, &first, &last));
    PetscCall(VecGetArray(x, &array));
    for (PetscInt i = first; i < last; i++)
        array[i - first] = test_value(seed, (uint32_t)i, 7);
    PetscCall(VecRestoreArray(x, &array));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether a and b are equal but for rounding. */
PETSC_UNUSED static PetscErrorCode test_is_near(Vec a, Vec b, bool *is_near)
{
    PetscReal difference, size;
    Vec copy;

    PetscFunctionBegin;
    PetscCall(VecDuplicate(a, &copy));
    PetscCall(VecCopy(a, copy));
    PetscCall(VecAXPY(copy, -1.0, b));
    PetscCall(VecNorm(copy, NORM_INFINITY, &difference));
    PetscCall(VecNorm(a, NORM_INFINITY, &size));
    PetscCall(VecDestroy(&copy));
    *is_near = difference <= 1000 * PETSC_MACHINE_EPSILON * (size + 1);
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether A and B give the same products: A x, A x + y in another vector and in place, and the
 * same with the transposed matrix. */
PETSC_UNUSED static PetscErrorCode test_same_products(Mat A, Mat B, bool *is_same)
{
    Vec x, y, a, b;
    bool is_near;

    PetscFunctionBegin;
    *is_same = true;
    for (int transposed = 0; transposed < 2; transposed++) {
        PetscErrorCode (*mult)(Mat, Vec, Vec) = transposed ? MatMultTranspose : MatMult;
        PetscErrorCode (*mult_add)(Mat, Vec, Vec, Vec) =
            transposed ? MatMultTransposeAdd : MatMultAdd;

        if (transposed)
            PetscCall(MatCreateVecs(A, &y, &x));
        else
            PetscCall(MatCreateVecs(A, &x, &y));
        PetscCall(VecDuplicate(y, &a));
        PetscCall(VecDuplicate(y, &b));
        PetscCall(test_random_vector(x, 3));
        PetscCall(test_random_vector(y, 4));
        PetscCall(VecSet(b, 1e30));
        PetscCall(mult(A, x, a));
        PetscCall(mult(B, x, b));
        PetscCall(test_is_near(a, b, &is_near));
        *is_same = *is_same && is_near;
        PetscCall(VecSet(b, 1e30));
        PetscCall(mult_add(A, x, y, a));
        PetscCall(mult_add(B, x, y, b));
        PetscCall(test_is_near(a, b, &is_near));
        *is_same = *is_same && is_near;
        PetscCall(VecCopy(y, b));
        PetscCall(mult_add(B, x, b, b));
        PetscCall(test_is_near(a, b, &is_near));
        *is_same = *is_same && is_near;
        PetscCall(VecDestroy(&x));
        PetscCall(VecDestroy(&y));
        PetscCall(VecDestroy(&a));
        PetscCall(VecDestroy(&b));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ends the program with its exit code. */
PETSC_UNUSED static int test_end(void)
{
    const int code = test_rank() == 0 ? tap_done() : 0;

    return PetscFinalize() || code;
}

#endif
