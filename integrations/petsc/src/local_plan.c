/* local_plan.c: makes, updates, executes and describes the plan of a SeqAIJ matrix or of its
 * transpose. */
#include "integrations/petsc/src/local_plan.h"

#include "integrations/petsc/src/device.h"

PetscErrorCode aijspmv_plan_reset(aijspmv_plan *p)
{
    const PetscBool is_transposed = p->is_transposed;

    PetscFunctionBegin;
    if (p->plan) {
        spmv_plan_destroy(p->plan);
        aijspmv_device_release();
    }
    PetscCall(aijspmv_csr_destroy(&p->csr));
    PetscCall(PetscFree(p->filled));
    *p = (aijspmv_plan){.is_transposed = is_transposed};
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the device has a module with this method, and with this target. NULL: any. */
static bool has_module(const spmv_device *device, const char *method, const char *target)
{
    for (size_t i = 0; i < spmv_device_module_count(device); i++) {
        const spmv_module *module = spmv_device_module(device, i);

        if ((!method || strcmp(module->method, method) == 0) &&
            (!target || strcmp(module->target, target) == 0))
            return true;
    }
    return false;
}

/* A method that declines the matrix leaves it to PETSc; an unknown method or target is an error. */
static PetscErrorCode create_plan(aijspmv_plan *p, const aijspmv_settings *s,
                                  const PetscScalar *val)
{
    const char *method = s->method[0] ? s->method : NULL;
    const char *target = s->target[0] ? s->target : NULL;
    spmv_plan_options options = {
        .struct_size = sizeof options, .method = method, .target = target,
        .settings = s->settings[0] ? s->settings : NULL, .threads = (int32_t)s->threads,
        .expected_runs = (int32_t)s->expected_runs, .measure = s->measure,
        .transposed = p->is_transposed};
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_device *device;
    spmv_error error;
    spmv_status status;

    PetscFunctionBegin;
    PetscCall(aijspmv_device_retain(&device));
    p->csr.csr.val = val;
    status = spmv_plan_create(device, &p->csr.csr, &options, &p->plan, &error);
    if (status) {
        aijspmv_device_release();
        if (status == SPMV_UNSUPPORTED && has_module(device, method, target)) {
            PetscCall(PetscStrncpy(p->why_petsc, error.text, sizeof p->why_petsc));
            PetscFunctionReturn(PETSC_SUCCESS);
        }
    }
    AIJSPMV_CALL(status, error);
    PetscCheck(spmv_plan_query(p->plan, &info) == SPMV_OK, PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "libspmv does not describe its plan");
    PetscCheck(!info.x_permutation && !info.y_permutation, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "-mat_aijspmv_settings %s permutes x or y: PETSc's vectors have their own order",
               s->settings);
    PetscCall(aijspmv_csr_trim(&p->csr, info.borrows));
    if (p->csr.row)
        PetscCall(PetscMalloc1(p->csr.filled_rows, &p->filled));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode inspect(aijspmv_plan *p, const aijspmv_settings *s, Mat A,
                              const PetscInt *row_ptr, const PetscInt *col_idx,
                              const PetscScalar *val)
{
    const bool may_decline = !s->method[0];
    double row_nonzeros = 0;
    PetscInt rows, cols;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(aijspmv_event_inspect, A, 0, 0, 0));
    PetscCall(aijspmv_plan_reset(p));
    PetscCall(MatGetLocalSize(A, &rows, &cols));
    if (may_decline && row_ptr[rows] < s->least_nonzeros)
        PetscCall(PetscSNPrintf(p->why_petsc, sizeof p->why_petsc,
                                "%" PetscInt_FMT " nonzeros, fewer than "
                                "-mat_aijspmv_least_nonzeros %" PetscInt_FMT,
                                row_ptr[rows], s->least_nonzeros));
    else if (row_ptr[rows] == 0 || !val)
        PetscCall(PetscStrncpy(p->why_petsc, "no values", sizeof p->why_petsc));
    else if (rows >= PETSC_MPI_INT_MAX || cols >= PETSC_MPI_INT_MAX)
        PetscCall(PetscStrncpy(p->why_petsc, "rows or columns need 64-bit indices",
                               sizeof p->why_petsc));
    if (!p->why_petsc[0])
        PetscCall(aijspmv_csr_create(rows, cols, row_ptr, col_idx, &p->csr));
    /* PETSc's loop over filled rows costs less than a product and a scatter of it. */
    if (p->csr.row)
        row_nonzeros = (double)p->csr.nnz / (double)p->csr.filled_rows;
    if (may_decline && p->csr.row && row_nonzeros < s->least_row_nonzeros) {
        PetscCall(PetscSNPrintf(p->why_petsc, sizeof p->why_petsc,
                                "%.3g nonzeros in a filled row, fewer than "
                                "-mat_aijspmv_least_row_nonzeros %.3g",
                                row_nonzeros, (double)s->least_row_nonzeros));
        PetscCall(aijspmv_csr_destroy(&p->csr));
    }
    if (!p->why_petsc[0])
        PetscCall(create_plan(p, s, val));
    p->row_ptr = row_ptr;
    p->col_idx = col_idx;
    p->is_inspected = PETSC_TRUE;
    PetscCall(PetscLogEventEnd(aijspmv_event_inspect, A, 0, 0, 0));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode update(aijspmv_plan *p, Mat A, const PetscScalar *val)
{
    spmv_error error;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(aijspmv_event_update, A, 0, 0, 0));
    AIJSPMV_CALL(spmv_plan_update_values(p->plan, val, &error), error);
    PetscCall(PetscLogEventEnd(aijspmv_event_update, A, 0, 0, 0));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_plan_refresh(aijspmv_plan *p, const aijspmv_settings *s, Mat A)
{
    PetscObjectState state, nonzero_state;
    const PetscInt *row_ptr, *col_idx;
    const PetscScalar *val;
    PetscInt rows;
    PetscBool has_arrays;

    PetscFunctionBegin;
    PetscCall(PetscObjectStateGet((PetscObject)A, &state));
    if (p->is_inspected && p->matrix == A && p->state == state)
        PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(MatGetNonzeroState(A, &nonzero_state));
    PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &col_idx, &has_arrays));
    PetscCheck(has_arrays, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the matrix shows no CSR arrays");
    PetscCall(MatSeqAIJGetArrayRead(A, &val));
    if (!p->is_inspected || nonzero_state != p->nonzero_state || row_ptr != p->row_ptr ||
        col_idx != p->col_idx || (p->plan && !val))
        PetscCall(inspect(p, s, A, row_ptr, col_idx, val));
    else if (p->plan)
        PetscCall(update(p, A, val));
    p->matrix = A;
    p->state = state;
    p->nonzero_state = nonzero_state;
    PetscCall(MatSeqAIJRestoreArrayRead(A, &val));
    PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &col_idx,
                              &has_arrays));
    PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode execute(const aijspmv_plan *p, const PetscScalar *x, double beta,
                              PetscScalar *y)
{
    spmv_status status;

    PetscFunctionBegin;
    PetscCall(PetscLogEventBegin(aijspmv_event_mult, 0, 0, 0, 0));
    status = spmv_execute(p->plan, 1.0, x, beta, y, NULL);
    PetscCall(PetscLogEventEnd(aijspmv_event_mult, 0, 0, 0, 0));
    PetscCheck(status == SPMV_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "libspmv: %s",
               spmv_status_text(status));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* y = A x + beta y, or A^T x + beta y. beta is 0 or 1. */
static PetscErrorCode multiply(const aijspmv_plan *p, const PetscScalar *x, int beta,
                               PetscScalar *y)
{
    const PetscInt *row = p->csr.row;

    PetscFunctionBegin;
    if (!row) {
        PetscCall(execute(p, x, beta, y));
    } else if (p->is_transposed) {
        for (PetscInt k = 0; k < p->csr.filled_rows; k++)
            p->filled[k] = x[row[k]];
        PetscCall(execute(p, p->filled, beta, y));
    } else {
        if (beta == 0)
            PetscCall(PetscArrayzero(y, p->csr.rows));
        PetscCall(execute(p, x, 0, p->filled));
        for (PetscInt k = 0; k < p->csr.filled_rows; k++)
            y[row[k]] += p->filled[k];
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_plan_mult(const aijspmv_plan *p, Vec x, Vec y)
{
    const double first_terms = p->is_transposed ? 0 : (double)p->csr.filled_rows;
    const PetscScalar *x_array;
    PetscScalar *y_array;

    PetscFunctionBegin;
    PetscCall(VecGetArrayRead(x, &x_array));
    PetscCall(VecGetArrayWrite(y, &y_array));
    PetscCall(multiply(p, x_array, 0, y_array));
    PetscCall(VecRestoreArrayWrite(y, &y_array));
    PetscCall(VecRestoreArrayRead(x, &x_array));
    PetscCall(PetscLogFlops(2.0 * (double)p->csr.nnz - first_terms));    /* as PETSc counts them */
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_plan_mult_add(const aijspmv_plan *p, Vec x, Vec y, Vec z)
{
    const PetscScalar *x_array;
    PetscScalar *z_array;

    PetscFunctionBegin;
    if (z != y)
        PetscCall(VecCopy(y, z));
    PetscCall(VecGetArrayRead(x, &x_array));
    PetscCall(VecGetArray(z, &z_array));
    PetscCall(multiply(p, x_array, 1, z_array));
    PetscCall(VecRestoreArray(z, &z_array));
    PetscCall(VecRestoreArrayRead(x, &x_array));
    PetscCall(PetscLogFlops(2.0 * (double)p->csr.nnz));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Writes or adds the rows of `filled`, which has no gaps, to those of y that they belong to. */
static void spread_rows(const aijspmv_plan *p, spmv_order order, PetscInt columns,
                        const PetscScalar *filled, bool adds, PetscScalar *y, PetscInt ldy)
{
    const bool by_rows = order == SPMV_ROW_MAJOR;
    const PetscInt row_stride = by_rows ? ldy : 1, column_stride = by_rows ? 1 : ldy;
    const PetscInt filled_row = by_rows ? columns : 1;
    const PetscInt filled_column = by_rows ? 1 : p->csr.filled_rows;

    for (PetscInt c = 0; c < columns; c++) {
        PetscScalar *column = y + c * column_stride;

        for (PetscInt i = 0; i < p->csr.rows && !adds; i++)
            column[i * row_stride] = 0;
        for (PetscInt k = 0; k < p->csr.filled_rows; k++)
            column[p->csr.row[k] * row_stride] += filled[k * filled_row + c * filled_column];
    }
}

PetscErrorCode aijspmv_plan_mult_columns(const aijspmv_plan *p, spmv_order order, PetscInt columns,
                                         const PetscScalar *x, PetscInt ldx, bool adds,
                                         PetscScalar *y, PetscInt ldy)
{
    PetscScalar *filled = NULL;
    spmv_status status;

    PetscFunctionBegin;
    if (p->csr.row)
        PetscCall(PetscMalloc1(PetscMax(1, p->csr.filled_rows * columns), &filled));
    PetscCall(PetscLogEventBegin(aijspmv_event_mult, 0, 0, 0, 0));
    if (filled)
        status = spmv_execute_columns(p->plan, order, (int32_t)columns, 1, x, ldx, 0, filled,
                                      order == SPMV_ROW_MAJOR ? columns : p->csr.filled_rows, NULL);
    else
        status = spmv_execute_columns(p->plan, order, (int32_t)columns, 1, x, ldx, adds, y, ldy,
                                      NULL);
    PetscCall(PetscLogEventEnd(aijspmv_event_mult, 0, 0, 0, 0));
    PetscCheck(status == SPMV_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "libspmv: %s",
               spmv_status_text(status));
    if (filled)
        spread_rows(p, order, columns, filled, adds, y, ldy);
    PetscCall(PetscFree(filled));
    PetscCall(PetscLogFlops(2.0 * (double)p->csr.nnz * (double)columns));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_plan_describe(const aijspmv_plan *p, bool in_detail, char *text,
                                     size_t bytes)
{
    spmv_plan_info info = {.struct_size = sizeof info};

    PetscFunctionBegin;
    if (!p->is_inspected)
        PetscCall(PetscStrncpy(text, "the first product chooses a method", bytes));
    else if (!p->plan || spmv_plan_query(p->plan, &info) != SPMV_OK)
        PetscCall(PetscSNPrintf(text, bytes, "PETSc multiplies: %s", p->why_petsc));
    else
        PetscCall(PetscSNPrintf(text, bytes, "%s for %s, %d thread%s, %.3g MB%s%s%s",
                                info.module->method, info.module->target, (int)info.threads,
                                info.threads == 1 ? "" : "s", 1e-6 * (double)info.layout_bytes,
                                p->csr.row ? ", without empty rows" : "", in_detail ? ": " : "",
                                in_detail ? info.reason : ""));
    PetscFunctionReturn(PETSC_SUCCESS);
}
