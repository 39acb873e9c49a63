/* modules.h: a list of modules, and which of them may be chosen. */
#ifndef SPMV_MODULES_H
#define SPMV_MODULES_H

#include "runtime/spmv_module.h"

typedef enum spmv_module_state {
    SPMV_MODULE_USABLE,
    SPMV_MODULE_LACKS_CPU,       /* this CPU lacks the module's instructions, or its page excludes
                                    this CPU */
    SPMV_MODULE_OTHER_TARGET,    /* the device was opened for one target */
    SPMV_MODULE_OTHER_DEVICE     /* the device does not run it */
} spmv_module_state;

enum { SPMV_REFUSAL_SIZE = 128 };

typedef struct spmv_module_entry {
    const spmv_module *module;
    spmv_module_state state;
    char why[SPMV_REFUSAL_SIZE]; /* of SPMV_MODULE_OTHER_DEVICE, to end a sentence; else "" */
} spmv_module_entry;

typedef struct spmv_module_list {
    spmv_module_entry *entry;    /* by state, then rank (highest first), then name */
    size_t count;
    size_t usable_count;
} spmv_module_list;

#endif
