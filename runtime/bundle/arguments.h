/* arguments.h: the arguments of a bundle's functions, as the runtime takes them. */
#ifndef SPMV_BUNDLE_ARGUMENTS_H
#define SPMV_BUNDLE_ARGUMENTS_H

#include "runtime/bundle/options.h"
#include "runtime/core/threads/team.h"

/* Fills *csr; base and nnz are those of row_ptr, of which the first and the last offset are
 * read. */
spmv_status spmv_csr_of(int32_t rows, int32_t cols, spmv_offset_type offset_type,
                        const void *row_ptr, const int32_t *col_idx, spmv_value_type value_type,
                        const void *val, spmv_csr *csr, spmv_error *error);

/* Checks the options, which may be NULL, and copies them to *known. */
spmv_status spmv_options_of(const spmv_matrix_options *options, spmv_matrix_options *known,
                            spmv_error *error);

/* Checks the matrix; with `columns` also every column. threads == NULL: on this thread. */
spmv_status spmv_bundle_check(const spmv_csr *csr, int columns, const spmv_threads *threads,
                              spmv_error *error);

/* Checks x and y of a job without a workspace: SPMV_INVALID_ARGUMENT or SPMV_ALIASING. */
spmv_status spmv_bundle_check_job(const spmv_job *job, const spmv_method_ops *module_ops);

#if !SPMV_BUNDLE_STATIC
/* status: of spmv_csr_of. function: the public one, for error texts. queue: for kernels of an
 * OpenCL device, else NULL. NULL: an error. */
spmv_matrix *spmv_bundle_create(const char *function, void *queue, const spmv_csr *csr,
                                spmv_status status, const spmv_matrix_options *options,
                                spmv_error *error);
#endif

#endif
