/* launch_list.c: see launch_list.h. Thread-safe: no shared state. */
#include "runtime/device/launch_list.h"

#include <string.h>

/* The index of the kernel with this name. -1: none. */
static int32_t find_kernel(const spmv_program *program, const char *name)
{
    for (int32_t k = 0; k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].name, name) == 0)
            return k;
    return -1;
}

spmv_status spmv_launch_list_make(const spmv_module *module, const spmv_job *job,
                                  spmv_launch_list *list)
{
    spmv_step step[SPMV_MAX_STEPS];
    const int32_t count = module->ops->launches(job, step);

    list->count = 0;
    if (count < 0 || count > SPMV_MAX_STEPS)
        return SPMV_ABI_MISMATCH;
    for (int32_t i = 0; i < count; i++) {
        const int is_host = step[i].run != NULL;
        const int32_t k = is_host ? SPMV_HOST_STEP : find_kernel(module->program, step[i].name);

        if (step[i].grid < 0 || (!is_host && k < 0))
            return SPMV_ABI_MISMATCH;
        if (step[i].grid == 0)
            continue;
        list->launch[list->count].step = step[i];
        list->launch[list->count++].kernel = k;
    }
    return SPMV_OK;
}

const spmv_step *spmv_launch_list_host_step(const spmv_launch_list *list)
{
    for (int32_t i = 0; i < list->count; i++)
        if (list->launch[i].kernel == SPMV_HOST_STEP)
            return &list->launch[i].step;
    return NULL;
}
