/* error.h: filling the spmv_error of a caller, who owns it and may have passed NULL. */
#ifndef SPMV_ERROR_H
#define SPMV_ERROR_H

#include "runtime/spmv.h"

/* Is it one of the enum's? A module may answer anything. */
int spmv_status_is_known(spmv_status status);

/* Writes status and text, where err is not NULL, and returns status, so that a failing function
 * can `return spmv_error_set(...)`. A text says where, what was expected, what was found and what
 * to do. */
spmv_status spmv_error_set(spmv_error *err, spmv_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For the public function that failed: puts "where: " before the text that its parts have written,
 * and returns status. Nothing changes on SPMV_OK. */
spmv_status spmv_error_within(spmv_error *err, const char *where, spmv_status status);

#endif
