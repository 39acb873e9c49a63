/* dense.h: NumPy arrays whose columns are the vectors of a multiplication. */
#ifndef SPMVGEN_DENSE_H
#define SPMVGEN_DENSE_H

#include "numpy_api.h"

#include "runtime/spmv.h"

/* A 2-D array whose values kernels use in place. */
typedef struct dense {
    PyArrayObject *array;        /* a new reference */
    spmv_order order;
    int64_t ld;                  /* the leading dimension */
} dense;

/* Fills *x and *y with X and Y of a product, in one order, and returns 0; or returns -1 with an
 * exception set, and no reference is held.
 *
 *     a         X: (cols, any) values of any type that converts to type_num
 *     y_object  (rows, any), written in place; NULL: a new array
 *
 * The order is one in which X and Y can be used in place. If there is none, it is Y's, and X is
 * copied; without y_object it is C order, or Fortran order for a Fortran-ordered X. */
int dense_operands(PyArrayObject *a, npy_intp rows, npy_intp cols, int type_num,
                   PyObject *y_object, const char *y_name, dense *x, dense *y);

#endif
