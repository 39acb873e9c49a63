/* error.h: spmvgen.Error, the exception for a status of libspmv. */
#ifndef SPMVGEN_ERROR_H
#define SPMVGEN_ERROR_H

#include <Python.h>

#include "runtime/spmv.h"

/* Adds the type Error to the module. Returns 0, or -1 with an exception set. */
int error_add_type(PyObject *module);

/* Raise Error with a text, and return NULL. */
PyObject *error_raise(const spmv_error *err);
PyObject *error_raise_status(spmv_status status, const char *text);

#endif
