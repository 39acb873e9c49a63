/* builtin_binaries.c: the binaries that are linked into the library, and nothing else, so that a
 * program may bring a table of its own.
 *
 * Compiled as it stands there are none. To link tables in, define SPMV_BUILTIN_BINARIES(T) as a
 * sequence of T(name), as for builtin.c, and add the files that generated/embed_binaries.py wrote. */
#include "runtime/module/binaries.h"

#ifndef SPMV_BUILTIN_BINARIES
#define SPMV_BUILTIN_BINARIES(T)
#endif

#define DECLARE_TABLE(name) extern const spmv_binary name[];
#define NAME_TABLE(name) name,

SPMV_BUILTIN_BINARIES(DECLARE_TABLE)

const spmv_binary *const spmv_builtin_binaries[] = { SPMV_BUILTIN_BINARIES(NAME_TABLE) NULL };
