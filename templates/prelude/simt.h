/* simt.h: words of kernels that are written for one of many work-items.
 *
 * WORK_GROUP_SIZE work-items make a work-group, and share local memory; work-groups share nothing
 * and run in any order. Nothing is said about which work-items run in lock step: what one writes
 * another may read behind a barrier alone, and all work-items of a group must come to the same
 * barriers.
 *
 * None of these words has a body: each language has its own.
 */
#ifndef SPMV_PRELUDE_SIMT_H
#define SPMV_PRELUDE_SIMT_H

#include "base.h"

#define LOCAL_MEMORY static     /* before an array in a kernel's outermost block: the group shares it */
#define LOCAL                   /* before a pointer's type: it points to local memory */

/* Which of the launch's work-groups this is, from 0. */
i64 group_index(void);

/* Which of the group's work-items this is: 0 to WORK_GROUP_SIZE - 1. */
i32 item_index(void);

/* Waits for all work-items of the group; what they wrote to local memory can then be read. */
void group_barrier(void);

#endif
