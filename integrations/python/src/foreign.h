/* foreign.h: recognises files of other formats, as spmvbench does. */
#ifndef SPMVGEN_FOREIGN_H
#define SPMVGEN_FOREIGN_H

#include <Python.h>

/* foreign_file(head, is_whole, is_gzip): the answer of common/foreign_file.h, or None. head: bytes,
 * the first of the file; is_whole: all of it; is_gzip: decompressed. */
PyObject *foreign_file(PyObject *self, PyObject *args);

#endif
