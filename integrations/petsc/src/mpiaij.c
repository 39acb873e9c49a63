/* mpiaij.c: the operations of mpiaijspmv, and conversion from and to MPIAIJ.
 *
 * PETSc makes the blocks in several places. They are converted where a matrix is preallocated, so
 * that the type of a block does not depend on the products so far, and again before a product, for
 * blocks from elsewhere. */
#include "integrations/petsc/src/mpiaij.h"

#include "integrations/petsc/src/choice_view.h"
#include "integrations/petsc/src/inherited.h"
#include "integrations/petsc/src/seqaij.h"

typedef PetscErrorCode preallocation_function(Mat, PetscInt, const PetscInt *, PetscInt,
                                              const PetscInt *);

static aijspmv_operations mpiaij_operations;     /* of PETSc's MPIAIJ */
static preallocation_function *mpiaij_preallocation;
static const char preallocation_name[] = "MatMPIAIJSetPreallocation_C";

static PetscErrorCode data_of(Mat A, aijspmv_data **data)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(A, data));
    if (!*data) {
        PetscCall(aijspmv_data_attach(A, data));
        PetscCall(aijspmv_settings_read(A, &(*data)->settings));
        (*data)->parent = mpiaij_operations;
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

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

/* Makes the blocks ready for a product. Errors show here, before ranks exchange vectors. which:
 * AIJSPMV_PLAIN or AIJSPMV_TRANSPOSED. */
static PetscErrorCode prepare_blocks(Mat A, const aijspmv_settings *settings, int which)
{
    Mat block[2];

    PetscFunctionBegin;
    PetscCall(convert_blocks(A, settings, false));
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
    PetscCall(data_of(A, &data));
    PetscCall(mpiaij_preallocation(A, d_nz, d_nnz, o_nz, o_nnz));
    PetscCall(convert_blocks(A, &data->settings, false));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Prints the choices of rank 0, or those of all ranks with reasons. Blocks without a transposed
 * plan have no line for it. */
static PetscErrorCode print_choices(Mat A, int which, PetscViewer viewer, bool in_detail)
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

/* Prints the choices for -mat_aijspmv_view, once for each structure. After a product, whose nonzero
 * state is the same on all ranks. */
static PetscErrorCode view_choices(Mat A, int which, aijspmv_data *data)
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
        PetscCall(print_choices(A, which, viewer, true));
        PetscCall(PetscViewerDestroy(&viewer));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_mpi_begin(Mat A)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(prepare_blocks(A, &data->settings, AIJSPMV_PLAIN));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_mpi_end(Mat A)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(view_choices(A, AIJSPMV_PLAIN, data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc multiplies the blocks by their own operations, and exchanges parts of x or, for A^T x,
 * adds up parts of y. */
static PetscErrorCode multiply(Mat A, int which, int operation, Vec x, Vec y)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(prepare_blocks(A, &data->settings, which));
    PetscCall(((aijspmv_mult_function *)data->parent.of[operation])(A, x, y));
    PetscCall(view_choices(A, which, data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode multiply_add(Mat A, int which, int operation, Vec x, Vec y, Vec z)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(prepare_blocks(A, &data->settings, which));
    PetscCall(((aijspmv_mult_add_function *)data->parent.of[operation])(A, x, y, z));
    PetscCall(view_choices(A, which, data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mult(Mat A, Vec x, Vec y)
{
    return multiply(A, AIJSPMV_PLAIN, AIJSPMV_MULT, x, y);
}

static PetscErrorCode mult_add(Mat A, Vec x, Vec y, Vec z)
{
    return multiply_add(A, AIJSPMV_PLAIN, AIJSPMV_MULT_ADD, x, y, z);
}

static PetscErrorCode mult_transpose(Mat A, Vec x, Vec y)
{
    return multiply(A, AIJSPMV_TRANSPOSED, AIJSPMV_MULT_TRANSPOSE, x, y);
}

static PetscErrorCode mult_transpose_add(Mat A, Vec x, Vec y, Vec z)
{
    return multiply_add(A, AIJSPMV_TRANSPOSED, AIJSPMV_MULT_TRANSPOSE_ADD, x, y, z);
}

static PetscErrorCode assembly_end(Mat A, MatAssemblyType type)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(convert_blocks(A, &data->settings, false));
    PetscCall(((aijspmv_assembly_end_function *)data->parent.of[AIJSPMV_ASSEMBLY_END])(A, type));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode duplicate(Mat A, MatDuplicateOption op, Mat *out)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(aijspmv_data_duplicate(A, data, op, out));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(Mat A)
{
    aijspmv_destroy_function *parent;
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(A, &data));
    parent = (aijspmv_destroy_function *)(data ? data->parent : mpiaij_operations)
                 .of[AIJSPMV_DESTROY];
    PetscCall(aijspmv_data_detach(A));
    PetscCall(aijspmv_inherited_remove(A, AIJSPMV_MPI));
    PetscCall(parent(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode view(Mat A, PetscViewer viewer)
{
    aijspmv_data *data;
    bool shows, in_detail;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    if (data->parent.of[AIJSPMV_VIEW])
        PetscCall(((aijspmv_view_function *)data->parent.of[AIJSPMV_VIEW])(A, viewer));
    PetscCall(aijspmv_viewer_shows_choice(viewer, &shows, &in_detail));
    for (int which = AIJSPMV_PLAIN; which <= AIJSPMV_TRANSPOSED && shows; which++)
        PetscCall(print_choices(A, which, viewer, in_detail));
    PetscFunctionReturn(PETSC_SUCCESS);
}

#if PETSC_VERSION_GE(3, 23, 0)
static PetscErrorCode set_from_options(Mat A, PetscOptionItems items)
#else
static PetscErrorCode set_from_options(Mat A, PetscOptionItems *items)
#endif
{
    aijspmv_data *data;

    PetscFunctionBegin;
    (void)items;
    PetscCall(data_of(A, &data));
    PetscCall(aijspmv_settings_read(A, &data->settings));
    PetscCall(convert_blocks(A, &data->settings, true));
    data->is_viewed[AIJSPMV_PLAIN] = data->is_viewed[AIJSPMV_TRANSPOSED] = PETSC_FALSE;
    PetscFunctionReturn(PETSC_SUCCESS);
}

static const aijspmv_operations own_operations = {{
    [AIJSPMV_MULT] = (aijspmv_function *)mult,
    [AIJSPMV_MULT_ADD] = (aijspmv_function *)mult_add,
    [AIJSPMV_MULT_TRANSPOSE] = (aijspmv_function *)mult_transpose,
    [AIJSPMV_MULT_TRANSPOSE_ADD] = (aijspmv_function *)mult_transpose_add,
    [AIJSPMV_ASSEMBLY_END] = (aijspmv_function *)assembly_end,
    [AIJSPMV_DUPLICATE] = (aijspmv_function *)duplicate,
    [AIJSPMV_DESTROY] = (aijspmv_function *)destroy,
    [AIJSPMV_VIEW] = (aijspmv_function *)view,
    [AIJSPMV_SET_FROM_OPTIONS] = (aijspmv_function *)set_from_options}};

static PetscErrorCode convert_in_place(Mat A)
{
    preallocation_function *preallocation;
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_attach(A, &data));
    PetscCall(aijspmv_settings_read(A, &data->settings));
    PetscCall(aijspmv_operations_replace(A, &own_operations, &data->parent));
    PetscCall(PetscObjectQueryFunction((PetscObject)A, preallocation_name, &preallocation));
    if (!mpiaij_preallocation) {
        mpiaij_operations = data->parent;
        mpiaij_preallocation = preallocation;
    }
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
    PetscCall(data_of(B, &data));
    PetscCall(MatMPIAIJGetSeqAIJ(B, &block[0], &block[1], NULL));
    for (int i = 0; i < 2; i++) {
        PetscBool is_own;

        PetscCall(PetscObjectTypeCompare((PetscObject)block[i], MATSEQAIJSPMV, &is_own));
        if (is_own)
            PetscCall(aijspmv_convert_from_seq(block[i], MATSEQAIJ, MAT_INPLACE_MATRIX,
                                               &block[i]));
    }
    PetscCall(aijspmv_operations_restore(B, &own_operations, &data->parent));
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
