/* arguments.c: see arguments.h. */
#include "runtime/device/arguments.h"

#include "runtime/base/error.h"
#include "runtime/core/layout.h"

#include <string.h>

/* ---- names --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    spmv_binding binding;
} known_arguments[] = {
    { "row_ptr", { SPMV_FROM_CSR, SPMV_ROW_PTR } }, { "col_idx", { SPMV_FROM_CSR, SPMV_COL_IDX } },
    { "val", { SPMV_FROM_CSR, SPMV_VAL } },         { "x", { SPMV_FROM_X, 0 } },
    { "y", { SPMV_FROM_Y, 0 } },                    { "alpha", { SPMV_FROM_ALPHA, 0 } },
    { "beta", { SPMV_FROM_BETA, 0 } },              { "rows", { SPMV_FROM_ROWS, 0 } },
    { "cols", { SPMV_FROM_COLS, 0 } },              { "nnz", { SPMV_FROM_NNZ, 0 } },
    { "base", { SPMV_FROM_BASE, 0 } },
};

static spmv_binding binding_of(spmv_source source, int32_t index)
{
    const spmv_binding binding = { source, index };

    return binding;
}

/* Names in the layout win over names of the matrix, since a method may have a copy of its own. */
static spmv_binding find_binding(const spmv_module *module, const spmv_layout *layout,
                                 const char *name)
{
    const spmv_method_ops *ops = module->ops;

    for (int32_t i = 0; i < layout->array_count; i++)
        if (strcmp(layout->array[i].name, name) == 0)
            return binding_of(SPMV_FROM_ARRAY, i);
    for (int32_t i = 0; i < layout->part_count; i++)
        if (strcmp(layout->part[i].name, name) == 0)
            return binding_of(SPMV_FROM_PART, i);
    for (int32_t i = 0; i < ops->number_count; i++)
        if (strcmp(ops->number_names[i], name) == 0)
            return binding_of(SPMV_FROM_NUMBER, i);
    for (size_t i = 0; i < sizeof known_arguments / sizeof known_arguments[0]; i++)
        if (strcmp(known_arguments[i].name, name) == 0)
            return known_arguments[i].binding;
    return binding_of(SPMV_FROM_NOTHING, 0);
}

static int is_pointer(spmv_argument_kind kind)
{
    return kind == SPMV_ARGUMENT_READ || kind == SPMV_ARGUMENT_READ_WRITE;
}

static spmv_status bind_kernel(const spmv_module *module, const spmv_layout *layout,
                               const spmv_kernel *kernel, spmv_binding *bindings, spmv_error *err)
{
    for (int32_t i = 0; i < kernel->argument_count; i++) {
        const spmv_argument *argument = &kernel->arguments[i];
        const spmv_binding binding = find_binding(module, layout, argument->name);
        const int gives_pointer = binding.source >= SPMV_FROM_CSR && binding.source <= SPMV_FROM_Y;

        if (binding.source == SPMV_FROM_NOTHING || gives_pointer != is_pointer(argument->kind))
            return spmv_error_set(err, SPMV_ABI_MISMATCH,
                                  "%.64s breaks the module contract: kernel "
                                  "%.64s takes %s '%.64s', which nothing is called",
                                  module->name, kernel->name,
                                  is_pointer(argument->kind) ? "an array" : "a value",
                                  argument->name);
        bindings[i] = binding;
    }
    return SPMV_OK;
}

spmv_status spmv_arguments_bind(const spmv_module *module, const spmv_layout *layout,
                                spmv_bindings bindings, spmv_error *err)
{
    const spmv_program *program = module->program;
    spmv_status status = SPMV_OK;

    for (int32_t k = 0; k < program->kernel_count && status == SPMV_OK; k++)
        status = bind_kernel(module, layout, &program->kernels[k], bindings[k], err);
    return status;
}

/* ---- values -------------------------------------------------------------------------------- */

static int64_t integer_of(const spmv_job *job, spmv_binding b)
{
    const spmv_layout *layout = job->layout;

    switch (b.source) {
    case SPMV_FROM_ROWS: return layout->csr.rows;
    case SPMV_FROM_COLS: return layout->csr.cols;
    case SPMV_FROM_NNZ: return layout->csr.nnz;
    case SPMV_FROM_BASE: return layout->csr.base;
    case SPMV_FROM_NUMBER: return layout->number[b.index];
    default: return 0;
    }
}

static double real_of(const spmv_job *job, spmv_binding b)
{
    return b.source == SPMV_FROM_ALPHA ? job->alpha
           : b.source == SPMV_FROM_BETA ? job->beta : (double)integer_of(job, b);
}

size_t spmv_argument_value(const spmv_job *job, spmv_binding binding, spmv_argument_kind kind,
                           spmv_scalar *value)
{
    switch (kind) {
    case SPMV_ARGUMENT_I32:
        value->i32 = (int32_t)integer_of(job, binding);
        return sizeof value->i32;
    case SPMV_ARGUMENT_I64: value->i64 = integer_of(job, binding); return sizeof value->i64;
    case SPMV_ARGUMENT_F32: value->f32 = (float)real_of(job, binding); return sizeof value->f32;
    case SPMV_ARGUMENT_F64: value->f64 = real_of(job, binding); return sizeof value->f64;
    default: return 0;
    }
}
