/* prepared.c: see prepared.h. Thread-safe: no shared state. */
#include "runtime/library/plan/prepared.h"

#include <string.h>

/* Drops steps without chunks. Returns the number of the others; 0: the list breaks the contract, or
 * is empty. */
static int32_t list_steps(const spmv_module *module, const spmv_layout *layout,
                          spmv_step step[SPMV_MAX_STEPS])
{
    const spmv_job job = {.layout = layout, .alpha = 1};
    const int32_t listed = module->ops->launches(&job, step);
    int32_t count = 0;

    if (listed < 0 || listed > SPMV_MAX_STEPS)
        return 0;
    for (int32_t i = 0; i < listed; i++) {
        if (step[i].grid < 0 || (step[i].grid > 0 && step[i].run == NULL))
            return 0;
        if (step[i].grid > 0)
            step[count++] = step[i];
    }
    return count;
}

void spmv_prepared_fill(spmv_prepared *prepared, const spmv_module *module,
                        const spmv_layout *layout)
{
    memset(prepared, 0, sizeof *prepared);
    prepared->operands = spmv_operands_of(layout, module->ops);
    spmv_ranges_find(&prepared->ranges, layout);
    if (prepared->operands.y_bytes > 0 && module->program == NULL)
        prepared->steps = list_steps(module, layout, prepared->step);
}
