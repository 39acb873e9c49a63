/* dense_product.c: C = A B for A of the plug-in's types and a dense B.
 *
 * PETSc makes C, in the symbolic phase that it has for AIJ. Its numeric phase is replaced through
 * MatSetOperation; the replaced functions are composed with C. In one process:
 *
 *     libspmv reads B and writes C in place; both are column-major
 *
 * In a parallel product each rank has some rows of A, B and C. Columns are taken some at a time:
 *
 *     packed = the columns of B, row-major
 *     remote = rows of `packed` from other ranks, in the order of the off-diagonal block's columns
 *     result = diagonal block * packed, while rows are under way
 *     result = off-diagonal block * remote + result
 *     the columns of C = result
 *
 * So a row is one unit of a message, and kernels read the values of a row from adjacent memory.
 */
#include "integrations/petsc/src/dense_product.h"

#include "integrations/petsc/src/mpiaij.h"
#include "integrations/petsc/src/seqaij.h"

#include <petscsf.h>

typedef PetscErrorCode product_function(Mat);

enum {
    MOST_COLUMNS = 32,           /* at a time */
    /* Of a row on average. With fewer, copies of vectors to row-major order cost more than kernels
     * save: in one process on a Sapphire Rapids, products with 8 columns had 0.7 to 1.2 times
     * PETSc's speed with 5 to 7 nonzeros, and 1 to 2.4 times with 10 to 73. */
    LEAST_ROW_NONZEROS = 8
};

static const char symbolic_name[] = "aijspmv_product_symbolic";
static const char numeric_name[] = "aijspmv_product_numeric";

/* Whether libspmv is to compute products of a block by this plan. Without kernels for several
 * vectors it would read the matrix once for each column; PETSc's loop is faster then, and with
 * short rows. */
static bool is_used(const aijspmv_plan *plan, const aijspmv_settings *settings)
{
    spmv_plan_info info = {.struct_size = sizeof info};

    if (!plan->plan || settings->dense == AIJSPMV_DENSE_NEVER)
        return false;
    return settings->dense == AIJSPMV_DENSE_ALWAYS ||
           (plan->csr.nnz >= LEAST_ROW_NONZEROS * plan->csr.filled_rows &&
            spmv_plan_query(plan->plan, &info) == SPMV_OK &&
            info.module->ops->launches_columns != NULL);
}

static PetscErrorCode numeric_of_petsc(Mat C)
{
    product_function *parent;

    PetscFunctionBegin;
    PetscCall(PetscObjectQueryFunction((PetscObject)C, numeric_name, &parent));
    PetscCall(parent(C));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one process ---------------------------------------------------------------------------- */

static PetscErrorCode numeric_seq(Mat C)
{
    const PetscScalar *b;
    aijspmv_data *data;
    aijspmv_plan *plan;
    PetscScalar *c;
    PetscInt columns, b_ld, c_ld;
    Mat A, B;

    PetscFunctionBegin;
    PetscCall(MatProductGetMats(C, &A, &B, NULL));
    PetscCall(aijspmv_seq_plan(A, AIJSPMV_PLAIN, &plan));
    PetscCall(aijspmv_data_find(A, &data));
    if (!is_used(plan, &data->settings)) {
        PetscCall(numeric_of_petsc(C));
        PetscFunctionReturn(PETSC_SUCCESS);
    }
    PetscCall(MatGetSize(B, NULL, &columns));
    PetscCall(MatDenseGetLDA(B, &b_ld));
    PetscCall(MatDenseGetLDA(C, &c_ld));
    PetscCall(MatDenseGetArrayRead(B, &b));
    PetscCall(MatDenseGetArrayWrite(C, &c));
    PetscCall(aijspmv_plan_mult_columns(plan, SPMV_COLUMN_MAJOR, columns, b, PetscMax(1, b_ld),
                                        false, c, PetscMax(1, c_ld)));
    PetscCall(MatDenseRestoreArrayWrite(C, &c));
    PetscCall(MatDenseRestoreArrayRead(B, &b));
    PetscCall(MatAssemblyBegin(C, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(C, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- many processes -------------------------------------------------------------------------- */

/* Row-major Y = A X, or += if adds, by a loop over A's rows. For a block without a plan that is
 * used. */
static PetscErrorCode multiply_by_loop(Mat A, PetscInt columns, const PetscScalar *x, bool adds,
                                       PetscScalar *y)
{
    const PetscInt *row_ptr, *col_idx;
    const PetscScalar *val;
    PetscInt rows;
    PetscBool has_arrays;

    PetscFunctionBegin;
    PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &col_idx, &has_arrays));
    PetscCheck(has_arrays, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the matrix shows no CSR arrays");
    PetscCall(MatSeqAIJGetArrayRead(A, &val));
    if (!adds)
        PetscCall(PetscArrayzero(y, rows * columns));
    for (PetscInt i = 0; i < rows; i++)
        for (PetscInt k = row_ptr[i]; k < row_ptr[i + 1]; k++)
            for (PetscInt c = 0; c < columns; c++)
                y[i * columns + c] += val[k] * x[col_idx[k] * columns + c];
    PetscCall(PetscLogFlops(2.0 * (double)row_ptr[rows] * (double)columns));
    PetscCall(MatSeqAIJRestoreArrayRead(A, &val));
    PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &col_idx,
                              &has_arrays));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode multiply_block(Mat block, PetscInt columns, const PetscScalar *x, bool adds,
                                     PetscScalar *y)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(block, &data));
    if (data && is_used(&data->plan[AIJSPMV_PLAIN], &data->settings))
        PetscCall(aijspmv_plan_mult_columns(&data->plan[AIJSPMV_PLAIN], SPMV_ROW_MAJOR, columns, x,
                                            columns, adds, y, columns));
    else
        PetscCall(multiply_by_loop(block, columns, x, adds, y));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Copies column-major `from` to row-major `to` without gaps, or back. */
static void pack(PetscInt rows, PetscInt columns, const PetscScalar *from, PetscInt ld,
                 PetscScalar *to)
{
    for (PetscInt i = 0; i < rows; i++)
        for (PetscInt c = 0; c < columns; c++)
            to[i * columns + c] = from[i + c * ld];
}

static void unpack(PetscInt rows, PetscInt columns, const PetscScalar *from, PetscScalar *to,
                   PetscInt ld)
{
    for (PetscInt i = 0; i < rows; i++)
        for (PetscInt c = 0; c < columns; c++)
            to[i + c * ld] = from[i * columns + c];
}

/* What a product of some columns needs. */
typedef struct exchange {
    Mat block[2];                    /* of A: diagonal and off-diagonal */
    PetscInt rows, local, remote;    /* of A on this rank; rows of B here, and from other ranks */
    PetscSF sf;                      /* from the rows of B to `remote` */
    PetscScalar *packed, *received, *result;
} exchange;

static PetscErrorCode exchange_create(Mat A, PetscInt columns, exchange *e)
{
    const PetscInt *remote_row;
    PetscLayout layout;

    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(A, &e->block[0], &e->block[1], &remote_row));
    PetscCall(MatGetLocalSize(A, &e->rows, &e->local));
    PetscCall(MatGetLocalSize(e->block[1], NULL, &e->remote));
    PetscCall(MatGetLayouts(A, NULL, &layout));
    PetscCall(PetscSFCreate(PetscObjectComm((PetscObject)A), &e->sf));
    PetscCall(PetscSFSetGraphLayout(e->sf, layout, e->remote, NULL, PETSC_COPY_VALUES,
                                    remote_row));
    PetscCall(PetscMalloc3(e->local * columns, &e->packed, e->remote * columns, &e->received,
                           e->rows * columns, &e->result));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode exchange_destroy(exchange *e)
{
    PetscFunctionBegin;
    PetscCall(PetscSFDestroy(&e->sf));
    PetscCall(PetscFree3(e->packed, e->received, e->result));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode multiply_columns(const exchange *e, PetscInt columns, const PetscScalar *b,
                                       PetscInt b_ld, PetscScalar *c, PetscInt c_ld)
{
    MPI_Datatype row;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Type_contiguous((PetscMPIInt)columns, MPIU_SCALAR, &row));
    PetscCallMPI(MPI_Type_commit(&row));
    pack(e->local, columns, b, b_ld, e->packed);
    PetscCall(PetscSFBcastBegin(e->sf, row, e->packed, e->received, MPI_REPLACE));
    PetscCall(multiply_block(e->block[0], columns, e->packed, false, e->result));
    PetscCall(PetscSFBcastEnd(e->sf, row, e->packed, e->received, MPI_REPLACE));
    PetscCall(multiply_block(e->block[1], columns, e->received, true, e->result));
    unpack(e->rows, columns, e->result, c, c_ld);
    PetscCallMPI(MPI_Type_free(&row));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether libspmv is to multiply the diagonal block of some rank. */
static PetscErrorCode is_any_used(Mat A, PetscBool *is_any)
{
    PetscBool is_own = PETSC_FALSE;
    aijspmv_data *data;
    Mat diagonal;

    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(A, &diagonal, NULL, NULL));
    PetscCall(aijspmv_data_find(diagonal, &data));
    if (data && is_used(&data->plan[AIJSPMV_PLAIN], &data->settings))
        is_own = PETSC_TRUE;
    PetscCallMPI(MPI_Allreduce(&is_own, is_any, 1, MPIU_BOOL, MPI_LOR,
                               PetscObjectComm((PetscObject)A)));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode numeric_mpi(Mat C)
{
    const PetscScalar *b;
    PetscScalar *c;
    PetscInt columns, b_ld, c_ld;
    PetscBool is_any;
    exchange e;
    Mat A, B;

    PetscFunctionBegin;
    PetscCall(MatProductGetMats(C, &A, &B, NULL));
    PetscCall(aijspmv_mpi_begin(A));
    PetscCall(is_any_used(A, &is_any));
    if (!is_any) {
        PetscCall(numeric_of_petsc(C));
        PetscFunctionReturn(PETSC_SUCCESS);
    }
    PetscCall(MatGetSize(B, NULL, &columns));
    PetscCall(MatDenseGetLDA(B, &b_ld));
    PetscCall(MatDenseGetLDA(C, &c_ld));
    PetscCall(exchange_create(A, PetscMin(columns, MOST_COLUMNS), &e));
    PetscCall(MatDenseGetArrayRead(B, &b));
    PetscCall(MatDenseGetArrayWrite(C, &c));
    for (PetscInt first = 0; first < columns; first += MOST_COLUMNS)
        PetscCall(multiply_columns(&e, PetscMin(columns - first, MOST_COLUMNS), b + first * b_ld,
                                   b_ld, c + first * c_ld, c_ld));
    PetscCall(MatDenseRestoreArrayWrite(C, &c));
    PetscCall(MatDenseRestoreArrayRead(B, &b));
    PetscCall(exchange_destroy(&e));
    PetscCall(MatAssemblyBegin(C, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(C, MAT_FINAL_ASSEMBLY));
    PetscCall(aijspmv_mpi_end(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the hook -------------------------------------------------------------------------------- */

/* The numeric phase for C = A B; NULL: PETSc's. Types derived from these have other memory. */
static PetscErrorCode numeric_of(Mat A, Mat B, product_function **numeric)
{
    PetscBool is_seq, is_mpi, is_seq_dense, is_mpi_dense;

    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJSPMV, &is_seq));
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJSPMV, &is_mpi));
    PetscCall(PetscObjectTypeCompare((PetscObject)B, MATSEQDENSE, &is_seq_dense));
    PetscCall(PetscObjectTypeCompare((PetscObject)B, MATMPIDENSE, &is_mpi_dense));
    *numeric = is_seq && is_seq_dense ? numeric_seq : is_mpi && is_mpi_dense ? numeric_mpi : NULL;
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc's symbolic phase, which chooses its numeric phase. */
static PetscErrorCode symbolic(Mat C)
{
    product_function *parent, *own, *numeric;
    PetscBool is_dense;
    Mat A, B;

    PetscFunctionBegin;
    PetscCall(PetscObjectQueryFunction((PetscObject)C, symbolic_name, &parent));
    PetscCall(MatSetOperation(C, MATOP_PRODUCTSYMBOLIC, (aijspmv_function *)parent));
    PetscCall(parent(C));
    PetscCall(MatProductGetMats(C, &A, &B, NULL));
    PetscCall(numeric_of(A, B, &own));
    PetscCall(PetscObjectTypeCompareAny((PetscObject)C, &is_dense, MATSEQDENSE, MATMPIDENSE, ""));
    PetscCall(MatGetOperation(C, MATOP_PRODUCTNUMERIC, (aijspmv_function **)&numeric));
    if (own && is_dense && numeric) {
        PetscCall(PetscObjectComposeFunction((PetscObject)C, numeric_name, numeric));
        PetscCall(MatSetOperation(C, MATOP_PRODUCTNUMERIC, (aijspmv_function *)own));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_dense_product_hook(Mat C)
{
    product_function *own, *parent;
    MatProductType type;
    Mat A, B;

    PetscFunctionBegin;
    PetscCall(MatProductGetType(C, &type));
    PetscCall(MatProductGetMats(C, &A, &B, NULL));
    PetscCall(MatGetOperation(C, MATOP_PRODUCTSYMBOLIC, (aijspmv_function **)&parent));
    if (type != MATPRODUCT_AB || !parent || parent == symbolic)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(numeric_of(A, B, &own));
    if (own) {
        PetscCall(PetscObjectComposeFunction((PetscObject)C, symbolic_name, parent));
        PetscCall(MatSetOperation(C, MATOP_PRODUCTSYMBOLIC, (aijspmv_function *)symbolic));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}
