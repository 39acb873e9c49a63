/* plan.h: the type spmvgen._core.Plan, a plan of libspmv as a Python object.
 *
 * A Plan has its spmv_plan from its creation to its end. */
#ifndef SPMVGEN_PLAN_H
#define SPMVGEN_PLAN_H

#include "numpy_api.h"

#include "gate.h"
#include "runtime/spmv.h"

typedef struct plan_object {
    PyObject_HEAD
    spmv_plan *plan;
    gate gate;                   /* multiplications are readers, an update is a writer */
    npy_intp rows, cols, nnz;    /* of the product */
    int type_num;                /* NumPy's number of the values' type */
    size_t workspace_bytes;
    PyObject *indptr;            /* always kept: not every layout has it. The plan's own: a caller
                                    would change it */
    PyObject *indices, *data;    /* the arrays that the plan borrows, else NULL */
    int is_unordered;            /* the caller's matrix may be sorted: the plan borrows nothing */
} plan_object;

/* The type, once plan_add_type has run. */
extern PyTypeObject *plan_type;

/* Adds the type Plan to the module. Returns 0, or -1 with an exception set. */
int plan_add_type(PyObject *module);

/* create.c */
PyObject *plan_new(PyTypeObject *type, PyObject *args, PyObject *keywords);

/* multiply.c */
PyObject *plan_matmul(PyObject *left, PyObject *right);
PyObject *plan_matvec(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *plan_multiply(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *plan_matmat(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);

/* values.c */
PyObject *plan_set_values(PyObject *self, PyObject *values);
PyObject *plan_restore_indices(PyObject *self, PyObject *none);
PyObject *plan_restore_data(PyObject *self, PyObject *none);
PyObject *plan_save(PyObject *self, PyObject *path);

/* describe.c */
extern PyGetSetDef plan_properties[];
PyObject *plan_candidates(PyObject *self, PyObject *none);
PyObject *plan_figures(PyObject *self, PyObject *none);

#endif
