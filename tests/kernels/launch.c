/* launch.c: see launch.h. */
#include "launch.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "shim.h"

/* Finds the array that a kernel's argument names; false: no array has that name. */
static bool find_pointer(const spmv_job *job, const char *name, const void **out)
{
    const spmv_layout *l = job->layout;
    const struct {
        const char *name;
        const void *data;
    } known[] = {
        { "row_ptr", l->csr.row_ptr }, { "col_idx", l->csr.col_idx }, { "val", l->csr.val },
        { "x", job->x }, { "y", job->y },
    };

    for (int32_t i = 0; i < l->array_count; i++)
        if (strcmp(l->array[i].name, name) == 0) {
            *out = l->array[i].data;
            return true;
        }
    for (int32_t i = 0; i < l->part_count; i++)
        if (strcmp(l->part[i].name, name) == 0) {
            *out = l->part[i].bytes ? (const char *)job->workspace + l->part[i].offset : NULL;
            return true;
        }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) {
            *out = known[i].data;
            return true;
        }
    return false;
}

static bool find_integer(const spmv_method_ops *ops, const spmv_job *job, const char *name,
                         int64_t *out)
{
    const spmv_csr *csr = &job->layout->csr;
    const struct {
        const char *name;
        int64_t value;
    } known[] = {
        { "rows", csr->rows }, { "cols", csr->cols }, { "nnz", csr->nnz }, { "base", csr->base },
    };

    for (int32_t i = 0; i < ops->number_count; i++)
        if (strcmp(ops->number_names[i], name) == 0) {
            *out = job->layout->number[i];
            return true;
        }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) {
            *out = known[i].value;
            return true;
        }
    return false;
}

/* The value of an argument. */
typedef union argument_value {
    const void *pointer;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
} argument_value;

static bool find_argument(const spmv_method_ops *ops, const spmv_job *job,
                          const spmv_argument *argument, argument_value *out)
{
    const bool is_alpha = strcmp(argument->name, "alpha") == 0;
    const double real = is_alpha ? job->alpha : job->beta;
    int64_t integer = 0;

    switch (argument->kind) {
    case SPMV_ARGUMENT_READ:
    case SPMV_ARGUMENT_READ_WRITE: return find_pointer(job, argument->name, &out->pointer);
    case SPMV_ARGUMENT_F32: out->f32 = (float)real; break;
    case SPMV_ARGUMENT_F64: out->f64 = real; break;
    case SPMV_ARGUMENT_I32:
        if (!find_integer(ops, job, argument->name, &integer))
            return false;
        out->i32 = (int32_t)integer;
        return integer == out->i32;
    case SPMV_ARGUMENT_I64: return find_integer(ops, job, argument->name, &out->i64);
    }
    return is_alpha || strcmp(argument->name, "beta") == 0;
}

static const spmv_kernel *find_kernel(const spmv_module *module, const char *name)
{
    for (int32_t k = 0; module->program && k < module->program->kernel_count; k++)
        if (strcmp(module->program->kernels[k].name, name) == 0)
            return &module->program->kernels[k];
    return NULL;
}

const char *launch_kernel(const spmv_module *module, const spmv_step *step, const spmv_job *job,
                          uint64_t seed)
{
    static char text[256];
    const spmv_kernel *kernel = find_kernel(module, step->name);
    const shim_kernel *of_shim = kernel ? shim_find(module->name, kernel->symbol) : NULL;
    argument_value value[SPMV_MAX_ARGUMENTS];
    const void *argument[SPMV_MAX_ARGUMENTS];

    if (!kernel || !of_shim) {
        snprintf(text, sizeof text, "there is no kernel '%s'", step->name);
        return text;
    }
    for (int32_t i = 0; i < kernel->argument_count; i++) {
        argument[i] = &value[i];
        if (!find_argument(module->ops, job, &kernel->arguments[i], &value[i])) {
            snprintf(text, sizeof text, "argument '%s' of kernel '%s' is nothing's name",
                     kernel->arguments[i].name, step->name);
            return text;
        }
    }
    return shim_run(of_shim, argument,
                    (shim_shape){ step->grid, kernel->work_group_size,
                                  module->program->subgroup_size, kernel->local_bytes },
                    seed);
}
