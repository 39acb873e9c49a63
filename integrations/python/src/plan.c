/* plan.c: the type spmvgen._core.Plan, a plan of libspmv as a Python object. */
#include "plan.h"

PyTypeObject *plan_type;

static void plan_dealloc(PyObject *object)
{
    plan_object *self = (plan_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    spmv_plan_destroy(self->plan);
    Py_XDECREF(self->indptr);
    Py_XDECREF(self->indices);
    Py_XDECREF(self->data);
    free_object(object);
    Py_DECREF(type);
}

/* The functions have more parameters than PyCFunction; the flags say which. */
#define FUNCTION(function) (PyCFunction)(void (*)(void))(function)

static PyMethodDef methods[] = {
    {"matvec", FUNCTION(plan_matvec), METH_FASTCALL | METH_KEYWORDS,
     "matvec($self, x, out=None)\n--\n\nReturns A @ x, in out if given."},
    {"matmat", FUNCTION(plan_matmat), METH_FASTCALL | METH_KEYWORDS,
     "matmat($self, X, out=None)\n--\n\n"
     "Returns A @ X, in out if given, else in a new array in the order of X."},
    {"multiply", FUNCTION(plan_multiply), METH_FASTCALL | METH_KEYWORDS,
     "multiply($self, x, alpha=1.0, beta=0.0, y=None)\n--\n\n"
     "Computes y = alpha * (A @ x) + beta * y and returns y, a new array if y is None. x and y are "
     "vectors, or matrices whose columns are vectors."},
    {"_set_values", plan_set_values, METH_O, NULL},
    {"_restore_indices", plan_restore_indices, METH_NOARGS, NULL},
    {"_restore_data", plan_restore_data, METH_NOARGS, NULL},
    {"_save", plan_save, METH_O, NULL},
    {"_candidates", plan_candidates, METH_NOARGS, NULL},
    {"_figures", plan_figures, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)plan_new},
    {Py_tp_dealloc, (void *)plan_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, plan_properties},
    {Py_nb_matrix_multiply, (void *)plan_matmul},
    {Py_tp_doc, (void *)"A plan of libspmv. spmvgen.plan makes plans."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "spmvgen._core.Plan",
    .basicsize = sizeof(plan_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

int plan_add_type(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&spec);

    if (!type)
        return -1;
    plan_type = (PyTypeObject *)type;
    return PyModule_AddObjectRef(module, "Plan", type);
}
