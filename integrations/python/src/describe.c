/* describe.c: what a Plan says about itself: properties, candidates and figures. */
#include "plan.h"

#include "error.h"

#include <string.h>

static spmv_plan_info info_of(PyObject *object)
{
    spmv_plan_info info = {.struct_size = sizeof info};

    spmv_plan_query(((plan_object *)object)->plan, &info);
    return info;
}

static PyObject *get_method(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(info_of(self).module->method);
}

static PyObject *get_target(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(info_of(self).module->target);
}

static PyObject *get_module(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(info_of(self).module->name);
}

static PyObject *get_reason(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(info_of(self).reason);
}

static PyObject *get_threads(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(info_of(self).threads);
}

static PyObject *get_nnz(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(info_of(self).nnz);
}

static PyObject *get_layout_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(info_of(self).layout_bytes);
}

static PyObject *get_workspace_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(info_of(self).workspace_bytes);
}

static PyObject *get_build_seconds(PyObject *self, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(info_of(self).build_seconds);
}

static PyObject *get_choice(PyObject *self, void *closure)
{
    char text[SPMV_CHOICE_SIZE];
    spmv_error err;

    (void)closure;
    if (spmv_plan_choice(((plan_object *)self)->plan, text, sizeof text, &err))
        return error_raise(&err);
    return PyUnicode_FromString(text);
}

/* None, or a copy of the permutation. */
static PyObject *permutation(const int32_t *order, npy_intp count)
{
    PyObject *copy;

    if (!order)
        return Py_NewRef(Py_None);
    copy = PyArray_SimpleNew(1, &count, NPY_INT32);
    if (copy && count > 0)
        memcpy(PyArray_DATA((PyArrayObject *)copy), order, (size_t)count * sizeof *order);
    return copy;
}

static PyObject *get_y_permutation(PyObject *self, void *closure)
{
    (void)closure;
    return permutation(info_of(self).y_permutation, ((plan_object *)self)->rows);
}

static PyObject *get_x_permutation(PyObject *self, void *closure)
{
    (void)closure;
    return permutation(info_of(self).x_permutation, ((plan_object *)self)->cols);
}

static PyObject *get_indptr(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((plan_object *)self)->indptr);
}

static PyObject *get_is_unordered(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((plan_object *)self)->is_unordered);
}

/* The caller's arrays that the plan reads, by their names in SciPy. */
static PyObject *get_borrowed(PyObject *object, void *closure)
{
    const plan_object *self = (const plan_object *)object;
    PyObject *arrays = PyDict_New();
    int failed = !arrays;

    (void)closure;
    if (!failed && self->indices)
        failed = PyDict_SetItemString(arrays, "indices", self->indices) != 0;
    if (!failed && self->data)
        failed = PyDict_SetItemString(arrays, "data", self->data) != 0;
    if (failed)
        Py_CLEAR(arrays);
    return arrays;
}

PyGetSetDef plan_properties[] = {
    {"method", get_method, NULL, "The method of the chosen module.", NULL},
    {"target", get_target, NULL, "The target of the chosen module.", NULL},
    {"module", get_module, NULL, "The name of the chosen module.", NULL},
    {"reason", get_reason, NULL, "Why the module was chosen.", NULL},
    {"choice", get_choice, NULL, "The choice as a line of text, for plan(A, choice=...).", NULL},
    {"threads", get_threads, NULL, "Parts that the work is cut into.", NULL},
    {"nnz", get_nnz, NULL, "Stored entries of the matrix.", NULL},
    {"layout_bytes", get_layout_bytes, NULL, "Bytes that the plan allocated.", NULL},
    {"workspace_bytes", get_workspace_bytes, NULL, "Scratch bytes of a multiplication.", NULL},
    {"build_seconds", get_build_seconds, NULL, "Seconds that the plan's creation took.", NULL},
    {"borrowed", get_borrowed, NULL,
     "The arrays indices and data of the matrix, those that the plan reads in place.", NULL},
    {"y_permutation", get_y_permutation, NULL,
     "None, or the rows that the entries of y belong to.", NULL},
    {"x_permutation", get_x_permutation, NULL,
     "None, or the columns that the entries of x belong to.", NULL},
    {"_indptr", get_indptr, NULL, NULL, NULL},
    {"_is_unordered", get_is_unordered, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Returns a list of dictionaries: the chosen candidate, then the others. */
PyObject *plan_candidates(PyObject *object, PyObject *none)
{
    const spmv_plan *plan = ((plan_object *)object)->plan;
    const size_t count = spmv_plan_candidate_count(plan);
    PyObject *list = PyList_New(0);

    (void)none;
    for (size_t i = 0; list && i < count; i++) {
        spmv_candidate c = {.struct_size = sizeof c};
        PyObject *entry = NULL;

        if (spmv_plan_explain(plan, i, &c) == SPMV_OK)
            entry = Py_BuildValue(
                "{sssssssssdsdsKsKsisdsd}", "method", c.module->method, "target",
                c.module->target, "module", c.module->name, "why_not", c.why_not, "cost", c.cost,
                "build_cost", c.build_cost, "layout_bytes", (unsigned long long)c.layout_bytes,
                "workspace_bytes", (unsigned long long)c.workspace_bytes, "borrows",
                (int)c.borrows, "seconds", c.seconds, "build_seconds", c.build_seconds);
        if (!entry || PyList_Append(list, entry))
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

/* Returns a list of (name, value, unit). */
PyObject *plan_figures(PyObject *object, PyObject *none)
{
    plan_object *self = (plan_object *)object;
    spmv_figure figure[SPMV_MAX_FIGURES];
    PyObject *list = PyList_New(0);
    spmv_status status;
    int32_t count = 0;

    (void)none;
    gate_enter(&self->gate);
    status = spmv_plan_figures(self->plan, figure, &count);
    gate_leave(&self->gate);
    if (status != SPMV_OK) {
        Py_XDECREF(list);
        return error_raise_status(status, spmv_status_text(status));
    }
    for (int32_t i = 0; list && i < count; i++) {
        PyObject *entry = Py_BuildValue("(sds)", figure[i].name, figure[i].value, figure[i].unit);

        if (!entry || PyList_Append(list, entry))
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}
