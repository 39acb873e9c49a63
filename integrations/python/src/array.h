/* array.h: NumPy arrays as operands of a multiplication: conversions, and what refusals say. */
#ifndef SPMVGEN_ARRAY_H
#define SPMVGEN_ARRAY_H

#include "numpy_api.h"

/* Returns a new reference to an array of the object's values, or NULL with an exception set.
 * name: the argument's, for messages, as in all functions below. */
PyArrayObject *array_of(PyObject *object, const char *name);

/* Returns the array itself if it has the type and the flags, else a converted copy; NULL with an
 * exception set if NumPy does not call the conversion safe. Steals the reference to a. */
PyArrayObject *array_convert(PyArrayObject *a, int type_num, int flags, const char *name);

/* Returns 0 if kernels can write values of the type into the object: an array, in this machine's
 * byte order, that may be written. Else -1 with an exception set. shape: as text, of an array that
 * would do. */
int array_check_written(PyObject *object, int type_num, const char *shape, const char *name);

/* Raises ValueError: an array's shape is not the expected one, a text. Returns NULL. */
void *array_raise_shape(PyObject *a, const char *expected, const char *name);

/* float32 or float64. */
const char *array_type_name(int type_num);

#endif
