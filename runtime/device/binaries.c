/* binaries.c: see binaries.h. */
#include "runtime/device/binaries.h"

#include <string.h>

const spmv_binary *spmv_binary_find(const spmv_module *module)
{
    for (size_t i = 0; spmv_builtin_binaries[i] != NULL; i++)
        for (const spmv_binary *b = spmv_builtin_binaries[i]; b->module != NULL; b++)
            if (b->source_hash == module->source_hash && strcmp(b->module, module->name) == 0)
                return b;
    return NULL;
}
