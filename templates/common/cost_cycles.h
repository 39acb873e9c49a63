/* cost_cycles.h: converts a CPU's cycles to bytes, the unit of the costs by which methods are
 * chosen. When all cores read memory, a core reads about BYTES_A_CYCLE bytes per cycle. Cycles were
 * fitted to measurements on a Zen 5 and a Sapphire Rapids. */
#ifndef SPMV_COMMON_COST_CYCLES_H
#define SPMV_COMMON_COST_CYCLES_H

#include "../prelude/base.h"

enum { BYTES_A_CYCLE = 5 };

static f64 step_cost(f64 cycles)
{
    return (f64)BYTES_A_CYCLE * cycles;
}

#endif
