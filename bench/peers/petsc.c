/* petsc.c: PETSc's sequential AIJ matrix on the caller's CSR. PETSc uses processes in place of
 * threads; this peer uses one process. */
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
} petsc_state;

static void destroy(void *state)
{
    petsc_state *s = (petsc_state *)state;

    MatDestroy(&s->matrix);
    VecDestroy(&s->x);
    VecDestroy(&s->y);
    VecDestroy(&s->product);
    free(s);
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
    if (code) {
        snprintf(message, bytes, "PETSc: error %d", (int)code);
        destroy(s);
        return SPMV_PEER_FAILED;
    }
    *state = s;
    return SPMV_PEER_OK;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const petsc_state *s = (const petsc_state *)state;
    PetscErrorCode code = VecPlaceArray(s->x, (const PetscScalar *)x);

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
    SPMV_PEER_TRANSPOSED,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &petsc, NULL };
