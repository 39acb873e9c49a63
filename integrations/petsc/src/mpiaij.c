/* mpiaij.c: mpiaijspmv: the plans of its blocks, and conversion from and to MPIAIJ.
 *
 * PETSc makes the blocks in several places. They are converted where a matrix is preallocated, so
 * that the type of a block does not depend on the products so far, and again before a product, for
 * blocks from elsewhere. */
#include "integrations/petsc/src/mpiaij.h"

#include "integrations/petsc/src/choice_view.h"
#include "integrations/petsc/src/inherited.h"
#include "integrations/petsc/src/operations.h"
#include "integrations/petsc/src/seqaij.h"

typedef PetscErrorCode preallocation_function(Mat, PetscInt, const PetscInt *, PetscInt,
                                              const PetscInt *);

static preallocation_function *mpiaij_preallocation;
static const char preallocation_name[] = "MatMPIAIJSetPreallocation_C";

static PetscErrorCode convert_blocks(Mat A, const aijspmv_settings *settings, bool renew)
{
    Mat block[2];

    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    for (int i = 0; i < 2; i++)
        if (block[i])
            PetscCall(aijspmv_convert_block(block[i], settings, renew));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Makes the blocks ready. PETSc then multiplies them by their own operations, and exchanges parts
 * of x or, for A^T x, adds up parts of y. Errors show here, before ranks exchange vectors. */
static PetscErrorCode begin_product(Mat A, aijspmv_data *data, int which, aijspmv_plan **plan)
{
    Mat block[2];

    PetscFunctionBegin;
    *plan = NULL;
    PetscCall(convert_blocks(A, &data->settings, false));
    PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    for (int i = 0; i < 2; i++)
        PetscCall(aijspmv_refresh_block(block[i], which));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_preallocation(Mat A, PetscInt d_nz, const PetscInt *d_nnz, PetscInt o_nz,
                                        const PetscInt *o_nnz)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(mpiaij_preallocation(A, d_nz, d_nnz, o_nz, o_nnz));
    PetscCall(convert_blocks(A, &data->settings, false));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Prints the choices of rank 0, or those of all ranks with reasons. Blocks without a transposed
 * plan have no line for it. */
static PetscErrorCode print_blocks(Mat A, int which, PetscViewer viewer, bool in_detail)
{
    static const char *const block_name[] = {"diagonal", "off-diagonal"};
    Mat block[2];
    PetscMPIInt rank;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)A), &rank));
    PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    PetscCall(PetscViewerASCIIPushSynchronized(viewer));
    for (int i = 0; i < 2 && (in_detail || rank == 0); i++) {
        char line[512] = "none";
        aijspmv_data *data = NULL;

        if (block[i])
            PetscCall(aijspmv_data_find(block[i], &data));
        if (which == AIJSPMV_TRANSPOSED && (!data || !data->plan[which].is_inspected))
            continue;
        if (data)
            PetscCall(aijspmv_plan_describe(&data->plan[which], in_detail, line, sizeof line));
        PetscCall(PetscViewerASCIISynchronizedPrintf(
            viewer, "aijspmv: rank %d, %s block%s: %s\n", (int)rank, block_name[i],
            which == AIJSPMV_TRANSPOSED ? ", transposed" : "", line));
    }
    PetscCall(PetscViewerFlush(viewer));
    PetscCall(PetscViewerASCIIPopSynchronized(viewer));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode print_choices(Mat A, const aijspmv_data *data, PetscViewer viewer,
                                    bool in_detail)
{
    PetscFunctionBegin;
    (void)data;
    for (int which = AIJSPMV_PLAIN; which <= AIJSPMV_TRANSPOSED; which++)
        PetscCall(print_blocks(A, which, viewer, in_detail));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Prints the choices for -mat_aijspmv_view, once for each structure. After a product, whose nonzero
 * state is the same on all ranks. */
static PetscErrorCode end_product(Mat A, aijspmv_data *data, int which)
{
    PetscObjectState state;
    PetscViewer viewer;

    PetscFunctionBegin;
    PetscCall(MatGetNonzeroState(A, &state));
    if (data->is_viewed[which] && data->viewed_state[which] == state)
        PetscFunctionReturn(PETSC_SUCCESS);
    data->is_viewed[which] = PETSC_TRUE;
    data->viewed_state[which] = state;
    PetscCall(aijspmv_choice_viewer(A, PetscObjectComm((PetscObject)A), &viewer));
    if (viewer) {
        PetscCall(print_blocks(A, which, viewer, true));
        PetscCall(PetscViewerDestroy(&viewer));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_mpi_begin(Mat A)
{
    aijspmv_data *data;
    aijspmv_plan *none;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(begin_product(A, data, AIJSPMV_PLAIN, &none));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_mpi_end(Mat A)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(end_product(A, data, AIJSPMV_PLAIN));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode assembly_end(Mat A, aijspmv_data *data, MatAssemblyType type)
{
    PetscFunctionBegin;
    PetscCall(convert_blocks(A, &data->settings, false));
    PetscCall(aijspmv_parent_assembly_end(A, data, type));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode renew(Mat A, aijspmv_data *data)
{
    PetscFunctionBegin;
    PetscCall(convert_blocks(A, &data->settings, true));
    data->is_viewed[AIJSPMV_PLAIN] = data->is_viewed[AIJSPMV_TRANSPOSED] = PETSC_FALSE;
    PetscFunctionReturn(PETSC_SUCCESS);
}

static const aijspmv_type mpi_type = {
    .kind = AIJSPMV_MPI,
    .begin_product = begin_product, .end_product = end_product, .assembly_end = assembly_end,
    .print_choices = print_choices, .renew = renew,
};

static PetscErrorCode convert_in_place(Mat A)
{
    preallocation_function *preallocation;
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_attach(A, AIJSPMV_MPI, &data));
    PetscCall(aijspmv_settings_read(A, &data->settings));
    PetscCall(aijspmv_operations_replace(A, &mpi_type, data));
    PetscCall(PetscObjectQueryFunction((PetscObject)A, preallocation_name, &preallocation));
    if (!mpiaij_preallocation)
        mpiaij_preallocation = preallocation;
    PetscCall(PetscObjectComposeFunction((PetscObject)A, preallocation_name, set_preallocation));
    PetscCall(aijspmv_inherited_add(A, AIJSPMV_MPI, aijspmv_convert_to_mpi,
                                    aijspmv_convert_from_mpi));
    PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATMPIAIJSPMV));
    PetscCall(convert_blocks(A, &data->settings, false));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_convert_to_mpi(Mat A, MatType type, MatReuse reuse, Mat *out)
{
    Mat B;
    PetscBool is_converted;

    PetscFunctionBegin;
    (void)type;
    PetscCall(aijspmv_conversion_begin(A, reuse, *out, &B));
    if (!B)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(PetscObjectTypeCompare((PetscObject)B, MATMPIAIJSPMV, &is_converted));
    if (!is_converted)
        PetscCall(convert_in_place(B));
    *out = B;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_convert_from_mpi(Mat A, MatType type, MatReuse reuse, Mat *out)
{
    Mat B, block[2];
    aijspmv_data *data;

    PetscFunctionBegin;
    (void)type;
    PetscCall(aijspmv_conversion_begin(A, reuse, *out, &B));
    if (!B)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(aijspmv_data_of(B, &data));
    PetscCall(MatMPIAIJGetSeqAIJ(B, &block[0], &block[1], NULL));
    for (int i = 0; i < 2; i++) {
        PetscBool is_own;

        PetscCall(PetscObjectTypeCompare((PetscObject)block[i], MATSEQAIJSPMV, &is_own));
        if (is_own)
            PetscCall(aijspmv_convert_from_seq(block[i], MATSEQAIJ, MAT_INPLACE_MATRIX,
                                               &block[i]));
    }
    PetscCall(aijspmv_operations_restore(B, data));
    PetscCall(aijspmv_data_detach(B));
    PetscCall(aijspmv_inherited_remove(B, AIJSPMV_MPI));
    PetscCall(PetscObjectComposeFunction((PetscObject)B, preallocation_name,
                                         mpiaij_preallocation));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, MATMPIAIJ));
    *out = B;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_create_mpi(Mat A)
{
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATMPIAIJ));
    PetscCall(aijspmv_convert_to_mpi(A, MATMPIAIJSPMV, MAT_INPLACE_MATRIX, &A));
    PetscFunctionReturn(PETSC_SUCCESS);
}
