/* multiply.c: the multiplications of a Plan. */
#include "plan.h"

#include "array.h"
#include "dense.h"
#include "error.h"
#include "vector.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

/* Calls that multiply fewer rows and nonzeros keep the GIL: they take microseconds, and handing it
 * over takes longer when another thread waits for it. */
static const double LEAST_WEIGHT_WITHOUT_GIL = 20000;

/* One product: y = alpha * A @ x + beta * y, of one vector or of the columns of matrices. */
typedef struct product {
    double alpha, beta;
    const void *x;
    void *y;
    spmv_order order;
    int32_t columns;             /* ONE_VECTOR: order, ldx and ldy mean nothing */
    int64_t ldx, ldy;
} product;

enum { ONE_VECTOR = -1 };

static spmv_status execute_in(const spmv_plan *plan, const product *p, void *workspace)
{
    if (p->columns == ONE_VECTOR)
        return spmv_execute(plan, p->alpha, p->x, p->beta, p->y, workspace);
    return spmv_execute_columns(plan, p->order, p->columns, p->alpha, p->x, p->ldx, p->beta, p->y,
                                p->ldy, workspace);
}

/* The plan's own workspace serves one multiplication at a time; the others allocate theirs. A
 * device may be busy with as many as it can run at a time: they end without the GIL. */
static spmv_status execute(const plan_object *self, const product *p)
{
    spmv_status status = execute_in(self->plan, p, NULL);
    size_t bytes;
    void *workspace;

    if (status != SPMV_BUSY)
        return status;
    bytes = p->columns == ONE_VECTOR
                ? self->workspace_bytes
                : spmv_plan_columns_workspace_size(self->plan, p->order, p->columns);
    if (bytes > SIZE_MAX - SPMV_ALIGNMENT)
        return SPMV_OUT_OF_MEMORY;
    workspace = aligned_alloc(SPMV_ALIGNMENT, (bytes / SPMV_ALIGNMENT + 1) * SPMV_ALIGNMENT);
    if (!workspace)
        return SPMV_OUT_OF_MEMORY;
    while ((status = execute_in(self->plan, p, workspace)) == SPMV_BUSY)
        sched_yield();
    free(workspace);
    return status;
}

/* y_name: of the argument that is written, for messages. Returns 0, or -1 with an exception set. */
static int multiply(plan_object *self, const product *p, const char *y_name)
{
    const double weight = (double)(self->rows + self->nnz) *
                          (p->columns == ONE_VECTOR ? 1.0 : p->columns);
    PyThreadState *thread = NULL;
    spmv_status status;

    gate_enter(&self->gate);
    if (weight >= LEAST_WEIGHT_WITHOUT_GIL)
        thread = PyEval_SaveThread();
    status = execute(self, p);
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

/* ---- one vector ----------------------------------------------------------------------------- */

static int multiply_vector(plan_object *self, double alpha, PyArrayObject *x, double beta,
                           PyArrayObject *y, const char *y_name)
{
    const product p = {.alpha = alpha, .x = PyArray_DATA(x), .beta = beta, .y = PyArray_DATA(y),
                       .columns = ONE_VECTOR};

    return multiply(self, &p, y_name);
}

/* A new array for y, or NULL with an exception set. */
static PyObject *new_vector(plan_object *self, double alpha, PyArrayObject *x)
{
    PyArrayObject *y = vector_new(self->type_num, self->rows, PyArray_NDIM(x));

    if (y && multiply_vector(self, alpha, x, 0, y, "the product"))
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
        result = new_vector(self, alpha, x);
    } else {
        y = vector_write(y_object, self->type_num, self->rows, PyArray_NDIM(x), y_name);
        if (y && multiply_vector(self, alpha, x, beta, y, y_name) == 0)
            result = Py_NewRef(y_object);
    }
    Py_DECREF(x);
    return result;
}

/* ---- matrices of vectors -------------------------------------------------------------------- */

/* Y = alpha * A @ X + beta * Y, as multiply_into. */
static PyObject *multiply_columns(plan_object *self, double alpha, PyArrayObject *a, double beta,
                                  PyObject *y_object, const char *y_name)
{
    dense x, y;
    product p = {.alpha = alpha, .beta = beta};
    PyObject *result;

    if (y_object && Py_IsNone(y_object))
        y_object = NULL;
    if (dense_operands(a, self->rows, self->cols, self->type_num, y_object, y_name, &x, &y))
        return NULL;
    p.x = PyArray_DATA(x.array);
    p.y = PyArray_DATA(y.array);
    p.order = x.order;
    p.columns = (int32_t)PyArray_DIM(x.array, 1);
    p.ldx = x.ld;
    p.ldy = y.ld;
    result = multiply(self, &p, y_object ? y_name : "the product") == 0
                 ? Py_NewRef((PyObject *)y.array)
                 : NULL;
    Py_DECREF(x.array);
    Py_DECREF(y.array);
    return result;
}

/* Like multiply_into; x may be a vector or a matrix. */
static PyObject *multiply_any(plan_object *self, double alpha, PyObject *x_object, double beta,
                              PyObject *y_object, const char *y_name)
{
    PyArrayObject *a;
    PyObject *result;

    if (vector_is_plain(x_object, self->type_num, self->cols))
        return multiply_into(self, alpha, x_object, beta, y_object, y_name);
    a = array_of(x_object, "x");
    if (!a)
        return NULL;
    result = PyArray_NDIM(a) == 2
                 ? multiply_columns(self, alpha, a, beta, y_object, y_name)
                 : multiply_into(self, alpha, (PyObject *)a, beta, y_object, y_name);
    Py_DECREF(a);
    return result;
}

PyObject *plan_matmul(PyObject *left, PyObject *right)
{
    plan_object *self = (plan_object *)left;

    if (!PyObject_TypeCheck(left, plan_type))
        return PyObject_CallMethod(right, "_multiply_from_left", "O", left);
    if (vector_is_plain(right, self->type_num, self->cols))
        return new_vector(self, 1, (PyArrayObject *)right);
    if (PyArray_CheckExact(right) && (PyArray_NDIM((PyArrayObject *)right) == 1 ||
                                      PyArray_NDIM((PyArrayObject *)right) == 2))
        return multiply_any(self, 1, right, 0, NULL, NULL);
    return PyObject_CallMethod(left, "_multiply_any", "O", right);
}

/* ---- arguments ------------------------------------------------------------------------------ */

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

PyObject *plan_matmat(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const char *const parameters[] = {"X", "out", NULL};
    PyObject *value[2] = {NULL, NULL};
    PyArrayObject *a;
    PyObject *result;

    if (read_arguments("matmat", parameters, args, count, names, value))
        return NULL;
    a = array_of(value[0], "X");
    if (!a)
        return NULL;
    result = multiply_columns((plan_object *)self, 1, a, 0, value[1], "out");
    Py_DECREF(a);
    return result;
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
    return multiply_any((plan_object *)self, alpha, value[0], beta, value[3], "y");
}
