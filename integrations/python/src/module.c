/* module.c: the extension module spmvgen._core. */
#include <Python.h>

#include "runtime/spmv.h"

static struct PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "spmvgen._core",
    .m_doc = "libspmv for Python.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&core_module);

    if (module && PyModule_AddStringConstant(module, "version", SPMV_VERSION)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
