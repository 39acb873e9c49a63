/* Options choose methods and say when; the choice is printed; errors are PETSc's. */
#include <petscksp.h>

#include "petsc_test.h"

static const test_shape shape = {.name = "square", .rows = 200, .cols = 200, .row_nnz = 5,
                                 .has_diagonal = true};

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

/* y = A x */
static PetscErrorCode multiply(Mat A)
{
    Vec x, y;

    PetscFunctionBegin;
    PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(VecSet(x, 1.0));
    PetscCall(MatMult(A, x, y));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* What MatView printed, on rank 0. */
static char text[1 << 20];

static PetscErrorCode read_text(const char *path)
{
    PetscFunctionBegin;
    text[0] = '\0';
    if (test_rank() == 0) {
        FILE *file = fopen(path, "r");

        PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        remove(path);
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode view(Mat A, PetscViewerFormat format)
{
    PetscViewer viewer;
    char path[64];

    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(path, sizeof path, "test_options_%d.txt", test_ranks()));
    PetscCall(PetscViewerASCIIOpen(PETSC_COMM_WORLD, path, &viewer));
    PetscCall(PetscViewerPushFormat(viewer, format));
    PetscCall(MatView(A, viewer));
    PetscCall(PetscViewerPopFormat(viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscCall(read_text(path));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_when(void)
{
    Mat A;
    int before, after, products;

    PetscFunctionBegin;
    PetscCall(count_events("MatSpmvInspect", &before));
    PetscCall(test_matrix("aijspmv", &shape, 1, &A));
    PetscCall(count_events("MatSpmvInspect", &after));
    all_ok(before == after, "assembly makes no plan");
    PetscCall(multiply(A));
    PetscCall(multiply(A));
    PetscCall(count_events("MatSpmvInspect", &products));
    all_ok(products == after + (test_ranks() > 1 ? 2 : 1), "the first product makes it");
    PetscCall(MatDestroy(&A));

    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_inspect", "assembly"));
    PetscCall(count_events("MatSpmvInspect", &before));
    PetscCall(test_matrix("aijspmv", &shape, 1, &A));
    PetscCall(count_events("MatSpmvInspect", &after));
    all_ok(after == before + (test_ranks() > 1 ? 2 : 1),
           "-mat_aijspmv_inspect assembly: assembly makes it");
    PetscCall(multiply(A));
    PetscCall(count_events("MatSpmvInspect", &products));
    all_ok(products == after, "-mat_aijspmv_inspect assembly: products make none");
    PetscCall(PetscOptionsClearValue(NULL, "-mat_aijspmv_inspect"));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_views(void)
{
    Mat A;

    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_method", "csr_scalar"));
    PetscCall(test_matrix("aijspmv", &shape, 1, &A));
    PetscCall(view(A, PETSC_VIEWER_ASCII_INFO));
    all_ok(test_rank() > 0 || strstr(text, "the first product chooses a method"),
           "ascii_info before a product");
    PetscCall(multiply(A));
    PetscCall(view(A, PETSC_VIEWER_ASCII_INFO));
    all_ok(test_rank() > 0 || strstr(text, "csr_scalar for "), "ascii_info names the method");
    all_ok(test_rank() > 0 || !strstr(text, "rank 1, diagonal"), "ascii_info is about rank 0");
    PetscCall(view(A, PETSC_VIEWER_ASCII_INFO_DETAIL));
    all_ok(test_rank() > 0 || (strstr(text, "csr_scalar for ") &&
                               (test_ranks() == 1 || strstr(text, "rank 1, off-diagonal block: "))),
           "ascii_info_detail is about all ranks");
    PetscCall(view(A, PETSC_VIEWER_DEFAULT));
    all_ok(!strstr(text, "aijspmv: "), "entries are printed without the choice");
    PetscCall(MatDestroy(&A));
    PetscCall(PetscOptionsClearValue(NULL, "-mat_aijspmv_method"));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static int count_in_text(const char *part)
{
    int count = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* -mat_aijspmv_view prints each choice once: of this rank, or of the blocks of all ranks. */
static PetscErrorCode test_view_option(void)
{
    const int lines = test_ranks() > 1 ? 2 * test_ranks() : 1;
    char path[64], option[80];
    Mat A;

    PetscFunctionBegin;
    PetscCall(PetscSNPrintf(path, sizeof path, "test_options_view_%d.txt", test_ranks()));
    PetscCall(PetscSNPrintf(option, sizeof option, ":%s", path));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_view", option));
    PetscCall(test_matrix("aijspmv", &shape, 1, &A));
    PetscCall(multiply(A));
    PetscCall(read_text(path));
    all_ok(test_rank() > 0 || count_in_text("aijspmv: ") == lines, "-mat_aijspmv_view");
    PetscCall(MatScale(A, 2.0));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_view", "ascii:/no/such/folder/file"));
    PetscCall(multiply(A));
    all_ok(true, "-mat_aijspmv_view: not again for new values");
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_view", option));
    PetscCall(MatSetValue(A, 0, shape.cols - 1, 1.0, ADD_VALUES));
    PetscCall(MatSetValue(A, 0, shape.cols - 2, 1.0, ADD_VALUES));
    PetscCall(MatSetValue(A, 0, shape.cols - 3, 1.0, ADD_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscCall(multiply(A));
    PetscCall(read_text(path));
    all_ok(test_rank() > 0 || count_in_text("aijspmv: ") == lines,
           "-mat_aijspmv_view: again for a new structure");
    PetscCall(PetscOptionsClearValue(NULL, "-mat_aijspmv_view"));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_prefix(void)
{
    Mat A;

    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-one_mat_type", "aijspmv"));
    PetscCall(PetscOptionsSetValue(NULL, "-one_mat_aijspmv_method", "csr_vector"));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_method", "csr_scalar"));
    PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
    PetscCall(MatSetOptionsPrefix(A, "one_"));
    PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, shape.rows, shape.cols));
    PetscCall(MatSetFromOptions(A));
    PetscCall(MatSetUp(A));
    PetscCall(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(test_fill(A, &shape, 1));
    PetscCall(multiply(A));
    PetscCall(view(A, PETSC_VIEWER_ASCII_INFO));
    all_ok(test_rank() > 0 || (strstr(text, "csr_vector for ") && !strstr(text, "csr_scalar")),
           "a matrix with a prefix has its own options");
    PetscCall(PetscOptionsSetValue(NULL, "-one_mat_aijspmv_method", "csr5"));
    PetscCall(MatSetFromOptions(A));
    PetscCall(multiply(A));
    PetscCall(view(A, PETSC_VIEWER_ASCII_INFO));
    all_ok(test_rank() > 0 || strstr(text, "csr5 for "), "MatSetFromOptions reads them again");
    PetscCall(MatDestroy(&A));
    PetscCall(PetscOptionsClearValue(NULL, "-mat_aijspmv_method"));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc multiplies blocks that it multiplies faster. */
static PetscErrorCode test_fallback(void)
{
    const test_shape sparse = {.name = "mostly empty", .rows = 2000, .cols = 300, .row_nnz = 2,
                               .empty_rows = 900};
    Mat A, B;
    bool is_same;

    PetscFunctionBegin;
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_least_nonzeros", "100000"));
    PetscCall(test_matrix("aijspmv", &shape, 1, &B));
    PetscCall(test_same_products(A, B, &is_same));
    PetscCall(view(B, PETSC_VIEWER_ASCII_INFO));
    all_ok(is_same && (test_rank() > 0 || strstr(text, "PETSc multiplies: ")),
           "PETSc multiplies small blocks");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_least_nonzeros", "1"));

    PetscCall(test_matrix(MATAIJ, &sparse, 1, &A));
    for (int i = 0; i < 2; i++) {
        PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_least_row_nonzeros", i ? "0" : "4"));
        PetscCall(test_matrix("aijspmv", &sparse, 1, &B));
        PetscCall(test_same_products(A, B, &is_same));
        PetscCall(view(B, PETSC_VIEWER_ASCII_INFO));
        is_same = is_same &&
                  (test_rank() > 0 || (i == 0) == (strstr(text, "in a filled row") != NULL));
        all_ok(is_same,
               i ? "libspmv multiplies filled rows with few nonzeros, if told so"
                 : "PETSc multiplies filled rows with few nonzeros");
        PetscCall(MatDestroy(&B));
    }
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test_threads(void)
{
    Mat A, B;
    bool is_same;

    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-mat_aijspmv_threads", "3"));
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(test_matrix("aijspmv", &shape, 1, &B));
    PetscCall(test_same_products(A, B, &is_same));
    all_ok(is_same, "three threads");
    PetscCall(PetscOptionsClearValue(NULL, "-mat_aijspmv_threads"));
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* -log_view counts the same operations as for AIJ. */
static PetscErrorCode test_flops(void)
{
    PetscLogDouble flops[3];
    Mat A;

    PetscFunctionBegin;
    for (int i = 0; i < 2; i++) {
        PetscCall(test_matrix(i ? "aijspmv" : MATAIJ, &shape, 1, &A));
        PetscCall(PetscGetFlops(&flops[0]));
        PetscCall(multiply(A));
        PetscCall(PetscGetFlops(&flops[i + 1]));
        flops[i + 1] -= flops[0];
        PetscCall(MatDestroy(&A));
    }
    all_ok(flops[1] > 0 && flops[1] == flops[2], "as many operations are counted as for AIJ");
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last error's text: PETSc calls this instead of printing. */
static char error_text[4096];
static PetscErrorCode keep_error(MPI_Comm comm, int line, const char *function, const char *file,
                                 PetscErrorCode code, PetscErrorType type, const char *message,
                                 void *context)
{
    (void)comm, (void)line, (void)function, (void)file, (void)context;
    if (type == PETSC_ERROR_INITIAL)
        snprintf(error_text, sizeof error_text, "%s", message);
    return code;
}

/* The product of a matrix with this option fails, and says why. */
static PetscErrorCode test_error(const char *option, const char *value, const char *expected)
{
    Mat A = NULL;
    PetscErrorCode code;
    Vec x, y;

    PetscFunctionBegin;
    error_text[0] = '\0';
    PetscCall(PetscOptionsSetValue(NULL, option, value));
    PetscCall(PetscPushErrorHandler(keep_error, NULL));
    code = test_matrix("aijspmv", &shape, 1, &A);
    if (!code) {
        PetscCall(MatCreateVecs(A, &x, &y));
        PetscCall(VecSet(x, 1.0));
        code = MatMult(A, x, y);
        PetscCall(VecDestroy(&x));
        PetscCall(VecDestroy(&y));
    }
    PetscCall(PetscPopErrorHandler());
    all_ok(code && strstr(error_text, expected), "%s %s: an error", option, value);
    if (!strstr(error_text, expected) && test_rank() == 0)
        diag("code %d, text: %s", (int)code, error_text);
    PetscCall(PetscOptionsClearValue(NULL, option));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Blocks of PETSc's MPIAIJ, and other matrices that PETSc makes as seqaij. */
static PetscErrorCode test_seqaij_type(void)
{
    Mat A, B, block;
    bool is_same;
    PetscBool is_own;

    PetscFunctionBegin;
    PetscCall(test_matrix(MATAIJ, &shape, 1, &A));
    PetscCall(PetscOptionsSetValue(NULL, "-mat_seqaij_type", "seqaijspmv"));
    PetscCall(test_matrix(MATAIJ, &shape, 1, &B));
    PetscCall(PetscOptionsClearValue(NULL, "-mat_seqaij_type"));
    block = B;
    if (test_ranks() > 1)
        PetscCall(MatMPIAIJGetSeqAIJ(B, &block, NULL, NULL));
    PetscCall(PetscObjectTypeCompare((PetscObject)block, "seqaijspmv", &is_own));
    PetscCall(test_same_products(A, B, &is_same));
    all_ok(is_own && is_same, "-mat_seqaij_type seqaijspmv");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* A preconditioner finds aijspmv as it finds AIJ: the same iterations. */
static PetscErrorCode test_preconditioner(const char *type)
{
    PetscInt iterations[2];

    PetscFunctionBegin;
    for (int i = 0; i < 2; i++) {
        Mat A;
        Vec x, b;
        KSP ksp;
        PC pc;

        PetscCall(test_matrix(i ? "aijspmv" : MATAIJ, &shape, 1, &A));
        PetscCall(MatCreateVecs(A, &x, &b));
        PetscCall(VecSet(b, 1.0));
        PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
        PetscCall(KSPSetOperators(ksp, A, A));
        PetscCall(KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, 200));
        PetscCall(KSPGetPC(ksp, &pc));
        PetscCall(PCSetType(pc, type));
        PetscCall(KSPSolve(ksp, b, x));
        PetscCall(KSPGetIterationNumber(ksp, &iterations[i]));
        PetscCall(KSPDestroy(&ksp));
        PetscCall(VecDestroy(&x));
        PetscCall(VecDestroy(&b));
        PetscCall(MatDestroy(&A));
    }
    all_ok(iterations[0] == iterations[1] && iterations[0] > 0 && iterations[0] < 200,
           "preconditioner %s: the same iterations", type);
    if (iterations[0] != iterations[1] && test_rank() == 0)
        diag("%d and %d", (int)iterations[0], (int)iterations[1]);
    PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
    static const char *const types[] = {PCNONE, PCJACOBI, PCSOR, PCBJACOBI, PCASM, PCGAMG,
#if defined(PETSC_HAVE_HYPRE)
                                        PCHYPRE,
#endif
                                        PCREDUNDANT};

    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscLogDefaultBegin());
    PetscCall(test_when());
    PetscCall(test_views());
    PetscCall(test_view_option());
    PetscCall(test_prefix());
    PetscCall(test_fallback());
    PetscCall(test_threads());
    PetscCall(test_flops());
    PetscCall(test_error("-mat_aijspmv_method", "nonsense", "no module of method 'nonsense'"));
    PetscCall(test_error("-mat_aijspmv_target", "nonsense", "nonsense"));
    PetscCall(test_error("-mat_aijspmv_settings", "nonsense=1",
                         "name it by -mat_aijspmv_method"));
    PetscCall(test_error("-mat_aijspmv_threads", "-3", "expected 0 to 4096"));
    PetscCall(test_error("-mat_aijspmv_expected_runs", "-3", "expected a count of products"));
    PetscCall(test_seqaij_type());
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        PetscCall(test_preconditioner(types[i]));
    return test_end();
}
