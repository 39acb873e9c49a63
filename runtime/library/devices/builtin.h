/* builtin.h: the tables of modules that were linked into the library. */
#ifndef SPMV_BUILTIN_H
#define SPMV_BUILTIN_H

#include "runtime/spmv_module.h"

/* NULL-terminated. */
extern const spmv_module *const *const spmv_builtin_tables[];

#endif
