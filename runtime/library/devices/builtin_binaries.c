/* builtin_binaries.c: the binaries that are linked into the library. Nothing else is in this file,
 * so that a program may link a table of its own instead.
 *
 * By default the list is empty. To link tables in, define SPMV_BUILTIN_BINARIES(T) as a
 * sequence of T(name), as for builtin.c, and add the files that generated/embed_binaries.py
 * wrote. */
#include "runtime/device/binaries.h"

#ifndef SPMV_BUILTIN_BINARIES
#define SPMV_BUILTIN_BINARIES(T)
#endif

#define DECLARE_TABLE(name) extern const spmv_binary name[];
#define NAME_TABLE(name) name,

SPMV_BUILTIN_BINARIES(DECLARE_TABLE)

const spmv_binary *const spmv_builtin_binaries[] = { SPMV_BUILTIN_BINARIES(NAME_TABLE) NULL };
