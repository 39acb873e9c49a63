/* helpers.h: the includes with which the C files beside it compile on their own. In emitted files
 * the preambles of the dialect and of the table have these includes; nothing of this file is
 * emitted.
 *
 * The C files hold functions for one value type between #ifdef REAL_IS_TYPE and #endif.
 * -DREAL_IS_F32 selects f32. The default, for editors too, is f64. */
#ifndef SPMV_ISA_HELPERS_H
#define SPMV_ISA_HELPERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef REAL_IS_F32
#define REAL_IS_F64 1
#endif

#endif
