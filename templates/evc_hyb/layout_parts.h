/* layout_parts.h: how the parts of a split row are added, the same on CPUs and on work-items. */
#ifndef SPMV_EVC_HYB_LAYOUT_PARTS_H
#define SPMV_EVC_HYB_LAYOUT_PARTS_H

#include "../prelude/base.h"

enum { FEW_PARTS = 16 };         /* up to this many are added in order, more by a whole group */

#endif
