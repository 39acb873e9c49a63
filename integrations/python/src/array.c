/* array.c: NumPy arrays as operands of a multiplication: conversions, and what refusals say. */
#include "array.h"

const char *array_type_name(int type_num)
{
    return type_num == NPY_FLOAT ? "float32" : "float64";
}

/* Says why an array of this type is not converted, and how to convert it. */
static void raise_type(PyArrayObject *a, int type_num, const char *name)
{
    PyArray_Descr *descr = PyArray_DESCR(a);

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
                     name, descr, array_type_name(type_num));
}

PyArrayObject *array_of(PyObject *object, const char *name)
{
    if (PyArray_CheckExact(object))
        return (PyArrayObject *)Py_NewRef(object);
    if (PyObject_HasAttrString(object, "tocsr")) {
        PyErr_Format(PyExc_TypeError,
                     "%s is a sparse matrix; a plan multiplies dense arrays. SciPy multiplies two "
                     "sparse matrices: A @ B", name);
        return NULL;
    }
    return (PyArrayObject *)PyArray_FromAny(object, NULL, 0, 0, NPY_ARRAY_ENSUREARRAY, NULL);
}

PyArrayObject *array_convert(PyArrayObject *a, int type_num, int flags, const char *name)
{
    PyArray_Descr *wanted = PyArray_DescrFromType(type_num);
    PyObject *result = NULL;

    if (!wanted)
        ;
    else if (!PyArray_CanCastTypeTo(PyArray_DESCR(a), wanted, NPY_SAFE_CASTING)) {
        raise_type(a, type_num, name);
        Py_DECREF(wanted);
    } else {
        result = PyArray_FromArray(a, wanted, flags | NPY_ARRAY_NOTSWAPPED);     /* steals wanted */
    }
    Py_DECREF(a);
    return (PyArrayObject *)result;
}

int array_check_written(PyObject *object, int type_num, const char *shape, const char *name)
{
    PyArrayObject *a = (PyArrayObject *)object;

    if (!PyArray_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is %R; expected a NumPy array", name, Py_TYPE(object));
        return -1;
    }
    if (PyArray_TYPE(a) != type_num || !PyArray_ISNOTSWAPPED(a)) {
        PyErr_Format(PyExc_TypeError, "%s has values of type %S; expected %s in this machine's "
                     "byte order, as numpy.empty(%s, numpy.%s) makes them", name, PyArray_DESCR(a),
                     array_type_name(type_num), shape, array_type_name(type_num));
        return -1;
    }
    if (!PyArray_ISWRITEABLE(a)) {
        PyErr_Format(PyExc_ValueError, "%s is read-only; pass an array that may be written, such "
                     "as numpy.empty(%s, numpy.%s)", name, shape, array_type_name(type_num));
        return -1;
    }
    return 0;
}

void *array_raise_shape(PyObject *a, const char *expected, const char *name)
{
    PyObject *shape = PyObject_GetAttrString(a, "shape");

    if (shape)
        PyErr_Format(PyExc_ValueError, "%s has the shape %S; expected %s", name, shape, expected);
    Py_XDECREF(shape);
    return NULL;
}
