/* layout_parts.h: the parts of a split row, and how they are added: the same for work-items and for
 * CPUs. */
#ifndef SPMV_EVC_HYB_LAYOUT_PARTS_H
#define SPMV_EVC_HYB_LAYOUT_PARTS_H

#include "../prelude/base.h"

enum { FEW_PARTS = 16 };         /* are added in order; more, as a whole group of work-items does
                                    it */

#endif
