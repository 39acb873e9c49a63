/* settings.c: the options -mat_aijspmv_... and their defaults. */
#include "integrations/petsc/src/settings.h"

static const char *const inspect_names[] = {"first_product", "assembly"};
static const char *const dense_names[] = {"kernels", "always", "never"};

void aijspmv_settings_default(aijspmv_settings *settings)
{
    *settings = (aijspmv_settings){
        .expected_runs = SPMV_EXPECTED_RUNS,
        .threads = 1,                /* PETSc's ranks share the cores */
        /* Measured on a Sapphire Rapids with PETSc 3.18: from these on, libspmv is faster. */
        .least_nonzeros = 400,
        .least_row_nonzeros = 4,
        .inspect = AIJSPMV_AT_FIRST_PRODUCT,
        .dense = AIJSPMV_DENSE_KERNELS,
    };
}

PetscErrorCode aijspmv_settings_read(Mat A, aijspmv_settings *s)
{
    PetscOptions options;
    const char *prefix;
    PetscBool is_set;

    PetscFunctionBegin;
    PetscCall(PetscObjectGetOptions((PetscObject)A, &options));
    PetscCall(PetscObjectGetOptionsPrefix((PetscObject)A, &prefix));
    PetscOptionsBegin(PetscObjectComm((PetscObject)A), prefix, "aijspmv options", "Mat");
    PetscOptionsObject->options = options;       /* NULL: PETSc's own database */
    PetscCall(PetscOptionsString("-mat_aijspmv_method",
                                 "Method of the kernels (default: libspmv chooses)", "None",
                                 s->method, s->method, sizeof s->method, NULL));
    PetscCall(PetscOptionsString("-mat_aijspmv_target",
                                 "Target of the kernels (default: the best for this CPU)", "None",
                                 s->target, s->target, sizeof s->target, NULL));
    PetscCall(PetscOptionsString("-mat_aijspmv_settings",
                                 "Settings of the method, name=value,...", "None",
                                 s->settings, s->settings, sizeof s->settings, NULL));
    PetscCall(PetscOptionsInt("-mat_aijspmv_expected_runs",
                              "Products that the choice of a method assumes", "None",
                              s->expected_runs, &s->expected_runs, NULL));
    PetscCall(PetscOptionsInt("-mat_aijspmv_threads",
                              "Threads of each rank (0: all CPUs that the rank may use)", "None",
                              s->threads, &s->threads, NULL));
    PetscCall(PetscOptionsInt("-mat_aijspmv_least_nonzeros",
                              "Blocks with fewer nonzeros are multiplied by PETSc", "None",
                              s->least_nonzeros, &s->least_nonzeros, NULL));
    PetscCall(PetscOptionsReal("-mat_aijspmv_least_row_nonzeros",
                               "Blocks of mostly empty rows, with fewer nonzeros in the others on "
                               "average, are multiplied by PETSc", "None",
                               s->least_row_nonzeros, &s->least_row_nonzeros, NULL));
    PetscCall(PetscOptionsEList("-mat_aijspmv_inspect", "When a method is chosen and built",
                                "None", inspect_names, 2, inspect_names[s->inspect], &s->inspect,
                                NULL));
    PetscCall(PetscOptionsEList("-mat_aijspmv_dense", "When libspmv computes products with dense "
                                "matrices: by kernels for several vectors, always, never",
                                "None", dense_names, 3, dense_names[s->dense], &s->dense, NULL));
    PetscCall(PetscOptionsBool("-mat_aijspmv_measure",
                               "Time the cheapest methods and keep the fastest", "None",
                               s->measure, &s->measure, NULL));
    PetscCall(PetscOptionsName("-mat_aijspmv_view", "Print the choice when it is made", "None",
                               &is_set));
    PetscOptionsEnd();
    PetscCheck(s->expected_runs >= 0 && s->expected_runs <= PETSC_MPI_INT_MAX, PETSC_COMM_SELF,
               PETSC_ERR_ARG_OUTOFRANGE,
               "-mat_aijspmv_expected_runs %" PetscInt_FMT ": expected a count of products",
               s->expected_runs);
    PetscCheck(s->threads >= 0 && s->threads <= 4096, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
               "-mat_aijspmv_threads %" PetscInt_FMT ": expected 0 to 4096", s->threads);
    PetscCheck(!s->settings[0] || s->method[0], PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP,
               "-mat_aijspmv_settings %s: settings belong to a method; name it by "
               "-mat_aijspmv_method", s->settings);
    PetscFunctionReturn(PETSC_SUCCESS);
}
