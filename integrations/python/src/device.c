/* device.c: the process's device, whose modules all plans use. */
#include "device.h"

#include "error.h"

spmv_device *device_get(void)
{
    static spmv_device *device;      /* never closed: plans may outlive the module */
    spmv_error err;

    if (!device && spmv_device_open(NULL, &device, &err)) {
        device = NULL;
        error_raise(&err);
    }
    return device;
}

PyObject *device_modules(PyObject *self, PyObject *none)
{
    const spmv_device *device = device_get();
    const spmv_module *module;
    PyObject *list = device ? PyList_New(0) : NULL;

    (void)self;
    (void)none;
    for (size_t i = 0; list && (module = spmv_device_module(device, i)) != NULL; i++) {
        /* Plans of any A may name a method of this list. */
        if (module->ops->transposes || module->ops->symmetric)
            continue;
        PyObject *entry = Py_BuildValue("(ssiis)", module->method, module->target,
                                        module->value_type, module->offset_type, module->name);

        if (!entry || PyList_Append(list, entry))
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}
