/* seqaij.c: the operations of seqaijspmv, and conversion from and to SeqAIJ.
 *
 * Some functions of PETSc exchange the inside of a matrix and keep its operations
 * (MatHeaderMerge). The data of the plug-in may be gone afterwards; they are attached again when
 * they are needed, with the operations that SeqAIJ had at the first conversion. */
#include "integrations/petsc/src/seqaij.h"

#include "integrations/petsc/src/choice_view.h"
#include "integrations/petsc/src/inherited.h"
#include "integrations/petsc/src/silent_change.h"

static aijspmv_operations seqaij_operations;     /* of PETSc's SeqAIJ */

/* The functions that PETSc finds by name. */
static PetscErrorCode compose_functions(Mat A)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_inherited_add(A, AIJSPMV_SEQ, aijspmv_convert_to_seq,
                                    aijspmv_convert_from_seq));
    PetscCall(aijspmv_silent_change_count(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode data_of(Mat A, aijspmv_data **data)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(A, data));
    if (!*data) {
        PetscCall(aijspmv_data_attach(A, data));
        PetscCall(aijspmv_settings_read(A, &(*data)->settings));
        (*data)->parent = seqaij_operations;
        PetscCall(compose_functions(A));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Prints the choice of a plan. */
static PetscErrorCode print_choice(const aijspmv_plan *plan, bool in_detail, PetscViewer viewer)
{
    char line[512];

    PetscFunctionBegin;
    PetscCall(aijspmv_plan_describe(plan, in_detail, line, sizeof line));
    PetscCall(PetscViewerASCIIPrintf(viewer, "aijspmv: %s%s\n",
                                     plan->is_transposed ? "transposed: " : "", line));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* For -mat_aijspmv_view of a matrix that is not a block of another. */
static PetscErrorCode view_choice(Mat A, const aijspmv_data *data, const aijspmv_plan *plan)
{
    PetscViewer viewer;

    PetscFunctionBegin;
    if (data->settings.is_block)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(aijspmv_choice_viewer(A, PETSC_COMM_SELF, &viewer));
    if (viewer) {
        PetscCall(print_choice(plan, true, viewer));
        PetscCall(PetscViewerDestroy(&viewer));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* which: AIJSPMV_PLAIN or AIJSPMV_TRANSPOSED. */
static PetscErrorCode refresh(Mat A, int which, aijspmv_data **data, aijspmv_plan **plan)
{
    PetscObjectState inspected;
    PetscBool was_inspected;

    PetscFunctionBegin;
    PetscCall(data_of(A, data));
    *plan = &(*data)->plan[which];
    was_inspected = (*plan)->is_inspected;
    inspected = (*plan)->nonzero_state;
    PetscCall(aijspmv_plan_refresh(*plan, &(*data)->settings, A));
    if (!was_inspected || inspected != (*plan)->nonzero_state)
        PetscCall(view_choice(A, *data, *plan));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_seq_plan(Mat A, int which, aijspmv_plan **plan)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(refresh(A, which, &data, plan));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* operation: of the parent, for a matrix without a plan. */
static PetscErrorCode multiply(Mat A, int which, int operation, Vec x, Vec y)
{
    aijspmv_data *data;
    aijspmv_plan *plan = NULL;

    PetscFunctionBegin;
    PetscCall(refresh(A, which, &data, &plan));
    if (plan->plan)
        PetscCall(aijspmv_plan_mult(plan, x, y));
    else
        PetscCall(((aijspmv_mult_function *)data->parent.of[operation])(A, x, y));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode multiply_add(Mat A, int which, int operation, Vec x, Vec y, Vec z)
{
    aijspmv_data *data;
    aijspmv_plan *plan = NULL;

    PetscFunctionBegin;
    PetscCall(refresh(A, which, &data, &plan));
    if (plan->plan)
        PetscCall(aijspmv_plan_mult_add(plan, x, y, z));
    else
        PetscCall(((aijspmv_mult_add_function *)data->parent.of[operation])(A, x, y, z));
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
    aijspmv_plan *plan = NULL;

    PetscFunctionBegin;
    PetscCall(data_of(A, &data));
    PetscCall(((aijspmv_assembly_end_function *)data->parent.of[AIJSPMV_ASSEMBLY_END])(A, type));
    if (type == MAT_FINAL_ASSEMBLY && data->settings.inspect == AIJSPMV_AT_ASSEMBLY)
        PetscCall(refresh(A, AIJSPMV_PLAIN, &data, &plan));
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
    parent = (aijspmv_destroy_function *)(data ? data->parent : seqaij_operations)
                 .of[AIJSPMV_DESTROY];
    PetscCall(aijspmv_data_detach(A));
    PetscCall(aijspmv_inherited_remove(A, AIJSPMV_SEQ));
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
    if (shows)
        PetscCall(print_choice(&data->plan[AIJSPMV_PLAIN], in_detail, viewer));
    if (shows && data->plan[AIJSPMV_TRANSPOSED].is_inspected)
        PetscCall(print_choice(&data->plan[AIJSPMV_TRANSPOSED], in_detail, viewer));
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
    PetscCall(aijspmv_data_reset_plans(data));
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

/* Makes a SeqAIJ matrix seqaijspmv. */
static PetscErrorCode convert_in_place(Mat A, const aijspmv_settings *settings)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_attach(A, &data));
    if (settings)
        data->settings = *settings;
    else
        PetscCall(aijspmv_settings_read(A, &data->settings));
    PetscCall(aijspmv_operations_replace(A, &own_operations, &data->parent));
    if (!seqaij_operations.of[AIJSPMV_MULT])
        seqaij_operations = data->parent;
    PetscCall(compose_functions(A));
    PetscCall(PetscObjectChangeTypeName((PetscObject)A, MATSEQAIJSPMV));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_convert_to_seq(Mat A, MatType type, MatReuse reuse, Mat *out)
{
    Mat B;
    PetscBool is_converted;

    PetscFunctionBegin;
    (void)type;
    PetscCall(aijspmv_conversion_begin(A, reuse, *out, &B));
    if (!B)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(PetscObjectTypeCompare((PetscObject)B, MATSEQAIJSPMV, &is_converted));
    if (!is_converted)
        PetscCall(convert_in_place(B, NULL));
    *out = B;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_convert_from_seq(Mat A, MatType type, MatReuse reuse, Mat *out)
{
    Mat B;
    aijspmv_data *data;

    PetscFunctionBegin;
    (void)type;
    PetscCall(aijspmv_conversion_begin(A, reuse, *out, &B));
    if (!B)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(data_of(B, &data));
    PetscCall(aijspmv_operations_restore(B, &own_operations, &data->parent));
    PetscCall(aijspmv_data_detach(B));
    PetscCall(aijspmv_inherited_remove(B, AIJSPMV_SEQ));
    PetscCall(aijspmv_silent_change_restore(B));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, MATSEQAIJ));
    *out = B;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_convert_block(Mat block, const aijspmv_settings *settings, bool renew)
{
    aijspmv_data *data;
    PetscBool is_seqaij, is_converted;

    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)block, MATSEQAIJSPMV, &is_converted));
    if (is_converted) {
        PetscCall(data_of(block, &data));
        if (renew || !data->settings.is_block) {
            data->settings = *settings;
            data->settings.is_block = PETSC_TRUE;
            PetscCall(aijspmv_data_reset_plans(data));
        }
        PetscFunctionReturn(PETSC_SUCCESS);
    }
    PetscCall(PetscObjectTypeCompare((PetscObject)block, MATSEQAIJ, &is_seqaij));
    if (is_seqaij) {
        aijspmv_settings of_block = *settings;

        of_block.is_block = PETSC_TRUE;
        PetscCall(convert_in_place(block, &of_block));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_refresh_block(Mat block, int which)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(block, &data));
    if (data)
        PetscCall(aijspmv_plan_refresh(&data->plan[which], &data->settings, block));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_create_seq(Mat A)
{
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATSEQAIJ));
    PetscCall(aijspmv_convert_to_seq(A, MATSEQAIJSPMV, MAT_INPLACE_MATRIX, &A));
    PetscFunctionReturn(PETSC_SUCCESS);
}
