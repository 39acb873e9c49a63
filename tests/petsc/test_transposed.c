/* Products with the transpose run by plans of their own, made for the first such product. */
#include "petsc_test.h"

static const test_shape shapes[] = {
    {.name = "square", .rows = 300, .cols = 300, .row_nnz = 9, .has_diagonal = true},
    {.name = "tall", .rows = 700, .cols = 50, .row_nnz = 4},
    {.name = "nine of ten rows empty", .rows = 900, .cols = 300, .row_nnz = 6, .empty_rows = 900},
};

static PetscErrorCode count_events(const char *name, int *count)
{
    PetscLogEvent event;
    PetscEventPerfInfo info;

    PetscFunctionBegin;
    PetscCall(PetscLogEventGetId(name, &event));
    PetscCall(PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info));
    *count = info.count;
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* What one call of f(A, x, y) adds to libspmv's plans and products of this rank. */
static PetscErrorCode count(PetscErrorCode (*f)(Mat, Vec, Vec), Mat A, Vec x, Vec y, int *plans,
                            int *products)
{
    int before[2], after[2];

    PetscFunctionBegin;
    PetscCall(count_events("MatSpmvInspect", &before[0]));
    PetscCall(count_events("MatSpmvMult", &before[1]));
    PetscCall(f(A, x, y));
    PetscCall(count_events("MatSpmvInspect", &after[0]));
    PetscCall(count_events("MatSpmvMult", &after[1]));
    *plans = after[0] - before[0];
    *products = after[1] - before[1];
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_plans(const test_shape *shape)
{
    int plans[5], products[5];
    Vec x, y, z;
    Mat A;
    PetscBool is_equal;

    PetscFunctionBegin;
    PetscCall(test_matrix("aijspmv", shape, 1, &A));
    PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(test_random_vector(x, 3));
    PetscCall(count(MatMult, A, x, y, &plans[0], &products[0]));
    PetscCall(count(MatMult, A, x, y, &plans[1], &products[1]));
    PetscCall(count(MatMultTranspose, A, y, x, &plans[2], &products[2]));
    PetscCall(VecDuplicate(x, &z));
    PetscCall(count(MatMultTranspose, A, y, z, &plans[3], &products[3]));
    PetscCall(VecEqual(x, z, &is_equal));
    PetscCall(VecSet(z, 1e30));
    PetscCall(count(MatMultHermitianTranspose, A, y, z, &plans[4], &products[4]));
    all_ok(plans[0] > 0 && plans[1] == 0, "%s: MatMult makes its plans once", shape->name);
    all_ok(plans[2] == plans[0] && plans[3] == 0,
           "%s: MatMultTranspose makes as many, at its first call", shape->name);
    all_ok(products[0] == products[2] && products[2] == products[3],
           "%s: libspmv multiplies the same blocks", shape->name);
    all_ok(is_equal, "%s: the same bits again", shape->name);
    PetscCall(VecEqual(x, z, &is_equal));
    all_ok(is_equal && plans[4] == 0 && products[4] == products[3],
           "%s: MatMultHermitianTranspose is the same", shape->name);
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(VecDestroy(&z));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* The number of times that `part` is in a file, on rank 0. */
static PetscErrorCode count_in_file(const char *path, const char *part, int *times)
{
    FILE *file = NULL;
    char line[1024];

    PetscFunctionBegin;
    *times = 0;
    if (test_rank() == 0) {
        file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file))
            *times += strstr(line, part) != NULL;
        if (file)
            fclose(file);
    }
    PetscCallMPI(MPI_Bcast(times, 1, MPI_INT, 0, PETSC_COMM_WORLD));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode view(Mat A, const char *path)
{
    PetscViewer viewer;

    PetscFunctionBegin;
    PetscCall(PetscViewerASCIIOpen(PETSC_COMM_WORLD, path, &viewer));
    PetscCall(PetscViewerPushFormat(viewer, PETSC_VIEWER_ASCII_INFO_DETAIL));
    PetscCall(MatView(A, viewer));
    PetscCall(PetscViewerPopFormat(viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* MatView and -mat_aijspmv_view print the choices for A^T once they are made. */
static PetscErrorCode test_views(void)
{
    const int lines = test_ranks() > 1 ? 2 * test_ranks() : 1;
    char path[64], option[80];
    int before, after, printed;
    Vec x, y;
    Mat A;

    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(path, sizeof path, "test_transposed_%d.txt", test_ranks()));
    PetscCall(PetscSNPrintf(option, sizeof option, ":%s", path));
    PetscCall(test_matrix("aijspmv", &shapes[0], 1, &A));
    PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(test_random_vector(x, 3));
    PetscCall(MatMult(A, x, y));
    PetscCall(view(A, path));
    PetscCall(count_in_file(path, "transposed", &before));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_view", option));
    PetscCall(MatMultTranspose(A, y, x));
    PetscCall(PetscOptionsClearValue(NULL, "-mat_aijspmv_view"));
    PetscCall(count_in_file(path, "transposed: ", &printed));
    PetscCall(view(A, path));
    PetscCall(count_in_file(path, "transposed: ", &after));
    all_ok(before == 0 && after == lines, "MatView shows the choices for A^T after a product");
    all_ok(printed == lines, "-mat_aijspmv_view prints them");
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscLogDefaultBegin());
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        PetscCall(test_plans(&shapes[i]));
    PetscCall(test_views());
    return test_end();
}
