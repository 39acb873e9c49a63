/* permuted.c: conjugate gradients with matrix, vectors and preconditioner permuted once, so that
 * EVC-HYB leaves y in the order of its sort and scatters nothing.
 *
 *     mpirun -n P permuted [-side N | -file FILE] [-rounds R] [-ksp_... ]
 *
 * Solves A*u = b by KSPCG with Jacobi, for the 5-point stencil on N x N points (default 300) or a
 * symmetric positive definite matrix in PETSc's binary format, with four products:
 *
 *     aij               PETSc's
 *     csr_vector        libspmv's, on the arrays of the matrix
 *     evc_hyb           libspmv's, which scatters y in each product
 *     evc_hyb permuted  the same with permuted_x=1,permuted_y=1
 *
 * For the last, each rank asks its plan for the order of the sort. MatPermute puts the rows and
 * columns that the rank owns into this order: that matrix P*A*P' gives the preconditioner and the
 * off-diagonal block. Its diagonal block is multiplied by the plan of A's diagonal block, which
 * computes P*A*P'*x without the scatter. b is permuted before the solver, and u after it.
 *
 * Prints iterations, the largest error of an unknown, and the least time of an iteration and of a
 * product in R rounds (default 5), in which the four take turns.
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
static PetscErrorCode plan_create(spmv_device *device, Mat a, const char *method,
                                  const char *settings, spmv_plan **plan)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .settings = settings, .threads = 1, .copy = 1};
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

/* ---- a system with one of the four products -------------------------------------------------- */

typedef struct contender {
    const char *name, *method, *settings;        /* method NULL: PETSc's product */
    Mat a;
    Vec b, u;                    /* permuted as a is */
    VecScatter permute;          /* to the order of a; NULL: a is not permuted */
    KSP solver;
    PetscInt iterations;
    double iteration, product;   /* least seconds */
    PetscReal error;
} contender;

static PetscErrorCode contender_create(contender *c, Mat original, Vec b, spmv_device *device)
{
    spmv_plan *plan = NULL;
    PC preconditioner;

    PetscFunctionBeginUser;
    c->iteration = c->product = 1e9;
    if (c->method != NULL)
        PetscCall(plan_create(device, original, c->method, c->settings, &plan));
    PetscCall(VecDuplicate(b, &c->b));
    PetscCall(VecDuplicate(b, &c->u));
    if (c->settings != NULL) {
        IS order;
        PetscCall(order_of_plan(original, plan, &order));
        PetscCall(MatPermute(original, order, order, &c->a));
        PetscCall(VecScatterCreate(b, order, c->b, NULL, &c->permute));
        PetscCall(ISDestroy(&order));
    } else
        PetscCall(MatDuplicate(original, MAT_COPY_VALUES, &c->a));
    if (plan != NULL)
        PetscCall(use_plan(c->a, plan));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &c->solver));
    PetscCall(KSPSetOperators(c->solver, c->a, c->a));
    PetscCall(KSPSetType(c->solver, KSPCG));
    PetscCall(KSPSetTolerances(c->solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
    PetscCall(KSPGetPC(c->solver, &preconditioner));
    PetscCall(PCSetType(preconditioner, PCJACOBI));
    PetscCall(KSPSetFromOptions(c->solver));
    PetscCall(KSPSetUp(c->solver));
    PetscFunctionReturn(0);
}

static PetscErrorCode contender_destroy(contender *c)
{
    PetscFunctionBeginUser;
    PetscCall(KSPDestroy(&c->solver));
    PetscCall(VecScatterDestroy(&c->permute));
    PetscCall(VecDestroy(&c->b));
    PetscCall(VecDestroy(&c->u));
    PetscCall(MatDestroy(&c->a));
    PetscFunctionReturn(0);
}

static PetscErrorCode move(contender *c, Vec from, Vec to, ScatterMode mode)
{
    PetscFunctionBeginUser;
    if (c->permute == NULL)
        PetscCall(VecCopy(from, to));
    else {
        PetscCall(VecScatterBegin(c->permute, from, to, INSERT_VALUES, mode));
        PetscCall(VecScatterEnd(c->permute, from, to, INSERT_VALUES, mode));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode slowest(double *seconds)
{
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
    PetscFunctionReturn(0);
}

/* Permutes, solves and permutes back; then some products by themselves. */
static PetscErrorCode run(contender *c, Vec b, Vec expected, Vec work)
{
    const int products = 20;
    KSPConvergedReason reason;
    double seconds;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    seconds = MPI_Wtime();
    PetscCall(move(c, b, c->b, SCATTER_FORWARD));
    PetscCall(KSPSolve(c->solver, c->b, c->u));
    PetscCall(move(c, c->u, work, SCATTER_REVERSE));
    seconds = MPI_Wtime() - seconds;
    PetscCall(KSPGetIterationNumber(c->solver, &c->iterations));
    PetscCall(KSPGetConvergedReason(c->solver, &reason));
    PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_CONV_FAILED, "%s does not converge",
               c->name);
    seconds /= PetscMax(1, c->iterations);
    PetscCall(slowest(&seconds));
    c->iteration = PetscMin(c->iteration, seconds);
    PetscCall(VecAXPY(work, -1, expected));
    PetscCall(VecNorm(work, NORM_INFINITY, &c->error));
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    seconds = MPI_Wtime();
    for (int i = 0; i < products; i++)
        PetscCall(MatMult(c->a, c->b, c->u));
    seconds = (MPI_Wtime() - seconds) / products;
    PetscCall(slowest(&seconds));
    c->product = PetscMin(c->product, seconds);
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
    contender contenders[] = {
        {.name = "aij"},
        {.name = "csr_vector", .method = "csr_vector"},
        {.name = "evc_hyb", .method = "evc_hyb"},
        {.name = "evc_hyb permuted", .method = "evc_hyb",
         .settings = "permuted_x=1,permuted_y=1"}};
    const int count = sizeof contenders / sizeof *contenders;
    PetscInt rounds = 5, begin, end;
    spmv_device *device;
    spmv_error error;
    Vec b, expected, work;
    Mat a;

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, help));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &rounds, NULL));
    PetscCall(check(spmv_device_open(NULL, &device, &error), &error));
    PetscCall(create_matrix(&a));
    PetscCall(MatCreateVecs(a, &expected, &b));
    PetscCall(VecDuplicate(b, &work));
    PetscCall(VecGetOwnershipRange(expected, &begin, &end));
    for (PetscInt i = begin; i < end; i++)
        PetscCall(VecSetValue(expected, i, 1 + (PetscReal)(i % 10) / 10, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(expected));
    PetscCall(VecAssemblyEnd(expected));
    PetscCall(MatMult(a, expected, b));
    for (int i = 0; i < count; i++)
        PetscCall(contender_create(&contenders[i], a, b, device));
    for (PetscInt round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            PetscCall(run(&contenders[i], b, expected, work));
    for (int i = 0; i < count; i++)
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%-16s  %d iterations, largest error %.1e, %.1f us "
                              "an iteration, %.1f us a product\n", contenders[i].name,
                              (int)contenders[i].iterations, (double)contenders[i].error,
                              contenders[i].iteration * 1e6, contenders[i].product * 1e6));
    for (int i = 0; i < count; i++)
        PetscCall(contender_destroy(&contenders[i]));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&expected));
    PetscCall(VecDestroy(&work));
    PetscCall(MatDestroy(&a));
    spmv_device_close(device);
    PetscCall(PetscFinalize());
    return 0;
}
