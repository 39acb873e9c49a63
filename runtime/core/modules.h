/* modules.h: a list of modules, and which of them may be chosen. All modules of a bundle are
 * for its device. */
#ifndef SPMV_MODULES_H
#define SPMV_MODULES_H

#include "runtime/spmv_module.h"

typedef enum spmv_module_state {
    SPMV_MODULE_USABLE,
    SPMV_MODULE_LACKS_CPU,       /* this CPU lacks the module's instructions, or its page excludes
                                    this CPU */
#if !SPMV_BUNDLE
    SPMV_MODULE_OTHER_TARGET,    /* the device was opened for one target */
#endif
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    SPMV_MODULE_OTHER_DEVICE     /* the device does not run it */
#endif
} spmv_module_state;

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
enum { SPMV_REFUSAL_SIZE = 128 };
#endif

typedef struct spmv_module_entry {
    const spmv_module *module;
    spmv_module_state state;
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    char why[SPMV_REFUSAL_SIZE]; /* the reason for SPMV_MODULE_OTHER_DEVICE, to end a sentence; else
                                    "" */
#endif
} spmv_module_entry;

typedef struct spmv_module_list {
    spmv_module_entry *entry;    /* by state, then rank (highest first), then name */
    size_t count;
    size_t usable_count;
} spmv_module_list;

#endif
