/* plan.h: what every plan begins with, whatever its shell adds: a module's layout of a matrix.
 *
 * A plan is constant once created, except that an update of its values changes csr.val and the
 * layout's values, and must not run concurrently with other calls on the plan.
 */
#ifndef SPMV_CORE_PLAN_H
#define SPMV_CORE_PLAN_H

#include "runtime/base/atomic.h"
#include "runtime/core/layout.h"
#include "runtime/core/threads/team.h"

typedef struct spmv_core {
    const spmv_module *module;
    spmv_layout layout;          /* the plan owns its arrays. csr points to the arrays that the
                                    module borrows, or to their copies below; its other pointers
                                    are NULL */
    void *copy[SPMV_CSR_ARRAYS]; /* copies of the arrays that the module borrows */
    spmv_threads threads;
    size_t layout_bytes;         /* of layout arrays and copies */
    spmv_atomic_pointer workspace;       /* of one multiplication. In a bundle: NULL while a
                                            multiplication has it */
} spmv_core;

#endif
