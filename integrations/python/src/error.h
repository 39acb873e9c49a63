/* error.h: raises spmvgen.Error, the exception for a status of libspmv. */
#ifndef SPMVGEN_ERROR_H
#define SPMVGEN_ERROR_H

#include <Python.h>

#include "runtime/spmv.h"

/* Return NULL with the exception set. */
PyObject *error_raise(const spmv_error *err);
PyObject *error_raise_status(spmv_status status, const char *text);

#endif
