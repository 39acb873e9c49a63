/* CSR-scalar: host code of the kernel. Nothing is converted. */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"

static i32 launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_launches(job, step);
    return add_kernel(step, 0, "csr_scalar_rows",
                      i64_ceil_div(job->layout->csr.rows, WORK_GROUP_SIZE));
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;

    /* Bytes of values and columns, four times, since each work-item reads cache lines of its own;
     * row pointers, x and y once. */
    layout->cost = (f64)a->nnz * entry_bytes(a) * 4 +
                   (f64)a->rows * (offset_bytes(a) + value_bytes(a)) +
                   (f64)a->cols * value_bytes(a);
    return borrowed_layout_size(layout);
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = borrowed_no_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
};
