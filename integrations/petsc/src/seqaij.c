/* seqaij.c: seqaijspmv: its plans, and conversion from and to SeqAIJ. */
#include "integrations/petsc/src/seqaij.h"

#include "integrations/petsc/src/choice_view.h"
#include "integrations/petsc/src/inherited.h"
#include "integrations/petsc/src/operations.h"
#include "integrations/petsc/src/silent_change.h"

/* The functions that PETSc finds by name. */
static PetscErrorCode compose_functions(Mat A)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_inherited_add(A, AIJSPMV_SEQ, aijspmv_convert_to_seq,
                                    aijspmv_convert_from_seq));
    PetscCall(aijspmv_silent_change_count(A));
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

static PetscErrorCode begin_product(Mat A, aijspmv_data *data, int which, aijspmv_plan **plan)
{
    PetscObjectState inspected;
    PetscBool was_inspected;

    PetscFunctionBegin;
    *plan = &data->plan[which];
    was_inspected = (*plan)->is_inspected;
    inspected = (*plan)->nonzero_state;
    PetscCall(aijspmv_plan_refresh(*plan, &data->settings, A));
    if (!was_inspected || inspected != (*plan)->nonzero_state)
        PetscCall(view_choice(A, data, *plan));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_seq_plan(Mat A, int which, aijspmv_plan **plan)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(begin_product(A, data, which, plan));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode assembly_end(Mat A, aijspmv_data *data, MatAssemblyType type)
{
    aijspmv_plan *plan;

    PetscFunctionBegin;
    PetscCall(aijspmv_parent_assembly_end(A, data, type));
    if (type == MAT_FINAL_ASSEMBLY && data->settings.inspect == AIJSPMV_AT_ASSEMBLY)
        PetscCall(begin_product(A, data, AIJSPMV_PLAIN, &plan));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode print_choices(Mat A, const aijspmv_data *data, PetscViewer viewer,
                                    bool in_detail)
{
    PetscFunctionBegin;
    (void)A;
    PetscCall(print_choice(&data->plan[AIJSPMV_PLAIN], in_detail, viewer));
    if (data->plan[AIJSPMV_TRANSPOSED].is_inspected)
        PetscCall(print_choice(&data->plan[AIJSPMV_TRANSPOSED], in_detail, viewer));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode renew(Mat A, aijspmv_data *data)
{
    PetscFunctionBegin;
    (void)A;
    PetscCall(aijspmv_data_reset_plans(data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static const aijspmv_type seq_type = {
    .kind = AIJSPMV_SEQ,
    .compose_functions = compose_functions, .begin_product = begin_product,
    .assembly_end = assembly_end, .print_choices = print_choices, .renew = renew,
};

/* Makes a SeqAIJ matrix seqaijspmv. */
static PetscErrorCode convert_in_place(Mat A, const aijspmv_settings *settings)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_attach(A, AIJSPMV_SEQ, &data));
    if (settings)
        data->settings = *settings;
    else
        PetscCall(aijspmv_settings_read(A, &data->settings));
    PetscCall(aijspmv_operations_replace(A, &seq_type, data));
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
    PetscCall(aijspmv_data_of(B, &data));
    PetscCall(aijspmv_operations_restore(B, data));
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
        PetscCall(aijspmv_data_of(block, &data));
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
