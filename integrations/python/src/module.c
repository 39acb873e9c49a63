/* module.c: the extension module spmvgen._core. */
#define SPMVGEN_IMPORTS_NUMPY
#include "numpy_api.h"

#include "common/foreign_file.h"
#include "device.h"
#include "foreign.h"
#include "gate.h"
#include "plan.h"
#include "threads.h"

static PyMethodDef functions[] = {
    {"modules", device_modules, METH_NOARGS,
     "The usable modules: (method, target, value type, offset type, name)."},
    {"foreign_file", foreign_file, METH_VARARGS,
     "What a file is that is no Matrix Market file, by its first bytes, and what to do; or None."},
    {"set_thread_limit", threads_set_limit, METH_O,
     "Limits the threads of all plans; 0: no limit."},
    {"thread_limit", threads_limit, METH_NOARGS, "The limit of threads; 0: none."},
    {"usable_cpus", threads_usable_cpus, METH_NOARGS,
     "The number of CPUs that the process may use, by its affinity and its quota."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "spmvgen._core",
    .m_doc = "libspmv for Python.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module;

    import_array();
    if (gate_prepare())
        return NULL;
    module = PyModule_Create(&core_module);
    if (module && (PyModule_AddStringConstant(module, "version", SPMV_VERSION) ||
                   PyModule_AddIntConstant(module, "FOREIGN_HEAD", SG_FOREIGN_HEAD) ||
                   plan_add_type(module)))
        Py_CLEAR(module);
    return module;
}
