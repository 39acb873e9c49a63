/* prepared.h: what all multiplications of a plan have in common. It is found when the plan is
 * created, because a small matrix is multiplied in less time than finding it takes.
 *
 * Constant after creation, except that an update of the values may move one of the ranges.
 */
#ifndef SPMV_PREPARED_H
#define SPMV_PREPARED_H

#include "runtime/core/operands.h"

typedef struct spmv_prepared {
    int32_t steps;               /* 0: none is prepared; a device multiplies, there are no rows, or
                                    the module's list breaks the contract */
    spmv_step step[SPMV_MAX_STEPS];      /* of a multiplication whose alpha is not 0 */
    spmv_operands operands;      /* of one vector */
    spmv_ranges ranges;          /* of the layout */
} spmv_prepared;

/* Prepares the multiplications of a layout that was built. */
void spmv_prepared_fill(spmv_prepared *prepared, const spmv_module *module,
                        const spmv_layout *layout);

#endif
