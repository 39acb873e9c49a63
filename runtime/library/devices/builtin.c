/* builtin.c: see builtin.h.
 *
 * By default the list is empty, and modules come from spmv_device_add_modules or
 * spmv_device_load_modules. To link tables in, define SPMV_BUILTIN_TABLES(T) as a sequence of
 * T(name) when compiling this file, and add the files that define them:
 *
 *     cc -c '-DSPMV_BUILTIN_TABLES(T)=T(spmv_modules__a) T(spmv_modules__b)' builtin.c
 */
#include "runtime/library/devices/builtin.h"

#ifndef SPMV_BUILTIN_TABLES
#define SPMV_BUILTIN_TABLES(T)
#endif

#define DECLARE_TABLE(name) extern const spmv_module *const name[];
#define NAME_TABLE(name) name,

SPMV_BUILTIN_TABLES(DECLARE_TABLE)

const spmv_module *const *const spmv_builtin_tables[] = {SPMV_BUILTIN_TABLES(NAME_TABLE) NULL};
