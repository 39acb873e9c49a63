/* compiler_table.c: see compiler_table.h. */
#include "generator/words/compiler_table.h"

#include <stddef.h>

const char *const sg_metric_names[SG_METRICS + 1] = {
    "registers", "scalar_registers", "spills", "scalar_spills", "local_bytes", "scratch_bytes",
    "simd_width", "waves", NULL,
};
