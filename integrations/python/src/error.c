/* error.c: spmvgen.Error, the exception for a status of libspmv. */
#include "error.h"

static PyObject *error_type;

static const struct status_name {
    const char *name;
    spmv_status status;
} status_names[] = {
    {"INVALID_ARGUMENT", SPMV_INVALID_ARGUMENT}, {"INVALID_MATRIX", SPMV_INVALID_MATRIX},
    {"UNSUPPORTED", SPMV_UNSUPPORTED},           {"OUT_OF_MEMORY", SPMV_OUT_OF_MEMORY},
    {"ABI_MISMATCH", SPMV_ABI_MISMATCH},         {"ALIASING", SPMV_ALIASING},
    {"BUSY", SPMV_BUSY},                         {"LOAD_FAILED", SPMV_LOAD_FAILED},
    {"OVERFLOW", SPMV_OVERFLOW},                 {"FILE_ERROR", SPMV_FILE_ERROR},
    {"STALE", SPMV_STALE},                       {"DEVICE_FAILED", SPMV_DEVICE_FAILED},
};

static int set_number(PyObject *object, const char *name, long value)
{
    PyObject *number = PyLong_FromLong(value);
    int result = number ? PyObject_SetAttrString(object, name, number) : -1;

    Py_XDECREF(number);
    return result;
}

int error_add_type(PyObject *module)
{
    error_type = PyErr_NewExceptionWithDoc(
        "spmvgen.Error",
        "libspmv refused a call. status says why: one of Error.INVALID_MATRIX, Error.STALE, ...",
        NULL, NULL);
    if (!error_type || set_number(error_type, "status", SPMV_OK))
        return -1;
    for (size_t i = 0; i < sizeof status_names / sizeof status_names[0]; i++)
        if (set_number(error_type, status_names[i].name, status_names[i].status))
            return -1;
    return PyModule_AddObjectRef(module, "Error", error_type);
}

PyObject *error_raise_status(spmv_status status, const char *text)
{
    PyObject *error = PyObject_CallFunction(error_type, "s", text);

    if (error && set_number(error, "status", status) == 0)
        PyErr_SetObject(error_type, error);
    Py_XDECREF(error);
    return NULL;
}

PyObject *error_raise(const spmv_error *err)
{
    /* A path or a name in the text need not be UTF-8. */
    PyObject *text = PyUnicode_DecodeLocale(err->text, "surrogateescape");
    PyObject *error = text ? PyObject_CallFunctionObjArgs(error_type, text, NULL) : NULL;

    if (error && set_number(error, "status", err->status) == 0)
        PyErr_SetObject(error_type, error);
    Py_XDECREF(error);
    Py_XDECREF(text);
    return NULL;
}
