/* vector.c: NumPy arrays as x and y of a multiplication. */
#include "vector.h"

static const char *type_name(int type_num)
{
    return type_num == NPY_FLOAT ? "float32" : "float64";
}

static int is_plain_1d(PyArrayObject *a, int type_num)
{
    return PyArray_NDIM(a) == 1 && PyArray_TYPE(a) == type_num && PyArray_ISCARRAY_RO(a);
}

int vector_is_plain(PyObject *object, int type_num, npy_intp length)
{
    return PyArray_CheckExact(object) && is_plain_1d((PyArrayObject *)object, type_num) &&
           PyArray_DIM((PyArrayObject *)object, 0) == length;
}

/* Says why an array of this type is not converted, and how to convert it. */
static void raise_type(PyArrayObject *a, int type_num, const char *name)
{
    PyArray_Descr *descr = PyArray_DESCR(a);
    const char *wanted = type_name(type_num);

    if (PyArray_ISCOMPLEX(a))
        PyErr_Format(PyExc_TypeError,
                     "%s is %S, but the plan is real; multiply %s.real and %s.imag separately",
                     name, descr, name, name);
    else if (PyArray_ISNUMBER(a) && type_num == NPY_FLOAT)
        PyErr_Format(PyExc_TypeError,
                     "%s is %S, which float32 cannot hold exactly, and the plan is float32; pass "
                     "%s.astype(numpy.float32), or plan A.astype(numpy.float64)",
                     name, descr, name);
    else if (PyArray_ISNUMBER(a))
        PyErr_Format(PyExc_TypeError,
                     "%s is %S, which float64 cannot hold exactly; pass %s.astype(numpy.float64)",
                     name, descr, name);
    else
        PyErr_Format(PyExc_TypeError, "%s has values of type %S; expected numbers of type %s",
                     name, descr, wanted);
}

/* Returns a new reference to an array of the object's values, or NULL with an exception set. */
static PyArrayObject *as_array(PyObject *object, const char *name)
{
    PyObject *a;

    if (PyArray_CheckExact(object)) {
        Py_INCREF(object);
        return (PyArrayObject *)object;
    }
    if (PyObject_HasAttrString(object, "tocsr")) {
        PyErr_Format(PyExc_TypeError,
                     "%s is a sparse matrix; a plan multiplies dense arrays. SciPy multiplies two "
                     "sparse matrices: A @ B", name);
        return NULL;
    }
    a = PyArray_FromAny(object, NULL, 0, 0, NPY_ARRAY_ENSUREARRAY, NULL);
    return (PyArrayObject *)a;
}

/* Steals the reference to a. */
static PyArrayObject *convert(PyArrayObject *a, int type_num, int flags, const char *name)
{
    PyArray_Descr *wanted = PyArray_DescrFromType(type_num);
    PyObject *result = NULL;

    if (!wanted)
        ;
    else if (!PyArray_CanCastTypeTo(PyArray_DESCR(a), wanted, NPY_SAFE_CASTING)) {
        raise_type(a, type_num, name);
        Py_DECREF(wanted);
    } else {
        result = PyArray_FromArray(a, wanted, flags);            /* steals wanted */
    }
    Py_DECREF(a);
    return (PyArrayObject *)result;
}

static void raise_shape(PyArrayObject *a, npy_intp length, const char *name)
{
    PyObject *shape = PyObject_GetAttrString((PyObject *)a, "shape");

    if (shape)
        PyErr_Format(PyExc_ValueError, "%s has the shape %S; expected (%zd,) or (%zd, 1)", name,
                     shape, (Py_ssize_t)length, (Py_ssize_t)length);
    Py_XDECREF(shape);
}

static int has_length(PyArrayObject *a, npy_intp length)
{
    const int dimensions = PyArray_NDIM(a);

    return (dimensions == 1 || (dimensions == 2 && PyArray_DIM(a, 1) == 1)) &&
           PyArray_DIM(a, 0) == length;
}

PyArrayObject *vector_read(PyObject *object, int type_num, npy_intp length, const char *name)
{
    PyArrayObject *a;

    if (vector_is_plain(object, type_num, length)) {
        Py_INCREF(object);
        return (PyArrayObject *)object;
    }
    a = as_array(object, name);
    if (!a)
        return NULL;
    if (!has_length(a, length)) {
        raise_shape(a, length, name);
        Py_DECREF(a);
        return NULL;
    }
    return convert(a, type_num, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_NOTSWAPPED, name);
}

PyArrayObject *vector_read_columns(PyObject *object, int type_num, npy_intp rows, const char *name)
{
    PyArrayObject *a = as_array(object, name);

    if (!a)
        return NULL;
    if (PyArray_NDIM(a) != 2 || PyArray_DIM(a, 0) != rows) {
        PyObject *shape = PyObject_GetAttrString((PyObject *)a, "shape");

        if (shape)
            PyErr_Format(PyExc_ValueError, "%s has the shape %S; expected (%zd, k)", name, shape,
                         (Py_ssize_t)rows);
        Py_XDECREF(shape);
        Py_DECREF(a);
        return NULL;
    }
    return convert(a, type_num, NPY_ARRAY_FARRAY_RO | NPY_ARRAY_NOTSWAPPED, name);
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

    if (!PyArray_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is %R; expected a NumPy array", name, Py_TYPE(object));
        return NULL;
    }
    if (PyArray_TYPE(a) != type_num || !PyArray_ISNOTSWAPPED(a)) {
        PyErr_Format(PyExc_TypeError, "%s has values of type %S; expected %s in this machine's "
                     "byte order, as numpy.empty(%zd, numpy.%s) makes them", name,
                     PyArray_DESCR(a), type_name(type_num), (Py_ssize_t)length,
                     type_name(type_num));
        return NULL;
    }
    if (PyArray_NDIM(a) != dimensions || !has_length(a, length)) {
        PyObject *shape = PyObject_GetAttrString(object, "shape");

        if (shape)
            PyErr_Format(PyExc_ValueError,
                         "%s has the shape %S; expected (%zd%s), like the product's", name, shape,
                         (Py_ssize_t)length, dimensions == 2 ? ", 1" : ",");
        Py_XDECREF(shape);
        return NULL;
    }
    if (!PyArray_ISWRITEABLE(a)) {
        PyErr_Format(PyExc_ValueError, "%s is read-only; pass an array that may be written, such "
                     "as numpy.empty(%zd, numpy.%s)", name, (Py_ssize_t)length,
                     type_name(type_num));
        return NULL;
    }
    if (!PyArray_ISCARRAY(a)) {
        PyErr_Format(PyExc_ValueError, "%s is not contiguous and aligned; pass an array such as "
                     "numpy.empty(%zd, numpy.%s), and copy from it", name, (Py_ssize_t)length,
                     type_name(type_num));
        return NULL;
    }
    return a;
}
