/* values.c: new values for a Plan; its matrix as arrays and as a file. */
#include "plan.h"

#include "error.h"
#include "vector.h"

PyObject *plan_set_values(PyObject *object, PyObject *values)
{
    plan_object *self = (plan_object *)object;
    PyArrayObject *data = vector_read(values, self->type_num, self->nnz, "values");
    PyObject *before = NULL;
    spmv_status status;
    spmv_error err;

    if (!data)
        return NULL;
    gate_enter_alone(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    status = spmv_plan_update_values(self->plan, PyArray_DATA(data), &err);
    Py_END_ALLOW_THREADS
    if (status == SPMV_OK && self->data) {
        before = self->data;
        self->data = Py_NewRef((PyObject *)data);
    }
    gate_leave_alone(&self->gate);
    Py_XDECREF(before);
    Py_DECREF(data);
    if (status != SPMV_OK)
        return error_raise(&err);
    return Py_NewRef(Py_None);
}

/* Returns (indices, data), copied from the layout. */
PyObject *plan_restore(PyObject *object, PyObject *none)
{
    plan_object *self = (plan_object *)object;
    PyObject *indices = PyArray_SimpleNew(1, &self->nnz, NPY_INT32);
    PyObject *data = PyArray_SimpleNew(1, &self->nnz, self->type_num);
    spmv_status status;
    spmv_error err;

    (void)none;
    if (!indices || !data) {
        Py_XDECREF(indices);
        Py_XDECREF(data);
        return NULL;
    }
    gate_enter(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    status = spmv_plan_restore_csr(self->plan, NULL, PyArray_DATA((PyArrayObject *)indices),
                                   PyArray_DATA((PyArrayObject *)data), &err);
    Py_END_ALLOW_THREADS
    gate_leave(&self->gate);
    if (status != SPMV_OK) {
        Py_DECREF(indices);
        Py_DECREF(data);
        return error_raise(&err);
    }
    return Py_BuildValue("(NN)", indices, data);
}

PyObject *plan_save(PyObject *object, PyObject *path)
{
    plan_object *self = (plan_object *)object;
    PyObject *bytes = NULL;
    const char *name;
    spmv_status status;
    spmv_error err;

    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    name = PyBytes_AsString(bytes);
    if (!name) {
        Py_DECREF(bytes);
        return NULL;
    }
    gate_enter(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    status = spmv_plan_save(self->plan, name, &err);
    Py_END_ALLOW_THREADS
    gate_leave(&self->gate);
    Py_DECREF(bytes);
    if (status != SPMV_OK)
        return error_raise(&err);
    return Py_NewRef(Py_None);
}
