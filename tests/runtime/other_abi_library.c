/* other_abi_library.c: a module of another ABI. Only its field `abi` may be read. */
#include "runtime/spmv_module.h"

static const spmv_module other = {.abi = SPMV_MODULE_ABI + 1, .name = (const char *)1};

extern const spmv_module *const spmv_module_table[];
const spmv_module *const spmv_module_table[] = {&other, NULL};
