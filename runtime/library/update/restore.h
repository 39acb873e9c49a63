/* restore.h: writing a layout back as the CSR that it was made from. */
#ifndef SPMV_RESTORE_H
#define SPMV_RESTORE_H

#include "runtime/library/plan/plan.h"

#define SPMV_RESTORE "spmv_plan_restore_csr: "

/* Whether two of the outputs overlap, of `bytes` each: row_ptr, col_idx and val. */
spmv_status spmv_restore_check_outputs(const void *const output[SPMV_CSR_ARRAYS],
                                       const size_t bytes[SPMV_CSR_ARRAYS], spmv_error *err);

/* Writes the layout's matrix by the module's steps. Any of the arrays may be NULL. */
spmv_status spmv_restore_layout(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                                spmv_error *err);

#endif
