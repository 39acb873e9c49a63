/* dense.c: NumPy arrays whose columns are the vectors of a multiplication. */
#include "dense.h"

#include "array.h"

#include <stdio.h>

enum {
    SHAPE_SIZE = 80,             /* characters of a shape, as text */
    /* Sets of orders, as bits. */
    ROW_MAJOR = 1 << SPMV_ROW_MAJOR,
    COLUMN_MAJOR = 1 << SPMV_COLUMN_MAJOR
};

/* Whether the axis `along` has adjacent values, and the other one any distance that keeps its
 * groups apart. Strides of axes with at most one index mean nothing. */
static int has_groups_along(PyArrayObject *a, int along)
{
    const npy_intp bytes = PyArray_ITEMSIZE(a);
    const npy_intp length = PyArray_DIM(a, along), groups = PyArray_DIM(a, 1 - along);
    const npy_intp distance = PyArray_STRIDE(a, 1 - along);

    return (length <= 1 || PyArray_STRIDE(a, along) == bytes) &&
           (groups <= 1 || (distance % bytes == 0 && distance / bytes >= length && distance > 0));
}

/* The set of orders in which kernels can use the array's values in place. */
static int orders_of(PyArrayObject *a, int type_num)
{
    if (PyArray_TYPE(a) != type_num || !PyArray_ISNOTSWAPPED(a) || !PyArray_ISALIGNED(a))
        return 0;
    if (PyArray_SIZE(a) == 0)
        return ROW_MAJOR | COLUMN_MAJOR;
    return (has_groups_along(a, 1) ? ROW_MAJOR : 0) | (has_groups_along(a, 0) ? COLUMN_MAJOR : 0);
}

static dense dense_of(PyArrayObject *a, spmv_order order)
{
    const int along = order == SPMV_ROW_MAJOR ? 1 : 0;
    const int64_t length = PyArray_DIM(a, along) > 0 ? PyArray_DIM(a, along) : 1;
    const int64_t ld = PyArray_SIZE(a) > 0 && PyArray_DIM(a, 1 - along) > 1
                           ? PyArray_STRIDE(a, 1 - along) / PyArray_ITEMSIZE(a)
                           : length;

    return (dense){a, order, ld};
}

/* Returns 0, or -1 with an exception set. */
static int check_read(PyArrayObject *a, npy_intp cols, const char *name)
{
    char expected[SHAPE_SIZE];

    snprintf(expected, sizeof expected, "(%zd, k)", (Py_ssize_t)cols);
    if (PyArray_NDIM(a) != 2 || PyArray_DIM(a, 0) != cols) {
        array_raise_shape((PyObject *)a, expected, name);
        return -1;
    }
    if (PyArray_DIM(a, 1) <= INT32_MAX)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s has %zd columns; expected at most %d. Multiply it in parts",
                 name, (Py_ssize_t)PyArray_DIM(a, 1), INT32_MAX);
    return -1;
}

/* Returns the orders of an array that is written, or 0 with an exception set. */
static int check_written(PyObject *object, npy_intp rows, npy_intp columns, int type_num,
                         const char *name)
{
    PyArrayObject *a = (PyArrayObject *)object;
    char shape[SHAPE_SIZE], expected[SHAPE_SIZE + 20];
    int orders;

    snprintf(shape, sizeof shape, "(%zd, %zd)", (Py_ssize_t)rows, (Py_ssize_t)columns);
    if (array_check_written(object, type_num, shape, name))
        return 0;
    snprintf(expected, sizeof expected, "%s, like the product's", shape);
    if (PyArray_NDIM(a) != 2 || PyArray_DIM(a, 0) != rows || PyArray_DIM(a, 1) != columns) {
        array_raise_shape(object, expected, name);
        return 0;
    }
    orders = orders_of(a, type_num);
    if (orders == 0)
        PyErr_Format(PyExc_ValueError, "%s has neither contiguous rows nor contiguous columns, or "
                     "is not aligned; pass an array such as numpy.empty(%s, numpy.%s), and copy "
                     "from it", name, shape, array_type_name(type_num));
    return orders;
}

/* possible: the orders that Y can have. */
static spmv_order choose_order(PyArrayObject *a, int type_num, int possible)
{
    const int common = orders_of(a, type_num) & possible;

    if (common != 0)
        return common & ROW_MAJOR ? SPMV_ROW_MAJOR : SPMV_COLUMN_MAJOR;
    if (possible == COLUMN_MAJOR)
        return SPMV_COLUMN_MAJOR;
    return possible & COLUMN_MAJOR && PyArray_IS_F_CONTIGUOUS(a) && !PyArray_IS_C_CONTIGUOUS(a)
               ? SPMV_COLUMN_MAJOR
               : SPMV_ROW_MAJOR;
}

/* Returns a new reference to the array itself, or to a converted copy in the order. */
static PyArrayObject *read_in(PyArrayObject *a, int type_num, spmv_order order)
{
    PyArrayObject *kept = (PyArrayObject *)Py_NewRef((PyObject *)a);

    if (orders_of(a, type_num) & 1 << order)
        return kept;
    return array_convert(kept, type_num, order == SPMV_ROW_MAJOR ? NPY_ARRAY_CARRAY_RO
                                                              : NPY_ARRAY_FARRAY_RO, "X");
}

int dense_operands(PyArrayObject *a, npy_intp rows, npy_intp cols, int type_num,
                   PyObject *y_object, const char *y_name, dense *x, dense *y)
{
    int possible = ROW_MAJOR | COLUMN_MAJOR;
    PyArrayObject *x_array, *y_array;
    spmv_order order;
    npy_intp shape[2];

    if (check_read(a, cols, "X"))
        return -1;
    shape[0] = rows;
    shape[1] = PyArray_DIM(a, 1);
    if (y_object) {
        possible = check_written(y_object, rows, shape[1], type_num, y_name);
        if (possible == 0)
            return -1;
    }
    order = choose_order(a, type_num, possible);
    x_array = read_in(a, type_num, order);
    if (!x_array)
        return -1;
    y_array = y_object ? (PyArrayObject *)Py_NewRef(y_object)
                       : (PyArrayObject *)PyArray_EMPTY(2, shape, type_num,
                                                        order == SPMV_COLUMN_MAJOR);
    if (!y_array) {
        Py_DECREF(x_array);
        return -1;
    }
    *x = dense_of(x_array, order);
    *y = dense_of(y_array, order);
    return 0;
}
