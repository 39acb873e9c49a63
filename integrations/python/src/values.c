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

/* Returns a copy of the columns or of the values, from the layout. */
static PyObject *restore(plan_object *self, int is_data)
{
    PyObject *array = PyArray_SimpleNew(1, &self->nnz, is_data ? self->type_num : NPY_INT32);
    spmv_status status;
    spmv_error err;
    void *memory;

    if (!array)
        return NULL;
    memory = PyArray_DATA((PyArrayObject *)array);
    gate_enter(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    status = spmv_plan_restore_csr(self->plan, NULL, is_data ? NULL : memory,
                                   is_data ? memory : NULL, &err);
    Py_END_ALLOW_THREADS
    gate_leave(&self->gate);
    if (status == SPMV_OK)
        return array;
    Py_DECREF(array);
    return error_raise(&err);
}

PyObject *plan_restore_indices(PyObject *self, PyObject *none)
{
    (void)none;
    return restore((plan_object *)self, 0);
}

PyObject *plan_restore_data(PyObject *self, PyObject *none)
{
    (void)none;
    return restore((plan_object *)self, 1);
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
