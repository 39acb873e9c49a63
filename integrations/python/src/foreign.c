/* foreign.c: see foreign.h. */
#define PY_SSIZE_T_CLEAN
#include "foreign.h"

#include "common/foreign_file.h"

PyObject *foreign_file(PyObject *self, PyObject *args)
{
    char answer[SG_FOREIGN_ANSWER];
    const char *bytes;
    Py_ssize_t size;
    int is_whole, is_gzip;

    (void)self;
    if (!PyArg_ParseTuple(args, "y#pp", &bytes, &size, &is_whole, &is_gzip))
        return NULL;
    const sg_file_head head = { .bytes = bytes, .size = (size_t)size, .is_whole = is_whole,
                                .is_gzip = is_gzip };
    if (!sg_foreign_file(answer, &head))
        Py_RETURN_NONE;
    return PyUnicode_FromString(answer);
}
