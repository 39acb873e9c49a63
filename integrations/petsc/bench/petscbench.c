/* petscbench.c: times products and solves by KSP for several types of one matrix, which take turns.
 *
 *     mpirun -n 2 petscbench -dll_append libpetscspmv.so -problem bratu3d -grid 64
 *
 *     -problem bratu2d|bratu3d|FILE  the Jacobian of the Bratu problem at u = 0, or a matrix in
 *                                    PETSc's binary format
 *     -grid N                        points in each dimension
 *     -types aij,aijspmv             products are compared with the first type's; default: these
 *                                    two, and aijmkl if PETSc has it
 *     -product NAME                  mult (MatMult, the default), transpose (MatMultTranspose) or
 *                                    dense (MatMatMult); solves are timed beside mult alone
 *     -columns K                     of the dense matrix; default: 8
 *     -rounds N, -solves N           rounds of products (about 2 ms for each type) and of solves
 *     -ksp_...                       the solver; default: CG with Jacobi for Bratu, else GMRES
 *
 * A time is the slowest rank's. Prints a line for the problem and one for each type:
 *
 *     type NAME mult MIN MEDIAN first T solve MIN iterations N error E        (microseconds)
 *
 * The fastest round counts where a machine has other work, which only adds time. "first" is the
 * first product, which inspects the matrix. bench.py runs this program and makes tables.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrations/petsc/bench/bratu.h"

enum { MAX_TYPES = 8, MAX_ROUNDS = 1000 };
#define ROUND_SECONDS 0.002
#define MAX_ERROR 1e-12

static const char *const default_types[] = {
    "aij", "aijspmv",
#ifdef PETSC_HAVE_MKL_SPARSE
    "aijmkl",
#endif
};

typedef enum product { MULT, TRANSPOSE, DENSE } product;
static const char *const product_name[] = {"mult", "transpose", "dense"};

typedef struct contender {
    char *type;
    Mat A, Y;                        /* Y: the product of DENSE, else NULL */
    Vec y;
    KSP ksp;
    double first;
    double mult[MAX_ROUNDS], solve[MAX_ROUNDS];
    PetscInt iterations;
    double error;                    /* of its product, relative to the reference's norm */
} contender;

typedef struct bench {
    char problem[PETSC_MAX_PATH_LEN];
    PetscInt grid, rounds, solves, columns;
    product product;
    Mat X;                           /* the dense factor */
    contender of[MAX_TYPES];
    PetscInt count;
    Vec x, b, solution;
} bench;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *times, PetscInt n)
{
    qsort(times, (size_t)n, sizeof *times, compare);
    return n % 2 ? times[n / 2] : 0.5 * (times[n / 2 - 1] + times[n / 2]);
}

/* Ends a measurement that began at `begin` on this rank. */
static PetscErrorCode elapsed(double begin, double *seconds)
{
    double own = MPI_Wtime() - begin;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Allreduce(&own, seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply(const bench *b, contender *c)
{
    PetscFunctionBegin;
    if (b->product == DENSE)
        PetscCall(MatMatMult(c->A, b->X, c->Y ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX,
                             PETSC_DEFAULT, &c->Y));
    else if (b->product == TRANSPOSE)
        PetscCall(MatMultTranspose(c->A, b->x, c->y));
    else
        PetscCall(MatMult(c->A, b->x, c->y));
    PetscFunctionReturn(0);
}

static PetscErrorCode time_products(const bench *b, contender *c, PetscInt n, double *seconds)
{
    double begin;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    begin = MPI_Wtime();
    for (PetscInt i = 0; i < n; i++)
        PetscCall(multiply(b, c));
    PetscCall(elapsed(begin, seconds));
    *seconds /= (double)n;
    PetscFunctionReturn(0);
}

static PetscErrorCode read_options(bench *b)
{
    char *types[MAX_TYPES];
    PetscInt count = MAX_TYPES, which = MULT;
    PetscBool is_set;

    PetscFunctionBegin;
    b->grid = 128;
    b->columns = 8;
    b->rounds = 100;
    b->solves = 5;
    PetscCall(PetscStrncpy(b->problem, "bratu2d", sizeof b->problem));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-problem", b->problem, sizeof b->problem, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-grid", &b->grid, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &b->rounds, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-solves", &b->solves, NULL));
    PetscCall(PetscOptionsGetEList(NULL, NULL, "-product", product_name, 3, &which, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-columns", &b->columns, NULL));
    b->product = (product)which;
    if (b->product != MULT)
        b->solves = 0;
    PetscCheck(b->columns >= 1, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
               "-columns is at least 1");
    PetscCheck(b->rounds >= 1 && b->rounds <= MAX_ROUNDS && b->solves >= 0 &&
               b->solves <= MAX_ROUNDS, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
               "-rounds and -solves are at most %d", MAX_ROUNDS);
    PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-types", types, &count, &is_set));
    if (!is_set)
        for (count = 0; count < (PetscInt)(sizeof default_types / sizeof *default_types); count++)
            PetscCall(PetscStrallocpy(default_types[count], &types[count]));
    for (b->count = 0; b->count < count; b->count++)
        b->of[b->count].type = types[b->count];
    PetscFunctionReturn(0);
}

static PetscErrorCode create_matrix(bench *b, Mat *A)
{
    PetscViewer viewer;
    bool is_bratu;

    PetscFunctionBegin;
    PetscCall(bratu_create(b->problem, b->grid, A, &is_bratu));
    if (is_bratu)
        PetscFunctionReturn(0);
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, b->problem, FILE_MODE_READ, &viewer));
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetType(*A, MATAIJ));
    PetscCall(MatLoad(*A, viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_solver(const bench *b, contender *c)
{
    const bool is_bratu = strncmp(b->problem, "bratu", 5) == 0;
    PC pc;

    PetscFunctionBegin;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &c->ksp));
    PetscCall(KSPSetOperators(c->ksp, c->A, c->A));
    PetscCall(KSPSetType(c->ksp, is_bratu ? KSPCG : KSPGMRES));
    PetscCall(KSPSetTolerances(c->ksp, 1e-6, PETSC_DEFAULT, PETSC_DEFAULT, is_bratu ? 1000 : 90));
    PetscCall(KSPGetPC(c->ksp, &pc));
    PetscCall(PCSetType(pc, PCJACOBI));
    PetscCall(KSPSetFromOptions(c->ksp));
    PetscFunctionReturn(0);
}

/* The difference of c's product from that of the first type, over the norm of the latter. */
static PetscErrorCode compare_products(const bench *b, contender *c)
{
    double norm;

    PetscFunctionBegin;
    if (b->product == DENSE) {
        Mat difference;

        PetscCall(MatDuplicate(c->Y, MAT_COPY_VALUES, &difference));
        PetscCall(MatAXPY(difference, -1, b->of[0].Y, SAME_NONZERO_PATTERN));
        PetscCall(MatNorm(b->of[0].Y, NORM_FROBENIUS, &norm));
        PetscCall(MatNorm(difference, NORM_FROBENIUS, &c->error));
        PetscCall(MatDestroy(&difference));
    } else {
        PetscCall(VecNorm(b->of[0].y, NORM_2, &norm));
        PetscCall(VecCopy(c->y, b->b));
        PetscCall(VecAXPY(b->b, -1, b->of[0].y));
        PetscCall(VecNorm(b->b, NORM_2, &c->error));
    }
    c->error /= norm > 0 ? norm : 1;
    PetscCheck(c->error <= MAX_ERROR, PETSC_COMM_WORLD, PETSC_ERR_PLIB,
               "the product of type %s differs from that of %s by %g", c->type, b->of[0].type,
               c->error);
    PetscFunctionReturn(0);
}

static PetscErrorCode create_operands(bench *b, Mat A)
{
    PetscInt local, global;

    PetscFunctionBegin;
    if (b->product == TRANSPOSE)
        PetscCall(MatCreateVecs(A, &b->b, &b->x));
    else
        PetscCall(MatCreateVecs(A, &b->x, &b->b));
    PetscCall(VecDuplicate(b->x, &b->solution));
    PetscCall(VecSetRandom(b->x, NULL));
    if (b->product == DENSE) {
        PetscCall(MatGetLocalSize(A, NULL, &local));
        PetscCall(MatGetSize(A, NULL, &global));
        PetscCall(MatCreateDense(PETSC_COMM_WORLD, local, PETSC_DECIDE, global, b->columns, NULL,
                                 &b->X));
        PetscCall(MatSetRandom(b->X, NULL));
    }
    PetscFunctionReturn(0);
}

/* Converts the matrix to each type, and compares each first product with that of the first type. */
static PetscErrorCode create_contenders(bench *b, Mat A)
{
    PetscFunctionBegin;
    PetscCall(create_operands(b, A));
    for (contender *c = b->of; c < b->of + b->count; c++) {
        PetscCall(MatConvert(A, c->type, MAT_INITIAL_MATRIX, &c->A));
        PetscCall(VecDuplicate(b->b, &c->y));
        PetscCall(time_products(b, c, 1, &c->first));
        PetscCall(compare_products(b, c));
        if (b->product == MULT)
            PetscCall(create_solver(b, c));
    }
    PetscCall(VecCopy(b->of[0].y, b->b));
    PetscFunctionReturn(0);
}

/* Types take turns, and another one is first in each round. */
static PetscErrorCode race(bench *b)
{
    double seconds;
    PetscInt products;

    PetscFunctionBegin;
    PetscCall(time_products(b, &b->of[0], 3, &seconds));
    PetscCall(time_products(b, &b->of[0], 1 + (PetscInt)(0.2 * ROUND_SECONDS / seconds), &seconds));
    products = 1 + (PetscInt)(ROUND_SECONDS / seconds);
    for (PetscInt round = 0; round < b->rounds; round++)
        for (PetscInt i = 0; i < b->count; i++) {
            contender *c = &b->of[(i + round) % b->count];

            PetscCall(time_products(b, c, products, &c->mult[round]));
        }
    if (b->product != MULT)
        PetscFunctionReturn(0);
    for (PetscInt round = -1; round < b->solves; round++)    /* the first sets up */
        for (PetscInt i = 0; i < b->count; i++) {
            contender *c = &b->of[(i + round + b->count) % b->count];
            double begin;

            PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
            begin = MPI_Wtime();
            PetscCall(KSPSolve(c->ksp, b->b, b->solution));
            PetscCall(elapsed(begin, &seconds));
            if (round >= 0)
                c->solve[round] = seconds;
            PetscCall(KSPGetIterationNumber(c->ksp, &c->iterations));
        }
    PetscFunctionReturn(0);
}

static PetscErrorCode print(bench *b)
{
    PetscInt rows, cols;
    MatInfo info;

    PetscFunctionBegin;
    PetscCall(MatGetSize(b->of[0].A, &rows, &cols));
    PetscCall(MatGetInfo(b->of[0].A, MAT_GLOBAL_SUM, &info));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "problem %s rows %lld columns %lld nonzeros %.0f\n",
                          b->problem, (long long)rows, (long long)cols, info.nz_used));
    for (contender *c = b->of; c < b->of + b->count; c++) {
        const double mult = median(c->mult, b->rounds);      /* and sorts */

        if (b->solves > 0)
            median(c->solve, b->solves);

        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "type %s mult %.3f %.3f first %.3f solve %.1f "
                              "iterations %lld error %.1e\n", c->type, 1e6 * c->mult[0], 1e6 * mult,
                              1e6 * c->first, 1e6 * c->solve[0], (long long)c->iterations,
                              c->error));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(bench *b)
{
    PetscFunctionBegin;
    for (contender *c = b->of; c < b->of + b->count; c++) {
        PetscCall(KSPDestroy(&c->ksp));
        PetscCall(MatDestroy(&c->A));
        PetscCall(MatDestroy(&c->Y));
        PetscCall(VecDestroy(&c->y));
        PetscCall(PetscFree(c->type));
    }
    PetscCall(MatDestroy(&b->X));
    PetscCall(VecDestroy(&b->x));
    PetscCall(VecDestroy(&b->b));
    PetscCall(VecDestroy(&b->solution));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    static bench b;
    Mat A;

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(read_options(&b));
    PetscCall(create_matrix(&b, &A));
    PetscCall(create_contenders(&b, A));
    PetscCall(MatDestroy(&A));
    PetscCall(race(&b));
    PetscCall(print(&b));
    PetscCall(destroy(&b));
    PetscCall(PetscFinalize());
    return 0;
}
