/* layout_classic.h: the choices of SEGMENTED_SUM. CLASSIC is the product that the paper starts from
 * and compares CSR5 with (section 2.2.2, Algorithms 2 and 3): it multiplies the caller's CSR, and
 * builds no layout. The workspace of a multiplication:
 *
 *   flag         u8[nnz]: 1 if a row begins with the nonzero
 *   product      real[nnz]: the products; then, at the first nonzero of a row, the row's sum
 *   carry        real[chunks]: the sum of a chunk's products before its first flag
 *   head         i64[chunks]: the last nonzero of a chunk that has a flag, or -1
 *
 * A chunk is the part of the products that one thread, or one work-group, sums. Every step needs
 * the step before it to be complete:
 *
 *   clear, flags     each row that has nonzeros flags its first one
 *   products         each nonzero is multiplied by its x
 *   sums             the sum of each segment within a chunk goes to the place of its first product
 *   carries          a segment that continues in further chunks gets their parts, in order
 *   gather           each row takes its sum from its first nonzero; a row without nonzeros has 0
 */
#ifndef SPMV_CSR5_LAYOUT_CLASSIC_H
#define SPMV_CSR5_LAYOUT_CLASSIC_H

#include "../prelude/base.h"

enum { HEAD_FLAGS, PREFIX_DIFFERENCE, CLASSIC };

/* Nonzeros of a chunk on work-items, each of which has CLASSIC_STEPS neighbouring ones. */
enum { CLASSIC_STEPS = 8, CLASSIC_BLOCK = CLASSIC_STEPS * WORK_GROUP_SIZE };

#endif
