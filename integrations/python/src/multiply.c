/* multiply.c: the multiplications of a Plan. */
#include "plan.h"

#include "error.h"
#include "vector.h"

#include <stdlib.h>

/* Calls that multiply fewer rows and nonzeros keep the GIL: they take microseconds, and handing it
 * over takes longer when another thread waits for it. */
static const double LEAST_WEIGHT_WITHOUT_GIL = 20000;

/* The plan's own workspace serves one multiplication at a time; the others allocate theirs. */
static spmv_status execute(const plan_object *self, double alpha, const void *x, double beta,
                           void *y)
{
    spmv_status status = spmv_execute(self->plan, alpha, x, beta, y, NULL);
    const size_t bytes = (self->workspace_bytes + SPMV_ALIGNMENT - 1) / SPMV_ALIGNMENT *
                         SPMV_ALIGNMENT;
    void *workspace;

    if (status != SPMV_BUSY || bytes == 0)
        return status;
    workspace = aligned_alloc(SPMV_ALIGNMENT, bytes);
    if (!workspace)
        return SPMV_OUT_OF_MEMORY;
    status = spmv_execute(self->plan, alpha, x, beta, y, workspace);
    free(workspace);
    return status;
}

/* Computes `count` columns, whose vectors follow each other in memory. y_name: of the argument
 * that is written, for messages. Returns 0, or -1 with an exception set. */
static int multiply(plan_object *self, double alpha, PyArrayObject *x, double beta,
                    PyArrayObject *y, npy_intp count, const char *y_name)
{
    const npy_intp bytes = PyArray_ITEMSIZE(x);
    const char *source = PyArray_DATA(x);
    char *target = PyArray_DATA(y);
    spmv_status status = SPMV_OK;
    PyThreadState *thread = NULL;

    gate_enter(&self->gate);
    if ((double)(self->rows + self->nnz) * (double)count >= LEAST_WEIGHT_WITHOUT_GIL)
        thread = PyEval_SaveThread();
    for (npy_intp i = 0; i < count && status == SPMV_OK; i++)
        status = execute(self, alpha, source + i * self->cols * bytes, beta,
                         target + i * self->rows * bytes);
    if (thread)
        PyEval_RestoreThread(thread);
    gate_leave(&self->gate);

    if (status == SPMV_OK)
        return 0;
    if (status == SPMV_ALIASING)
        PyErr_Format(PyExc_ValueError,
                     "%s overlaps x or an array of the matrix; pass an array of its own memory",
                     y_name);
    else
        error_raise_status(status, spmv_status_text(status));
    return -1;
}

/* A new array for y, or NULL with an exception set. */
static PyObject *product(plan_object *self, double alpha, PyArrayObject *x)
{
    PyArrayObject *y = vector_new(self->type_num, self->rows, PyArray_NDIM(x));

    if (y && multiply(self, alpha, x, 0, y, 1, "the product"))
        Py_CLEAR(y);
    return (PyObject *)y;
}

/* y = alpha * A @ x + beta * y. Returns a new reference to y, a new array if y is NULL or None. */
static PyObject *multiply_into(plan_object *self, double alpha, PyObject *x_object, double beta,
                               PyObject *y_object, const char *y_name)
{
    PyArrayObject *x = vector_read(x_object, self->type_num, self->cols, "x");
    PyObject *result = NULL;
    PyArrayObject *y;

    if (!x)
        return NULL;
    if (!y_object || Py_IsNone(y_object)) {
        result = product(self, alpha, x);
    } else {
        y = vector_write(y_object, self->type_num, self->rows, PyArray_NDIM(x), y_name);
        if (y && multiply(self, alpha, x, beta, y, 1, y_name) == 0)
            result = Py_NewRef(y_object);
    }
    Py_DECREF(x);
    return result;
}

PyObject *plan_matmul(PyObject *left, PyObject *right)
{
    plan_object *self = (plan_object *)left;

    if (!PyObject_TypeCheck(left, plan_type))
        return PyObject_CallMethod(right, "_multiply_from_left", "O", left);
    if (vector_is_plain(right, self->type_num, self->cols))
        return product(self, 1, (PyArrayObject *)right);
    if (PyArray_CheckExact(right) && PyArray_NDIM((PyArrayObject *)right) == 1)
        return multiply_into(self, 1, right, 0, NULL, NULL);
    return PyObject_CallMethod(left, "_multiply_any", "O", right);
}

/* Distributes the arguments of a call to their parameters, of which the first is required; those
 * without an argument stay as they are. Returns 0, or -1 with an exception set. */
static int read_arguments(const char *function, const char *const *parameters,
                          PyObject *const *args, Py_ssize_t count, PyObject *names,
                          PyObject **values)
{
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    Py_ssize_t most = 0;

    while (parameters[most])
        most++;
    if (count > most) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd arguments; %zd were given", function,
                     most, count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        values[i] = args[i];
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        Py_ssize_t at = 0;

        while (parameters[at] && PyUnicode_CompareWithASCIIString(name, parameters[at]) != 0)
            at++;
        if (!parameters[at] || at < count) {
            PyErr_Format(PyExc_TypeError, parameters[at] ? "%s() got two values for the argument %R"
                                                         : "%s() has no argument %R",
                         function, name);
            return -1;
        }
        values[at] = args[count + i];
    }
    if (!values[0]) {
        PyErr_Format(PyExc_TypeError, "%s() needs the argument %s", function, parameters[0]);
        return -1;
    }
    return 0;
}

PyObject *plan_matvec(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const char *const parameters[] = {"x", "out", NULL};
    PyObject *value[2] = {NULL, NULL};

    if (read_arguments("matvec", parameters, args, count, names, value))
        return NULL;
    return multiply_into((plan_object *)self, 1, value[0], 0, value[1], "out");
}

/* Returns 0, or -1 with an exception set. NULL leaves *number as it is. */
static int read_number(const char *name, PyObject *object, double *number)
{
    if (object && PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) > 0) {
        PyErr_Format(PyExc_TypeError, "%s is an array; expected a number. Arrays are named: "
                     "multiply(x, y=y)", name);
        return -1;
    }
    if (object)
        *number = PyFloat_AsDouble(object);
    if (*number != -1 || !PyErr_Occurred())
        return 0;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%s is %R; expected a real number", name, object);
    return -1;
}

PyObject *plan_multiply(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const char *const parameters[] = {"x", "alpha", "beta", "y", NULL};
    PyObject *value[4] = {NULL, NULL, NULL, NULL};
    double alpha = 1, beta = 0;

    if (read_arguments("multiply", parameters, args, count, names, value) ||
        read_number("alpha", value[1], &alpha) || read_number("beta", value[2], &beta))
        return NULL;
    if (beta != 0 && (!value[3] || Py_IsNone(value[3]))) {
        PyErr_SetString(PyExc_ValueError,
                        "multiply() has beta, but no y; pass the y that beta multiplies");
        return NULL;
    }
    return multiply_into((plan_object *)self, alpha, value[0], beta, value[3], "y");
}

PyObject *plan_multiply_columns(PyObject *object, PyObject *x_object)
{
    plan_object *self = (plan_object *)object;
    PyArrayObject *x = vector_read_columns(x_object, self->type_num, self->cols, "X");
    PyArrayObject *y = NULL;
    npy_intp shape[2];

    if (!x)
        return NULL;
    shape[0] = self->rows;
    shape[1] = PyArray_DIM(x, 1);
    y = (PyArrayObject *)PyArray_EMPTY(2, shape, self->type_num, 1);
    if (y && multiply(self, 1, x, 0, y, shape[1], "the product"))
        Py_CLEAR(y);
    Py_DECREF(x);
    return (PyObject *)y;
}
