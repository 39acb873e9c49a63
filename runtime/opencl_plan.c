/* opencl_plan.c: a plan on an OpenCL device: its program, and what the device sees of its layout.
 *
 *     host                         device
 *     layout, borrowed arrays ---> csr[], array[]         when the plan is made, and for new values
 *     x, y (unless beta is 0) ---> lane.x, lane.y         each execute
 *                                  kernels
 *     y                       <--- lane.y
 *
 * Each arrow is a copy, or nothing where host and device share the memory (opencl_memory.h).
 */
#include "opencl_plan.h"

#include "error.h"
#include "memory.h"
#include "types.h"

#include <string.h>

/* ---- what arguments are -------------------------------------------------------------------- */

static const struct {
    const char *name;
    ocl_binding binding;
} known_arguments[] = {
    { "row_ptr", { FROM_CSR, SPMV_ROW_PTR } }, { "col_idx", { FROM_CSR, SPMV_COL_IDX } },
    { "val", { FROM_CSR, SPMV_VAL } },         { "x", { FROM_X, 0 } },
    { "y", { FROM_Y, 0 } },                    { "alpha", { FROM_ALPHA, 0 } },
    { "beta", { FROM_BETA, 0 } },              { "rows", { FROM_ROWS, 0 } },
    { "cols", { FROM_COLS, 0 } },              { "nnz", { FROM_NNZ, 0 } },
    { "base", { FROM_BASE, 0 } },
};

/* Names of a layout come before those of the matrix, which a method may have its own copy of. */
static ocl_binding find_binding(const spmv_plan *plan, const char *name)
{
    const spmv_layout *layout = &plan->layout;
    const spmv_method_ops *ops = plan->module->ops;

    for (int32_t i = 0; i < layout->array_count; i++)
        if (strcmp(layout->array[i].name, name) == 0)
            return (ocl_binding){ FROM_ARRAY, i };
    for (int32_t i = 0; i < layout->part_count; i++)
        if (strcmp(layout->part[i].name, name) == 0)
            return (ocl_binding){ FROM_PART, i };
    for (int32_t i = 0; i < ops->number_count; i++)
        if (strcmp(ops->number_names[i], name) == 0)
            return (ocl_binding){ FROM_NUMBER, i };
    for (size_t i = 0; i < sizeof known_arguments / sizeof known_arguments[0]; i++)
        if (strcmp(known_arguments[i].name, name) == 0)
            return known_arguments[i].binding;
    return (ocl_binding){ FROM_NOTHING, 0 };
}

static int is_pointer(const spmv_argument *argument)
{
    return argument->kind == SPMV_ARGUMENT_READ || argument->kind == SPMV_ARGUMENT_READ_WRITE;
}

static spmv_status bind_kernel(ocl_plan *p, int32_t k, spmv_error *err)
{
    const spmv_kernel *kernel = &p->plan->module->program->kernels[k];

    for (int32_t i = 0; i < kernel->argument_count; i++) {
        const spmv_argument *argument = &kernel->arguments[i];
        const ocl_binding binding = find_binding(p->plan, argument->name);
        const int gives_pointer = binding.source >= FROM_CSR && binding.source <= FROM_Y;

        if (binding.source == FROM_NOTHING || gives_pointer != is_pointer(argument))
            return spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: kernel "
                                  "%.64s takes %s '%.64s', which nothing is called",
                                  p->plan->module->name, kernel->name,
                                  is_pointer(argument) ? "an array" : "a value", argument->name);
        p->binding[k][i] = binding;
    }
    return SPMV_OK;
}

/* ---- layouts ------------------------------------------------------------------------------- */

static spmv_status take_csr(ocl_plan *p, int32_t which, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    const spmv_csr *csr = &layout->csr;
    const struct {
        int32_t borrowed;
        const char *name;
        const void *data;
        size_t bytes;
    } arrays[SPMV_CSR_ARRAYS] = {
        [SPMV_ROW_PTR] = { SPMV_BORROWS_ROW_PTR, "row_ptr", csr->row_ptr,
                           ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type) },
        [SPMV_COL_IDX] = { SPMV_BORROWS_COL_IDX, "col_idx", csr->col_idx,
                           (size_t)csr->nnz * sizeof(int32_t) },
        [SPMV_VAL] = { SPMV_BORROWS_VAL, "val", csr->val,
                       (size_t)csr->nnz * spmv_value_bytes(csr->value_type) },
    };

    if (!(layout->borrows & arrays[which].borrowed))
        return SPMV_OK;
    return ocl_area_take(p->state, arrays[which].name, arrays[which].data, arrays[which].bytes,
                         &p->csr[which], err);
}

static spmv_status take_array(ocl_plan *p, int32_t i, spmv_error *err)
{
    const spmv_array *array = &p->plan->layout.array[i];

    return ocl_area_take(p->state, array->name, array->data, array->bytes, &p->array[i], err);
}

static spmv_status take_layout(ocl_plan *p, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    for (int32_t i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        status = take_csr(p, i, err);
    for (int32_t i = 0; i < p->plan->layout.array_count && status == SPMV_OK; i++)
        status = take_array(p, i, err);
    return status;
}

spmv_status ocl_plan_take_values(void *plan_state, spmv_error *err)
{
    ocl_plan *p = (ocl_plan *)plan_state;
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = take_csr(p, SPMV_VAL, err);

    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        if (layout->value_arrays >> i & 1)
            status = take_array(p, i, err);
    return status;
}

/* ---- plans --------------------------------------------------------------------------------- */

void ocl_plan_destroy(void *plan_state)
{
    ocl_plan *p = (ocl_plan *)plan_state;

    if (p == NULL)
        return;
    for (int i = 0; i < OCL_LANES; i++)
        ocl_lane_free(p, &p->lane[i]);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        ocl_buffer_free(p->state, &p->csr[i].buffer);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        ocl_buffer_free(p->state, &p->array[i].buffer);
    if (p->program != NULL)
        p->state->api.ReleaseProgram(p->program);
    spmv_memory_free(p);
}

spmv_status ocl_plan_create(void *state, const spmv_plan *plan, void **plan_state, spmv_error *err)
{
    ocl_plan *p = spmv_memory_alloc_zeroed(sizeof *p);
    spmv_status status = SPMV_OK;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan's state");
    p->state = (ocl_state *)state;
    p->plan = plan;
    p->shares = ocl_shares(p->state, plan->module);
    for (int i = 0; i < OCL_LANES; i++)
        atomic_flag_clear(&p->lane[i].busy);
    for (int32_t k = 0; k < plan->module->program->kernel_count && status == SPMV_OK; k++)
        status = bind_kernel(p, k, err);
    if (status == SPMV_OK)
        status = ocl_program_build(p->state, plan->module, &p->program, err);
    if (status == SPMV_OK)
        status = take_layout(p, err);
    if (status == SPMV_OK)
        status = ocl_lane_make(p, &p->lane[0], err);
    if (status != SPMV_OK) {
        ocl_plan_destroy(p);
        return status;
    }
    *plan_state = p;
    return SPMV_OK;
}
