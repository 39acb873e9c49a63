/* binaries.h: programs of modules, compiled when the library was built. A device loads a binary
 * instead of compiling the text. Binaries are constant and live as long as the library. */
#ifndef SPMV_BINARIES_H
#define SPMV_BINARIES_H

#include "runtime/spmv_module.h"

typedef struct spmv_binary {
    const char *module;          /* spmv_module.name; NULL ends a table */
    uint64_t source_hash;        /* of the module: a binary of other sources does not fit it */
    int32_t capability;          /* minimum compute capability, as in spmv_program */
    const void *image;           /* in the driver's format, aligned to 8 */
    size_t bytes;
} spmv_binary;

/* The tables that were linked into the library, NULL-terminated; builtin_binaries.c. */
extern const spmv_binary *const spmv_builtin_binaries[];

/* The binary of exactly this module. NULL: none. */
const spmv_binary *spmv_binary_find(const spmv_module *module);

#endif
