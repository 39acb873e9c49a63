/* error.h: filling the spmv_error of a caller, who owns it and may have passed NULL. */
#ifndef SPMV_ERROR_H
#define SPMV_ERROR_H

#include "runtime/base/text.h"
#include "runtime/spmv.h"

/* The words by which a caller of libspmv or of a bundle knows a plan, its options, the arrays of a
 * matrix and a queue. */
#if SPMV_BUNDLE
#define SPMV_PLAN_WORD "matrix"
#define SPMV_OPTIONS_WORD "spmv_matrix_options"
#define SPMV_CSR_WORD ""
#define SPMV_QUEUE_WORD "queue"
#define SPMV_ENQUEUE_WORD ""
#define SPMV_ENQUEUE_QUEUE_WORD "queue"
#define SPMV_WITH_OPTION(name) ""
#else
#define SPMV_PLAN_WORD "plan"
#define SPMV_OPTIONS_WORD "spmv_plan_options"
#define SPMV_CSR_WORD "csr."
#define SPMV_QUEUE_WORD "options.queue"
#define SPMV_ENQUEUE_WORD "spmv_enqueue: "
#define SPMV_ENQUEUE_QUEUE_WORD "spmv_enqueue options: queue"
#define SPMV_WITH_OPTION(name) ", with options." name
#endif

/* Whether `status` is a value of the enum. A module may return anything. */
int spmv_status_is_known(spmv_status status);

/* Writes status and text, if err is not NULL, and returns status, so that a failing function can
 * `return spmv_error_set(...)`. A text says where, what was expected, what was found and what
 * to do. */
SPMV_PRINTF(3, 4)
spmv_status spmv_error_set(spmv_error *err, spmv_status status, const char *format, ...);

/* Puts "where: " before the error's text and returns status; does nothing on SPMV_OK. Public
 * functions call it, so that the functions below them need no prefix. If err has another status,
 * the status's own text follows. */
spmv_status spmv_error_within(spmv_error *err, const char *where, spmv_status status);

#endif
