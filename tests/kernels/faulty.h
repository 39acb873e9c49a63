/* faulty.h: a small method with faults to choose from, so that it can be seen that each property's
 * tests find what they are for. */
#ifndef TEST_FAULTY_H
#define TEST_FAULTY_H

#include "suite.h"

typedef struct faulty {
    const char *fault;           /* in words */
    property finds;              /* the property that must notice */
    bool by_plans;               /* by the tests through libspmv, else by the bare runner */
    const spmv_module *module;
} faulty;

/* The faultless one first. */
const faulty *faulty_modules(size_t *count);

/* The same modules as a table for spmv_device_add_modules. */
extern const spmv_module *const faulty_table[];

#endif
