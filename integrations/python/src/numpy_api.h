/* numpy_api.h: Python's and NumPy's C API, the same way for each file of the extension. */
#ifndef SPMVGEN_NUMPY_API_H
#define SPMVGEN_NUMPY_API_H

#include <Python.h>

/* The table of NumPy's functions is filled once, by module.c. */
#define PY_ARRAY_UNIQUE_SYMBOL spmvgen_numpy_functions
#ifndef SPMVGEN_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
/* Compiled with the headers of NumPy 2, the extension also runs with 1.24. */
#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#include <numpy/arrayobject.h>

#endif
