/* operations.c: see operations.h. */
#include "integrations/petsc/src/operations.h"

#include "integrations/petsc/src/choice_view.h"
#include "integrations/petsc/src/inherited.h"

/* Types of the parent's operations, for calls. */
typedef PetscErrorCode mult_function(Mat, Vec, Vec);
typedef PetscErrorCode mult_add_function(Mat, Vec, Vec, Vec);
typedef PetscErrorCode assembly_end_function(Mat, MatAssemblyType);
typedef PetscErrorCode duplicate_function(Mat, MatDuplicateOption, Mat *);
typedef PetscErrorCode destroy_function(Mat);
typedef PetscErrorCode view_function(Mat, PetscViewer);

static const MatOperation operation[AIJSPMV_OPERATIONS] = {
    [AIJSPMV_MULT] = MATOP_MULT, [AIJSPMV_MULT_ADD] = MATOP_MULT_ADD,
    [AIJSPMV_MULT_TRANSPOSE] = MATOP_MULT_TRANSPOSE,
    [AIJSPMV_MULT_TRANSPOSE_ADD] = MATOP_MULT_TRANSPOSE_ADD,
    [AIJSPMV_ASSEMBLY_END] = MATOP_ASSEMBLY_END, [AIJSPMV_DUPLICATE] = MATOP_DUPLICATE,
    [AIJSPMV_DESTROY] = MATOP_DESTROY, [AIJSPMV_VIEW] = MATOP_VIEW,
    [AIJSPMV_SET_FROM_OPTIONS] = MATOP_SET_FROM_OPTIONS};

/* Of each kind, since its first conversion. */
static const aijspmv_type *types[2];
static aijspmv_operations first_parent[2];

/* The kind of a matrix whose data are gone, by the name of its type. */
static PetscErrorCode kind_of(Mat A, aijspmv_kind *kind)
{
    PetscBool is_mpi;

    PetscFunctionBegin;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)A, MATMPIAIJ, &is_mpi));
    *kind = is_mpi ? AIJSPMV_MPI : AIJSPMV_SEQ;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_data_of(Mat A, aijspmv_data **data)
{
    aijspmv_kind kind = AIJSPMV_SEQ;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(A, data));
    if (*data)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(kind_of(A, &kind));
    PetscCall(aijspmv_data_attach(A, kind, data));
    PetscCall(aijspmv_settings_read(A, &(*data)->settings));
    (*data)->parent = first_parent[kind];
    if (types[kind]->compose_functions)
        PetscCall(types[kind]->compose_functions(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- products ------------------------------------------------------------------------------ */

/* z = A x + y, or z = A x if y is NULL. which: AIJSPMV_PLAIN or, with A^T for A,
 * AIJSPMV_TRANSPOSED. index: the operation that this is. */
static PetscErrorCode multiply(Mat A, int which, int index, Vec x, Vec y, Vec z)
{
    const aijspmv_type *type;
    aijspmv_data *data;
    aijspmv_plan *plan = NULL;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    type = types[data->kind];
    PetscCall(type->begin_product(A, data, which, &plan));
    if (plan && plan->plan)
        PetscCall(y ? aijspmv_plan_mult_add(plan, x, y, z) : aijspmv_plan_mult(plan, x, z));
    else if (y)
        PetscCall(((mult_add_function *)data->parent.of[index])(A, x, y, z));
    else
        PetscCall(((mult_function *)data->parent.of[index])(A, x, z));
    if (type->end_product)
        PetscCall(type->end_product(A, data, which));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mult(Mat A, Vec x, Vec y)
{
    return multiply(A, AIJSPMV_PLAIN, AIJSPMV_MULT, x, NULL, y);
}

static PetscErrorCode mult_add(Mat A, Vec x, Vec y, Vec z)
{
    return multiply(A, AIJSPMV_PLAIN, AIJSPMV_MULT_ADD, x, y, z);
}

static PetscErrorCode mult_transpose(Mat A, Vec x, Vec y)
{
    return multiply(A, AIJSPMV_TRANSPOSED, AIJSPMV_MULT_TRANSPOSE, x, NULL, y);
}

static PetscErrorCode mult_transpose_add(Mat A, Vec x, Vec y, Vec z)
{
    return multiply(A, AIJSPMV_TRANSPOSED, AIJSPMV_MULT_TRANSPOSE_ADD, x, y, z);
}

/* ---- the others ---------------------------------------------------------------------------- */

PetscErrorCode aijspmv_parent_assembly_end(Mat A, const aijspmv_data *data, MatAssemblyType type)
{
    return ((assembly_end_function *)data->parent.of[AIJSPMV_ASSEMBLY_END])(A, type);
}

static PetscErrorCode assembly_end(Mat A, MatAssemblyType type)
{
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(types[data->kind]->assembly_end(A, data, type));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* The copy has the same settings and makes its own plan. */
static PetscErrorCode duplicate(Mat A, MatDuplicateOption op, Mat *out)
{
    aijspmv_data *data, *copy;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(((duplicate_function *)data->parent.of[AIJSPMV_DUPLICATE])(A, op, out));
    PetscCall(aijspmv_data_find(*out, &copy));
    if (copy)
        copy->settings = data->settings;
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* MatHeaderMerge of PETSc 3.22 takes a matrix's data and the name of its type before it calls
 * this, so that only the operation itself tells the kind. */
static PetscErrorCode destroy(Mat A, aijspmv_kind kind)
{
    destroy_function *parent;
    aijspmv_data *data;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_find(A, &data));
    parent = (destroy_function *)(data ? data->parent : first_parent[kind]).of[AIJSPMV_DESTROY];
    PetscCall(aijspmv_data_detach(A));
    PetscCall(aijspmv_inherited_remove(A, kind));
    PetscCall(parent(A));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy_seq(Mat A)
{
    PetscFunctionBegin;
    PetscCall(destroy(A, AIJSPMV_SEQ));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy_mpi(Mat A)
{
    PetscFunctionBegin;
    PetscCall(destroy(A, AIJSPMV_MPI));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode view(Mat A, PetscViewer viewer)
{
    aijspmv_data *data;
    bool shows, in_detail;

    PetscFunctionBegin;
    PetscCall(aijspmv_data_of(A, &data));
    if (data->parent.of[AIJSPMV_VIEW])
        PetscCall(((view_function *)data->parent.of[AIJSPMV_VIEW])(A, viewer));
    PetscCall(aijspmv_viewer_shows_choice(viewer, &shows, &in_detail));
    if (shows)
        PetscCall(types[data->kind]->print_choices(A, data, viewer, in_detail));
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
    PetscCall(aijspmv_data_of(A, &data));
    PetscCall(aijspmv_settings_read(A, &data->settings));
    PetscCall(types[data->kind]->renew(A, data));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static aijspmv_function *const own_destroy[] = {
    [AIJSPMV_SEQ] = (aijspmv_function *)destroy_seq,
    [AIJSPMV_MPI] = (aijspmv_function *)destroy_mpi};

static aijspmv_function *const own_of_both[AIJSPMV_OPERATIONS] = {
    [AIJSPMV_MULT] = (aijspmv_function *)mult,
    [AIJSPMV_MULT_ADD] = (aijspmv_function *)mult_add,
    [AIJSPMV_MULT_TRANSPOSE] = (aijspmv_function *)mult_transpose,
    [AIJSPMV_MULT_TRANSPOSE_ADD] = (aijspmv_function *)mult_transpose_add,
    [AIJSPMV_ASSEMBLY_END] = (aijspmv_function *)assembly_end,
    [AIJSPMV_DUPLICATE] = (aijspmv_function *)duplicate,
    [AIJSPMV_VIEW] = (aijspmv_function *)view,
    [AIJSPMV_SET_FROM_OPTIONS] = (aijspmv_function *)set_from_options};

static aijspmv_function *own(int operation_index, aijspmv_kind kind)
{
    return operation_index == AIJSPMV_DESTROY ? own_destroy[kind] : own_of_both[operation_index];
}

PetscErrorCode aijspmv_operations_replace(Mat A, const aijspmv_type *type, aijspmv_data *data)
{
    PetscFunctionBegin;
    for (int i = 0; i < AIJSPMV_OPERATIONS; i++) {
        PetscCall(MatGetOperation(A, operation[i], &data->parent.of[i]));
        PetscCall(MatSetOperation(A, operation[i], own(i, type->kind)));
    }
    if (!types[type->kind])
        first_parent[type->kind] = data->parent;
    types[type->kind] = type;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_operations_restore(Mat A, const aijspmv_data *data)
{
    aijspmv_function *current;

    PetscFunctionBegin;
    for (int i = 0; i < AIJSPMV_OPERATIONS; i++) {
        PetscCall(MatGetOperation(A, operation[i], &current));
        if (current == own(i, data->kind))
            PetscCall(MatSetOperation(A, operation[i], data->parent.of[i]));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}
