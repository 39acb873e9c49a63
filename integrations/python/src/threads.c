/* threads.c: see threads.h. */
#include "threads.h"

#include <stdint.h>

#include "common/base/usable_cpus.h"
#include "runtime/spmv.h"

/* threadpoolctl knows this library among all loaded ones by an exported symbol. */
#ifdef __GNUC__
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

EXPORTED int32_t spmvgen_thread_limit(void);

int32_t spmvgen_thread_limit(void)
{
    return spmv_thread_limit();
}

PyObject *threads_set_limit(PyObject *self, PyObject *threads)
{
    const long limit = PyLong_AsLong(threads);

    (void)self;
    if (limit == -1 && PyErr_Occurred())
        return NULL;
    if (limit < 0 || limit > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "the limit must be from 0 to 2147483647");
        return NULL;
    }
    spmv_set_thread_limit((int32_t)limit);
    Py_RETURN_NONE;
}

PyObject *threads_limit(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return PyLong_FromLong(spmv_thread_limit());
}

PyObject *threads_usable_cpus(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    return PyLong_FromLong(spmv_usable_cpus());
}
