/* error.c: raises spmvgen.Error, the exception for a status of libspmv. */
#include "error.h"

PyObject *error_raise_status(spmv_status status, const char *text)
{
    PyObject *module = PyImport_ImportModule("spmvgen.error");
    PyObject *type = module ? PyObject_GetAttrString(module, "Error") : NULL;
    /* A path in the text need not be UTF-8. */
    PyObject *words = type ? PyUnicode_DecodeFSDefault(text) : NULL;
    PyObject *error = words ? PyObject_CallFunction(type, "Oi", words, (int)status) : NULL;

    if (error)
        PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(words);
    Py_XDECREF(type);
    Py_XDECREF(module);
    return NULL;
}

PyObject *error_raise(const spmv_error *err)
{
    return error_raise_status(err->status, err->text);
}
