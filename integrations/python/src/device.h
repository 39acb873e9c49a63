/* device.h: the process's device, whose modules all plans use. */
#ifndef SPMVGEN_DEVICE_H
#define SPMVGEN_DEVICE_H

#include <Python.h>

#include "runtime/spmv.h"

/* Opens the device at the first call. Returns NULL with an exception set if that fails. */
spmv_device *device_get(void);

/* Names of the usable modules: a list of (method, target, value type, offset type, module). */
PyObject *device_modules(PyObject *self, PyObject *none);

#endif
