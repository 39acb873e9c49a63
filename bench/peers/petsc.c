/* petsc.c: PETSc's sequential AIJ matrix on the caller's CSR, and its products with dense matrices,
 * which are column-major. PETSc uses processes in place of threads; this peer uses one process. */
#include <petscmat.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/spmv_peer.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

typedef struct petsc_state {
    Mat matrix;
    Vec x, y, product;
    PetscErrorCode (*multiply)(Mat matrix, Vec x, Vec y);
    Mat many_x, many_y;          /* several vectors; else NULL */
} petsc_state;

static void destroy(void *state)
{
    petsc_state *s = (petsc_state *)state;

    MatDestroy(&s->matrix);
    VecDestroy(&s->x);
    VecDestroy(&s->y);
    VecDestroy(&s->product);
    MatDestroy(&s->many_x);
    MatDestroy(&s->many_y);
    free(s);
}

/* Makes many_x and many_y, which get the caller's arrays in each run, and plans their product. */
static PetscErrorCode plan_columns(petsc_state *s, const spmv_peer_matrix *a, PetscInt inputs,
                                   PetscInt outputs)
{
    const PetscInt columns = (PetscInt)a->columns;
    PetscErrorCode code = MatCreateSeqDense(PETSC_COMM_SELF, inputs, columns, NULL, &s->many_x);

    if (!code)
        code = MatCreateSeqDense(PETSC_COMM_SELF, outputs, columns, NULL, &s->many_y);
    if (!code)
        code = MatProductCreateWithMat(s->matrix, s->many_x, NULL, s->many_y);
    if (!code)
        code = MatProductSetType(s->many_y, a->transposed ? MATPRODUCT_AtB : MATPRODUCT_AB);
    if (!code)
        code = MatProductSetFromOptions(s->many_y);
    if (!code)
        code = MatProductSymbolic(s->many_y);
    return code;
}

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    const PetscInt rows = (PetscInt)a->rows, cols = (PetscInt)a->cols;
    PetscErrorCode code = 0;
    PetscBool is_started = PETSC_FALSE;
    const PetscInt inputs = a->transposed ? rows : cols, outputs = a->transposed ? cols : rows;
    petsc_state *s;

    if (a->value_bits != 8 * (int)sizeof(PetscScalar) ||
        a->offset_bits != 8 * (int)sizeof(PetscInt)) {
        snprintf(message, bytes, "it was built for values of %d and row pointers of %d bits",
                 8 * (int)sizeof(PetscScalar), 8 * (int)sizeof(PetscInt));
        return SPMV_PEER_NOT_APPLICABLE;
    }
    if (a->columns > 1 && (!a->column_major || a->ldx != inputs || a->ldy != outputs)) {
        snprintf(message, bytes, "its dense matrices are column-major, as with --order column");
        return SPMV_PEER_NOT_APPLICABLE;
    }
    s = (petsc_state *)calloc(1, sizeof *s);
    if (!s) {
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
    s->multiply = a->transposed ? MatMultTranspose : MatMult;
    if (!code)
        code = PetscInitialized(&is_started);
    if (!code && !is_started)
        code = PetscInitializeNoArguments();
    /* PETSc does not change the arrays. */
    if (!code)
        code = MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, cols,
                                         (PetscInt *)(uintptr_t)a->row_ptr,
                                         (PetscInt *)(uintptr_t)a->col_idx,
                                         (PetscScalar *)(uintptr_t)a->val, &s->matrix);
    if (!code)
        code = VecCreateSeqWithArray(PETSC_COMM_SELF, 1, inputs, NULL, &s->x);
    if (!code)
        code = VecCreateSeqWithArray(PETSC_COMM_SELF, 1, outputs, NULL, &s->y);
    if (!code)
        code = VecCreateSeq(PETSC_COMM_SELF, outputs, &s->product);
    if (!code && a->columns > 1)
        code = plan_columns(s, a, inputs, outputs);
    if (code) {
        snprintf(message, bytes, "PETSc: error %d", (int)code);
        destroy(s);
        return SPMV_PEER_FAILED;
    }
    *state = s;
    return SPMV_PEER_OK;
}

/* PETSc's products overwrite Y. */
static spmv_peer_status run_columns(const petsc_state *s, double alpha, const void *x, double beta,
                                    void *y)
{
    PetscErrorCode code;

    if (beta != 0)
        return SPMV_PEER_NOT_APPLICABLE;
    code = MatDensePlaceArray(s->many_x, (const PetscScalar *)x);
    if (!code)
        code = MatDensePlaceArray(s->many_y, (const PetscScalar *)y);
    if (!code)
        code = MatProductNumeric(s->many_y);
    if (!code && alpha != 1)
        code = MatScale(s->many_y, alpha);
    MatDenseResetArray(s->many_x);
    MatDenseResetArray(s->many_y);
    return code ? SPMV_PEER_FAILED : SPMV_PEER_OK;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const petsc_state *s = (const petsc_state *)state;
    PetscErrorCode code;

    if (s->many_x)
        return run_columns(s, alpha, x, beta, y);
    code = VecPlaceArray(s->x, (const PetscScalar *)x);
    if (!code)
        code = VecPlaceArray(s->y, (const PetscScalar *)y);
    if (!code && beta == 0)
        code = s->multiply(s->matrix, s->x, s->y);
    if (!code && beta == 0 && alpha != 1)
        code = VecScale(s->y, alpha);
    if (!code && beta != 0)
        code = s->multiply(s->matrix, s->x, s->product);
    if (!code && beta != 0)
        code = VecAXPBY(s->y, alpha, beta, s->product);
    VecResetArray(s->x);
    VecResetArray(s->y);
    return code ? SPMV_PEER_FAILED : SPMV_PEER_OK;
}

static const spmv_peer petsc = {
    SPMV_PEER_VERSION, "petsc",
    "PETSc " TEXT(PETSC_VERSION_MAJOR) "." TEXT(PETSC_VERSION_MINOR) "."
    TEXT(PETSC_VERSION_SUBMINOR) ", sequential AIJ", prepare, run, destroy, NULL, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &petsc, NULL };
