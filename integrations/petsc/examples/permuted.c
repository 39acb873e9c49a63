/* permuted.c: conjugate gradients with matrix, vectors and preconditioner permuted once, so that
 * EVC-HYB leaves y in the order of its sort and scatters nothing.
 *
 *     mpirun -n P permuted [-side N | -file FILE] [-ksp_... ]
 *
 * Solves A*u = b by KSPCG with Jacobi, for the 5-point stencil on N x N points (default 300) or a
 * symmetric positive definite matrix in PETSc's binary format; first by PETSc's product, then by
 * evc_hyb with the settings permuted_x=1,permuted_y=1.
 *
 * For these, each rank asks its plan for the order of the sort. MatPermute puts the rows and
 * columns that the rank owns into this order: that matrix P*A*P' gives the preconditioner and the
 * off-diagonal block. Its diagonal block is multiplied by the plan of A's diagonal block, which
 * computes P*A*P'*x without the scatter. b is permuted before the solver, and u after it.
 *
 * Prints iterations and the largest error of an unknown.
 */
#include <petscksp.h>

#include "spmv.h"

#if defined(PETSC_USE_64BIT_INDICES) || defined(PETSC_USE_COMPLEX) || \
    !defined(PETSC_USE_REAL_DOUBLE)
#error "this example is for a PETSc with 32-bit indices and double scalars"
#endif

static const char help[] = "Conjugate gradients with a matrix that is permuted once.\n";

/* ---- a diagonal block that is multiplied by a plan ------------------------------------------- */

static PetscErrorCode check(spmv_status status, const spmv_error *error)
{
    PetscFunctionBeginUser;
    PetscCheck(status == SPMV_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "libspmv: %s", error->text);
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply(Mat block, Vec x, Vec y)
{
    const PetscScalar *from;
    PetscContainer container;
    PetscScalar *to;
    void *plan;
    spmv_status status;

    PetscFunctionBegin;
    PetscCall(PetscObjectQuery((PetscObject)block, "plan", (PetscObject *)&container));
    PetscCall(PetscContainerGetPointer(container, &plan));
    PetscCall(VecGetArrayRead(x, &from));
    PetscCall(VecGetArrayWrite(y, &to));
    status = spmv_execute(plan, 1, from, 0, to, NULL);
    PetscCheck(status == SPMV_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "libspmv: %s",
               spmv_status_text(status));
    PetscCall(VecRestoreArrayWrite(y, &to));
    PetscCall(VecRestoreArrayRead(x, &from));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy_plan(void *plan)
{
    PetscFunctionBegin;
    spmv_plan_destroy(plan);
    PetscFunctionReturn(0);
}

/* The block of the columns that the rank owns. */
static PetscErrorCode diagonal_block(Mat a, Mat *block)
{
    const PetscInt *columns;
    PetscMPIInt ranks;
    Mat off;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    *block = a;
    if (ranks > 1)
        PetscCall(MatMPIAIJGetSeqAIJ(a, block, &off, &columns));
    PetscFunctionReturn(0);
}

/* A plan of the diagonal block, which holds a copy of what it reads. */
static PetscErrorCode plan_create(spmv_device *device, Mat a, spmv_plan **plan)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "evc_hyb",
                                       .settings = "permuted_x=1,permuted_y=1", .threads = 1,
                                       .copy = 1};
    const PetscInt *row_ptr, *columns;
    const PetscScalar *values;
    PetscInt rows, cols;
    PetscBool done;
    spmv_error error;
    Mat block;

    PetscFunctionBeginUser;
    PetscCall(diagonal_block(a, &block));
    PetscCall(MatGetLocalSize(block, NULL, &cols));
    PetscCall(MatGetRowIJ(block, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &columns, &done));
    PetscCall(MatSeqAIJGetArrayRead(block, &values));
    PetscCall(check(spmv_plan_create(device, &(spmv_csr){
        .rows = rows, .cols = cols, .nnz = row_ptr[rows], .row_ptr = row_ptr, .col_idx = columns,
        .val = values, .offset_type = SPMV_I32, .value_type = SPMV_F64}, &options, plan, &error),
        &error));
    PetscCall(MatSeqAIJRestoreArrayRead(block, &values));
    PetscCall(MatRestoreRowIJ(block, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &columns,
                              &done));
    PetscFunctionReturn(0);
}

/* The diagonal block owns the plan from now on. */
static PetscErrorCode use_plan(Mat a, spmv_plan *plan)
{
    PetscContainer container;
    Mat block;

    PetscFunctionBeginUser;
    PetscCall(diagonal_block(a, &block));
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscContainerSetPointer(container, plan));
    PetscCall(PetscContainerSetUserDestroy(container, destroy_plan));
    PetscCall(PetscObjectCompose((PetscObject)block, "plan", (PetscObject)container));
    PetscCall(PetscContainerDestroy(&container));
    PetscCall(MatSetOperation(block, MATOP_MULT, (void (*)(void))multiply));
    PetscFunctionReturn(0);
}

/* The rows of a rank in the order of its plan, by their numbers in A. */
static PetscErrorCode order_of_plan(Mat a, const spmv_plan *plan, IS *order)
{
    spmv_plan_info info = {.struct_size = sizeof info};
    PetscInt begin, end, *numbers;

    PetscFunctionBeginUser;
    spmv_plan_query(plan, &info);
    PetscCall(MatGetOwnershipRange(a, &begin, &end));
    PetscCall(PetscMalloc1(end - begin, &numbers));
    for (PetscInt k = 0; k < end - begin; k++)
        numbers[k] = begin + (info.y_permutation != NULL ? info.y_permutation[k] : k);
    PetscCall(ISCreateGeneral(PETSC_COMM_WORLD, end - begin, numbers, PETSC_OWN_POINTER, order));
    PetscFunctionReturn(0);
}

/* ---- solving --------------------------------------------------------------------------------- */

static PetscErrorCode solve(Mat a, Vec b, Vec u, PetscInt *iterations)
{
    KSPConvergedReason reason;
    PC preconditioner;
    KSP solver;

    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, a, a));
    PetscCall(KSPSetType(solver, KSPCG));
    PetscCall(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
    PetscCall(KSPGetPC(solver, &preconditioner));
    PetscCall(PCSetType(preconditioner, PCJACOBI));
    PetscCall(KSPSetFromOptions(solver));
    PetscCall(KSPSolve(solver, b, u));
    PetscCall(KSPGetIterationNumber(solver, iterations));
    PetscCall(KSPGetConvergedReason(solver, &reason));
    PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_CONV_FAILED, "the solver does not converge");
    PetscCall(KSPDestroy(&solver));
    PetscFunctionReturn(0);
}

/* Solves in the order of the plan's sort. */
static PetscErrorCode solve_permuted(Mat a, Vec b, Vec u, PetscInt *iterations)
{
    Vec permuted_b, permuted_u;
    VecScatter permute;
    spmv_device *device;
    spmv_error error;
    spmv_plan *plan;
    Mat permuted;
    IS order;

    PetscFunctionBeginUser;
    PetscCall(check(spmv_device_open(NULL, &device, &error), &error));
    PetscCall(plan_create(device, a, &plan));
    PetscCall(order_of_plan(a, plan, &order));
    PetscCall(MatPermute(a, order, order, &permuted));
    PetscCall(use_plan(permuted, plan));
    PetscCall(VecDuplicate(b, &permuted_b));
    PetscCall(VecDuplicate(b, &permuted_u));
    PetscCall(VecScatterCreate(b, order, permuted_b, NULL, &permute));
    PetscCall(VecScatterBegin(permute, b, permuted_b, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(permute, b, permuted_b, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(solve(permuted, permuted_b, permuted_u, iterations));
    PetscCall(VecScatterBegin(permute, permuted_u, u, INSERT_VALUES, SCATTER_REVERSE));
    PetscCall(VecScatterEnd(permute, permuted_u, u, INSERT_VALUES, SCATTER_REVERSE));
    PetscCall(VecScatterDestroy(&permute));
    PetscCall(VecDestroy(&permuted_b));
    PetscCall(VecDestroy(&permuted_u));
    PetscCall(ISDestroy(&order));
    PetscCall(MatDestroy(&permuted));
    spmv_device_close(device);
    PetscFunctionReturn(0);
}

/* Subtracts what is expected from u. */
static PetscErrorCode report(const char *name, PetscInt iterations, Vec u, Vec expected)
{
    PetscReal error;

    PetscFunctionBeginUser;
    PetscCall(VecAXPY(u, -1, expected));
    PetscCall(VecNorm(u, NORM_INFINITY, &error));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%-16s  %d iterations, largest error %.1e\n", name,
                          (int)iterations, (double)error));
    PetscFunctionReturn(0);
}

/* ---- the system ------------------------------------------------------------------------------ */

static PetscErrorCode poisson(PetscInt side, Mat *out)
{
    PetscInt begin, end;

    PetscFunctionBeginUser;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, side * side, side * side,
                           5, NULL, 4, NULL, out));
    PetscCall(MatGetOwnershipRange(*out, &begin, &end));
    for (PetscInt row = begin; row < end; row++) {
        const PetscInt x = row % side, y = row / side;
        const PetscInt cols[] = {row, x > 0 ? row - 1 : -1, x < side - 1 ? row + 1 : -1,
                                 row - side, y < side - 1 ? row + side : -1};
        const PetscScalar values[] = {4, -1, -1, -1, -1};    /* negative columns are ignored */
        PetscCall(MatSetValues(*out, 1, &row, 5, cols, values, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_matrix(Mat *out)
{
    char path[PETSC_MAX_PATH_LEN];
    PetscInt side = 300;
    PetscBool from_file;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-side", &side, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-file", path, sizeof path, &from_file));
    if (from_file) {
        PetscViewer viewer;
        PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &viewer));
        PetscCall(MatCreate(PETSC_COMM_WORLD, out));
        PetscCall(MatSetType(*out, MATAIJ));
        PetscCall(MatLoad(*out, viewer));
        PetscCall(PetscViewerDestroy(&viewer));
    } else
        PetscCall(poisson(side, out));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscInt begin, end, iterations;
    Vec b, u, expected;
    Mat a;

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, help));
    PetscCall(create_matrix(&a));
    PetscCall(MatCreateVecs(a, &expected, &b));
    PetscCall(VecDuplicate(b, &u));
    PetscCall(VecGetOwnershipRange(expected, &begin, &end));
    for (PetscInt i = begin; i < end; i++)
        PetscCall(VecSetValue(expected, i, 1 + (PetscReal)(i % 10) / 10, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(expected));
    PetscCall(VecAssemblyEnd(expected));
    PetscCall(MatMult(a, expected, b));
    PetscCall(solve(a, b, u, &iterations));
    PetscCall(report("aij", iterations, u, expected));
    PetscCall(solve_permuted(a, b, u, &iterations));
    PetscCall(report("evc_hyb permuted", iterations, u, expected));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&u));
    PetscCall(VecDestroy(&expected));
    PetscCall(MatDestroy(&a));
    PetscCall(PetscFinalize());
    return 0;
}
