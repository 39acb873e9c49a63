/* vector.h: NumPy arrays as one x and one y of a multiplication. */
#ifndef SPMVGEN_VECTOR_H
#define SPMVGEN_VECTOR_H

#include "numpy_api.h"

/* Whether the array is a vector of this type and length that kernels can read as it stands. */
int vector_is_plain(PyObject *object, int type_num, npy_intp length);

/* Returns a new reference to the object itself if its values can be read in place, else to a
 * converted copy: contiguous, of the type and length; its shape is (length,) or (length, 1).
 * name: the argument's, for messages. NULL with an exception set if NumPy does not call the
 * conversion safe. */
PyArrayObject *vector_read(PyObject *object, int type_num, npy_intp length, const char *name);

/* Returns a new array of as many dimensions as x, 1 or 2, or NULL with an exception set. */
PyArrayObject *vector_new(int type_num, npy_intp length, int dimensions);

/* Returns the object if it is an array that kernels can write to, or NULL with an exception set.
 * The reference is borrowed. */
PyArrayObject *vector_write(PyObject *object, int type_num, npy_intp length, int dimensions,
                            const char *name);

#endif
