/* vector.c: NumPy arrays as one x and one y of a multiplication. */
#include "vector.h"

#include "array.h"

#include <stdio.h>

enum { SHAPE_SIZE = 80 };        /* characters of two shapes, as text */

int vector_is_plain(PyObject *object, int type_num, npy_intp length)
{
    PyArrayObject *a = (PyArrayObject *)object;

    return PyArray_CheckExact(object) && PyArray_NDIM(a) == 1 && PyArray_TYPE(a) == type_num &&
           PyArray_ISCARRAY_RO(a) && PyArray_DIM(a, 0) == length;
}

static int has_length(PyArrayObject *a, npy_intp length)
{
    const int dimensions = PyArray_NDIM(a);

    return (dimensions == 1 || (dimensions == 2 && PyArray_DIM(a, 1) == 1)) &&
           PyArray_DIM(a, 0) == length;
}

PyArrayObject *vector_read(PyObject *object, int type_num, npy_intp length, const char *name)
{
    char expected[SHAPE_SIZE];
    PyArrayObject *a;

    if (vector_is_plain(object, type_num, length))
        return (PyArrayObject *)Py_NewRef(object);
    a = array_of(object, name);
    if (!a || has_length(a, length))
        return a ? array_convert(a, type_num, NPY_ARRAY_CARRAY_RO, name) : NULL;
    snprintf(expected, sizeof expected, "(%zd,) or (%zd, 1)", (Py_ssize_t)length,
             (Py_ssize_t)length);
    array_raise_shape((PyObject *)a, expected, name);
    Py_DECREF(a);
    return NULL;
}

PyArrayObject *vector_new(int type_num, npy_intp length, int dimensions)
{
    npy_intp shape[2];

    shape[0] = length;
    shape[1] = 1;
    return (PyArrayObject *)PyArray_SimpleNew(dimensions, shape, type_num);
}

PyArrayObject *vector_write(PyObject *object, int type_num, npy_intp length, int dimensions,
                            const char *name)
{
    PyArrayObject *a = (PyArrayObject *)object;
    char shape[SHAPE_SIZE], expected[SHAPE_SIZE];

    snprintf(shape, sizeof shape, "%zd", (Py_ssize_t)length);
    if (array_check_written(object, type_num, shape, name))
        return NULL;
    snprintf(expected, sizeof expected, "(%zd%s), like the product's", (Py_ssize_t)length,
             dimensions == 2 ? ", 1" : ",");
    if (PyArray_NDIM(a) != dimensions || !has_length(a, length))
        return array_raise_shape(object, expected, name);
    if (!PyArray_ISCARRAY(a)) {
        PyErr_Format(PyExc_ValueError, "%s is not contiguous and aligned; pass an array such as "
                     "numpy.empty(%zd, numpy.%s), and copy from it", name, (Py_ssize_t)length,
                     array_type_name(type_num));
        return NULL;
    }
    return a;
}
