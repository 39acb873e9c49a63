/* layout_lanes.h: which rows csr_vector_rows adds on GPUs. */
#ifndef SPMV_CSR_VECTOR_LAYOUT_LANES_H
#define SPMV_CSR_VECTOR_LAYOUT_LANES_H

#include "../prelude/base.h"

/* Most nonzeros of each work-item of a row. Work-items of other rows in the subgroup wait for the
 * longest row; a longer one goes to a work-group of its own. */
enum { LONGEST_OF_LANE = 32 };

#endif
