/* product.c: counts and times one product y = A*x of PETSc on the ranks that run it.
 *
 *     mpirun -n P product [-poisson 2|3 -side N [-boxes]] [-file FILE] [-mat_type TYPE]
 *                         [-counts] [-times [-samples S]]
 *
 * -poisson makes the 5-point or 7-point stencil, in the order of the grid or, with -boxes, in that
 * of a DMDA. -file reads what partition.py --write wrote.
 *
 * -counts prints a line for each rank, with the numbers of partition.py --each, and then what
 * PETSc's log counted in one product: messages sent and received, and bytes sent.
 *
 * -times prints seconds. A sample is the time of the slowest rank; the least of S samples is
 * printed, which other programs on the machine disturb least, and the median.
 */
#include <petscdmda.h>
#include <petscksp.h>
#include <petscsf.h>

static const char help[] = "Counts and times one product of PETSc.\n";

/* ---- the matrix ------------------------------------------------------------------------------ */

static PetscErrorCode set_row(Mat a, PetscInt row, PetscInt count, const PetscInt *cols,
                              PetscInt entries)
{
    PetscScalar values[7];

    PetscFunctionBeginUser;
    for (PetscInt k = 0; k < count; k++)
        values[k] = cols[k] == row ? entries : -1;
    PetscCall(MatSetValues(a, 1, &row, count, cols, values, INSERT_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode poisson_in_grid_order(PetscInt dimensions, PetscInt side, Mat *out)
{
    const PetscInt rows = dimensions == 2 ? side * side : side * side * side;
    PetscInt begin, end;
    Mat a;

    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_WORLD, &a));
    PetscCall(MatSetSizes(a, PETSC_DECIDE, PETSC_DECIDE, rows, rows));
    PetscCall(MatSetType(a, MATAIJ));
    PetscCall(MatSeqAIJSetPreallocation(a, 2 * dimensions + 1, NULL));
    PetscCall(MatMPIAIJSetPreallocation(a, 2 * dimensions + 1, NULL, 2 * dimensions, NULL));
    PetscCall(MatGetOwnershipRange(a, &begin, &end));
    for (PetscInt row = begin; row < end; row++) {
        PetscInt cols[7], count = 0;
        cols[count++] = row;
        for (PetscInt axis = 0, left = row, stride = 1; axis < dimensions; axis++) {
            const PetscInt place = left % side;
            if (place > 0)
                cols[count++] = row - stride;
            if (place < side - 1)
                cols[count++] = row + stride;
            left /= side;
            stride *= side;
        }
        PetscCall(set_row(a, row, count, cols, 2 * dimensions));
    }
    PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    *out = a;
    PetscFunctionReturn(0);
}

/* DMCreateMatrix stores zeros for the stencil; their places are those of the matrix. */
static PetscErrorCode poisson_in_boxes(PetscInt dimensions, PetscInt side, Mat *out)
{
    DM grid;
    ISLocalToGlobalMapping numbers;
    PetscInt x, y, z, nx, ny, nz, gx, gy, gz, gnx, gny;
    const PetscInt *global;

    PetscFunctionBeginUser;
    if (dimensions == 2)
        PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                               DMDA_STENCIL_STAR, side, side, PETSC_DECIDE, PETSC_DECIDE, 1, 1,
                               NULL, NULL, &grid));
    else
        PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                               DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, side, side, side, PETSC_DECIDE,
                               PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL, &grid));
    PetscCall(DMSetUp(grid));
    PetscCall(DMCreateMatrix(grid, out));
    PetscCall(DMDAGetCorners(grid, &x, &y, &z, &nx, &ny, &nz));
    PetscCall(DMDAGetGhostCorners(grid, &gx, &gy, &gz, &gnx, &gny, NULL));
    PetscCall(DMGetLocalToGlobalMapping(grid, &numbers));
    PetscCall(ISLocalToGlobalMappingGetIndices(numbers, &global));
    for (PetscInt k = z; k < z + nz; k++)
        for (PetscInt j = y; j < y + ny; j++)
            for (PetscInt i = x; i < x + nx; i++) {
                const PetscInt place[] = {i, j, k}, stride[] = {1, gnx, gnx * gny};
                const PetscInt local = i - gx + gnx * (j - gy + gny * (k - gz));
                PetscInt cols[7], count = 0;
                cols[count++] = global[local];
                for (PetscInt axis = 0; axis < dimensions; axis++) {
                    if (place[axis] > 0)
                        cols[count++] = global[local - stride[axis]];
                    if (place[axis] < side - 1)
                        cols[count++] = global[local + stride[axis]];
                }
                PetscCall(set_row(*out, global[local], count, cols, 2 * dimensions));
            }
    PetscCall(ISLocalToGlobalMappingRestoreIndices(numbers, &global));
    PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
    PetscCall(DMDestroy(&grid));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_matrix(Mat *out)
{
    PetscInt dimensions = 2, side = 100;
    PetscBool boxes = PETSC_FALSE, from_file;
    char path[PETSC_MAX_PATH_LEN], type[64];
    PetscBool typed;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetString(NULL, NULL, "-mat_type", type, sizeof type, &typed));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-file", path, sizeof path, &from_file));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-poisson", &dimensions, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-side", &side, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-boxes", &boxes, NULL));
    PetscCheck(dimensions == 2 || dimensions == 3, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
               "-poisson %d: expected 2 or 3 dimensions", (int)dimensions);
    if (from_file) {
        PetscViewer viewer;
        PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &viewer));
        PetscCall(MatCreate(PETSC_COMM_WORLD, out));
        PetscCall(MatSetType(*out, MATAIJ));
        PetscCall(MatLoad(*out, viewer));
        PetscCall(PetscViewerDestroy(&viewer));
    } else if (boxes)
        PetscCall(poisson_in_boxes(dimensions, side, out));
    else
        PetscCall(poisson_in_grid_order(dimensions, side, out));
    if (typed)
        PetscCall(MatConvert(*out, type, MAT_INPLACE_MATRIX, out));
    PetscFunctionReturn(0);
}

/* ---- parts of a product ---------------------------------------------------------------------- */

typedef struct parts {
    PetscMPIInt ranks;
    Mat a, diagonal, off;        /* off is NULL on one rank */
    VecScatter scatter;          /* x to ghosts; NULL on one rank */
    Vec x, y, local_x, local_y, ghosts;
    PetscReal one, sums[1];      /* for the all-reduce */
} parts;

static PetscErrorCode parts_create(parts *p)
{
    PetscFunctionBeginUser;
    *p = (parts){.ranks = 1};
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &p->ranks));
    PetscCall(create_matrix(&p->a));
    PetscCall(MatCreateVecs(p->a, &p->x, &p->y));
    PetscCall(VecSet(p->x, 1));
    p->diagonal = p->a;
    if (p->ranks > 1) {
        const PetscInt *numbers;
        PetscInt count;
        IS of_ghosts;
        PetscCall(MatMPIAIJGetSeqAIJ(p->a, &p->diagonal, &p->off, &numbers));
        PetscCall(MatCreateVecs(p->off, &p->ghosts, NULL));
        PetscCall(VecSet(p->ghosts, 1));
        PetscCall(VecGetSize(p->ghosts, &count));
        /* The same scatter as the matrix makes for itself, which is not public. */
        PetscCall(ISCreateGeneral(PETSC_COMM_SELF, count, numbers, PETSC_COPY_VALUES, &of_ghosts));
        PetscCall(VecScatterCreate(p->x, of_ghosts, p->ghosts, NULL, &p->scatter));
        PetscCall(ISDestroy(&of_ghosts));
    }
    PetscCall(MatCreateVecs(p->diagonal, &p->local_x, &p->local_y));
    PetscCall(VecSet(p->local_x, 1));
    PetscFunctionReturn(0);
}

static PetscErrorCode parts_destroy(parts *p)
{
    PetscFunctionBeginUser;
    PetscCall(VecScatterDestroy(&p->scatter));
    PetscCall(VecDestroy(&p->ghosts));
    PetscCall(VecDestroy(&p->local_x));
    PetscCall(VecDestroy(&p->local_y));
    PetscCall(VecDestroy(&p->x));
    PetscCall(VecDestroy(&p->y));
    PetscCall(MatDestroy(&p->a));
    PetscFunctionReturn(0);
}

static PetscErrorCode product(parts *p)
{
    return MatMult(p->a, p->x, p->y);
}

static PetscErrorCode diagonal(parts *p)
{
    return MatMult(p->diagonal, p->local_x, p->local_y);
}

static PetscErrorCode off_diagonal(parts *p)
{
    return MatMultAdd(p->off, p->ghosts, p->local_y, p->local_y);
}

static PetscErrorCode exchange(parts *p)
{
    PetscFunctionBeginUser;
    PetscCall(VecScatterBegin(p->scatter, p->x, p->ghosts, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(p->scatter, p->x, p->ghosts, INSERT_VALUES, SCATTER_FORWARD));
    PetscFunctionReturn(0);
}

static PetscErrorCode all_reduce(parts *p)
{
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Allreduce(&p->one, p->sums, 1, MPIU_REAL, MPIU_SUM, PETSC_COMM_WORLD));
    PetscFunctionReturn(0);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static PetscErrorCode print_counts(parts *p)
{
    PetscInt rows, off_rows = 0, received = 0, sent = 0;
    PetscInt from = 0, to = 0;
    PetscMPIInt rank;
    MatInfo all, off = {0};
    PetscLogEvent event;
    PetscEventPerfInfo before, after;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(MatGetLocalSize(p->a, &rows, NULL));
    PetscCall(MatGetInfo(p->a, MAT_LOCAL, &all));
    if (p->ranks > 1) {
        const PetscInt *ends, *others;
        PetscBool done;
        PetscInt off_size;
        PetscCall(MatGetInfo(p->off, MAT_LOCAL, &off));
        PetscCall(MatGetRowIJ(p->off, 0, PETSC_FALSE, PETSC_FALSE, &off_size, &ends, &others,
                              &done));
        for (PetscInt row = 0; row < off_size; row++)
            off_rows += ends[row + 1] > ends[row];
        PetscCall(MatRestoreRowIJ(p->off, 0, PETSC_FALSE, PETSC_FALSE, &off_size, &ends, &others,
                                  &done));
        PetscCall(PetscSFSetUp(p->scatter));
        const PetscMPIInt *partners;
        const PetscInt *offsets, *indices, *more;
        PetscCall(PetscSFGetRootRanks(p->scatter, &from, &partners, &offsets, &indices, &more));
        received = offsets[from];
        PetscCall(PetscSFGetLeafRanks(p->scatter, &to, &partners, &offsets, &indices));
        sent = offsets[to];
    }
    PetscCall(PetscSynchronizedPrintf(PETSC_COMM_WORLD, "counts %d %d %.0f %.0f %d %d %d %d %d\n",
                                      rank, (int)rows, all.nz_used, off.nz_used, (int)off_rows,
                                      (int)received, (int)sent, (int)from, (int)to));
    PetscCall(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
    /* An event of its own, around a second product, so that nothing else is counted. */
    PetscCall(PetscLogEventRegister("one product", MAT_CLASSID, &event));
    PetscCall(product(p));
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &before));
    PetscCall(PetscLogEventBegin(event, 0, 0, 0, 0));
    PetscCall(product(p));
    PetscCall(PetscLogEventEnd(event, 0, 0, 0, 0));
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &after));
    PetscCall(PetscSynchronizedPrintf(PETSC_COMM_WORLD, "logged %d %.0f %.0f\n", rank,
                                      after.numMessages - before.numMessages,
                                      after.messageLength - before.messageLength));
    PetscCall(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
    PetscFunctionReturn(0);
}

/* ---- times ----------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    const double s = *(const double *)a, t = *(const double *)b;
    return (s > t) - (s < t);
}

static PetscErrorCode print_time(const char *name, PetscErrorCode (*run)(parts *), parts *p,
                                 PetscInt samples)
{
    PetscInt runs = 1;
    double *times;

    PetscFunctionBeginUser;
    PetscCall(PetscMalloc1(samples, &times));
    for (PetscInt s = -1; s < samples; s++) {        /* the first sample chooses the runs */
        double begin, seconds;
        PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
        begin = MPI_Wtime();
        /* A barrier's end differs between ranks by up to a message, so a sample has many runs. */
        for (PetscInt run_of_sample = 0; run_of_sample < runs; run_of_sample++)
            PetscCall(run(p));
        seconds = (MPI_Wtime() - begin) / runs;
        PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX,
                                   PETSC_COMM_WORLD));
        if (s < 0)
            runs = PetscMax(16, PetscMin(1000, (PetscInt)(2e-3 / seconds)));
        else
            times[s] = seconds;
    }
    qsort(times, samples, sizeof *times, compare_times);
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "time %s %.3e %.3e\n", name, times[0],
                          times[samples / 2]));
    PetscCall(PetscFree(times));
    PetscFunctionReturn(0);
}

/* Sends `count` messages at once, or receives them. */
static PetscErrorCode pass(char *memory, int bytes, int count, PetscMPIInt other, int sends)
{
    MPI_Request requests[16];

    PetscFunctionBeginUser;
    for (int i = 0; i < count; i++)
        if (sends)
            PetscCallMPI(MPI_Isend(memory + i * bytes, bytes, MPI_BYTE, other, i, PETSC_COMM_WORLD,
                                   &requests[i]));
        else
            PetscCallMPI(MPI_Irecv(memory + i * bytes, bytes, MPI_BYTE, other, i, PETSC_COMM_WORLD,
                                   &requests[i]));
    PetscCallMPI(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    PetscFunctionReturn(0);
}

/* Messages between ranks 0 and 1, there and back: half the time of a round. */
static PetscErrorCode print_message_times(PetscInt samples)
{
    static const struct { int bytes, count; } messages[] = {
        {8, 1}, {8, 16}, {1 << 10, 1}, {1 << 13, 1}, {1 << 16, 1}, {1 << 20, 1}};
    PetscMPIInt rank, ranks;
    char *memory;

    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    if (ranks == 1)
        PetscFunctionReturn(0);
    PetscCall(PetscCalloc1(1 << 20, &memory));
    for (int i = 0; i < 6; i++) {
        double least = 1e9;
        PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
        for (PetscInt round = 0; round <= samples && rank < 2; round++) {
            const double begin = MPI_Wtime();
            for (int turn = 0; turn < 2; turn++)
                PetscCall(pass(memory, messages[i].bytes, messages[i].count, !rank, rank == turn));
            least = PetscMin(least, (MPI_Wtime() - begin) / 2);
        }
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "time message_%d%s %.3e %.3e\n", messages[i].bytes,
                              messages[i].count > 1 ? "_x16" : "", least, least));
    }
    PetscCall(PetscFree(memory));
    PetscFunctionReturn(0);
}

/* One iteration of conjugate gradients with Jacobi: the least time of several iterations less the
 * least time of one, so that set-up and the first residual do not count. */
static PetscErrorCode print_solver_time(parts *p, PetscInt samples)
{
    static const PetscInt iterations[] = {1, 9};
    double least[2] = {1e9, 1e9}, seconds;
    KSP solver;
    PC preconditioner;
    Vec b;

    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, p->a, p->a));
    PetscCall(KSPSetType(solver, KSPCG));
    PetscCall(KSPGetPC(solver, &preconditioner));
    PetscCall(PCSetType(preconditioner, PCJACOBI));
    PetscCall(KSPSetConvergenceTest(solver, KSPConvergedSkip, NULL, NULL));
    PetscCall(VecDuplicate(p->y, &b));
    PetscCall(VecSetRandom(b, NULL));
    for (PetscInt s = 0; s <= samples; s++)          /* the first sample warms up */
        for (int i = 0; i < 2; i++) {
            PetscCall(KSPSetTolerances(solver, 0, 0, PETSC_DEFAULT, iterations[i]));
            PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
            seconds = MPI_Wtime();
            PetscCall(KSPSolve(solver, b, p->y));
            seconds = MPI_Wtime() - seconds;
            PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX,
                                       PETSC_COMM_WORLD));
            if (s > 0)
                least[i] = PetscMin(least[i], seconds);
        }
    seconds = (least[1] - least[0]) / (iterations[1] - iterations[0]);
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "time iteration %.3e %.3e\n", seconds, seconds));
    PetscCall(VecDestroy(&b));
    PetscCall(KSPDestroy(&solver));
    PetscFunctionReturn(0);
}

static PetscErrorCode print_times(parts *p)
{
    PetscInt samples = 50;
    PetscBool from_file;

    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-samples", &samples, NULL));
    PetscCall(PetscOptionsHasName(NULL, NULL, "-file", &from_file));
    PetscCall(print_time("product", product, p, samples));
    PetscCall(print_time("diagonal", diagonal, p, samples));
    if (p->ranks > 1) {
        PetscCall(print_time("off_diagonal", off_diagonal, p, samples));
        PetscCall(print_time("exchange", exchange, p, samples));
        PetscCall(print_time("all_reduce", all_reduce, p, samples));
        PetscCall(print_message_times(samples));
    }
    if (!from_file)              /* which conjugate gradients may not solve */
        PetscCall(print_solver_time(p, samples));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    parts p;
    PetscBool counts = PETSC_FALSE, times = PETSC_FALSE;

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, help));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-counts", &counts, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-times", &times, NULL));
    if (counts)
        PetscCall(PetscLogDefaultBegin());
    PetscCall(parts_create(&p));
    if (counts)
        PetscCall(print_counts(&p));
    if (times)
        PetscCall(print_times(&p));
    PetscCall(parts_destroy(&p));
    PetscCall(PetscFinalize());
    return 0;
}
