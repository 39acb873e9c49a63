/* helpers.h: what the C files beside it are compiled against where they stand by themselves. The
 * preamble of the dialect and of the table has the same in emitted files; nothing of this file is
 * emitted.
 *
 * The C files hold functions for one value type between #ifdef REAL_IS_TYPE and #endif. A compiler
 * is told the type by -DREAL_IS_F32. Without it, as in an editor, it is f64. */
#ifndef SPMV_ISA_HELPERS_H
#define SPMV_ISA_HELPERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef REAL_IS_F32
#define REAL_IS_F64 1
#endif

#endif
