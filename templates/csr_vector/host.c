/* CSR-vector: host code of the kernel. Nothing is converted. */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"

enum { GROUP_ROWS = WORK_GROUP_SIZE / LANES };

static i32 launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_launches(job, step);
    return add_kernel(step, 0, "csr_vector_rows",
                      i64_ceil_div(job->layout->csr.rows, GROUP_ROWS));
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const i64 most_work_items = 0xffffffff;      /* of a launch: AMD's drivers refuse more */

    if (i64_ceil_div(a->rows, GROUP_ROWS) * WORK_GROUP_SIZE > most_work_items)
        return SPMV_OVERFLOW;

    /* Bytes of values, columns, row pointers, x and y, each once; and half of the lanes are idle at
     * the end of a row. */
    layout->cost = (f64)a->nnz * entry_bytes(a) +
                   (f64)a->rows * (offset_bytes(a) + value_bytes(a) +
                                   LANES / 2 * entry_bytes(a)) +
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
