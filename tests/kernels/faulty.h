/* faulty.h: a small method with selectable faults, to test that the tests of each property find
 * their fault. */
#ifndef TEST_FAULTY_H
#define TEST_FAULTY_H

#include "suite.h"

typedef struct faulty {
    const char *fault;           /* description */
    property finds;              /* the property that must notice */
    bool by_plans;               /* the tests through libspmv find it; else the tests by the bare
                                    runner do */
    const spmv_module *module;
} faulty;

/* The module without a fault comes first. */
const faulty *faulty_modules(size_t *count);

/* The same modules as a table for spmv_device_add_modules. */
extern const spmv_module *const faulty_table[];

#endif
