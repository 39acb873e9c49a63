/* threads.h: the limit of threads of libspmv for Python. */
#ifndef SPMVGEN_THREADS_H
#define SPMVGEN_THREADS_H

#include <Python.h>

/* set_thread_limit(threads): threads is an int from 0 (no limit) to 2^31 - 1. */
PyObject *threads_set_limit(PyObject *self, PyObject *threads);

/* thread_limit(): 0 without a limit. */
PyObject *threads_limit(PyObject *self, PyObject *none);

/* usable_cpus(): those that the process may use. */
PyObject *threads_usable_cpus(PyObject *self, PyObject *none);

#endif
