/* test_csr_vector.c: how many work-items of csr_vector's template add a row on GPUs. A variant of
 * tests/kernels/meson.build says whether a whole work-group does (TEST_WHOLE_GROUP).
 */
#include "templates/csr_vector/host.c"

#include "tests/tap.h"

enum { ROWS = 100 };

/* Work-groups of the first kernel, for rows of this length. */
static i64 groups_of(i32 length)
{
    i32 row_ptr[ROWS + 1];
    spmv_layout layout = {0};
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    for (i32 r = 0; r <= ROWS; r++)
        row_ptr[r] = r * length;
    layout.csr.rows = ROWS;
    layout.csr.cols = 1000;
    layout.csr.nnz = row_ptr[ROWS];
    layout.csr.row_ptr = row_ptr;
    layout.csr.offset_type = SPMV_I32;
    layout.csr.value_type = SPMV_F64;
    if (method_ops.layout_size(&layout))
        return -1;
    job.layout = &layout;
    job.alpha = 1;
    return method_ops.launches(&job, step) ? step[0].grid : -1;
}

int main(void)
{
    /* Of 64 work-items, 2, 4 or 8 (LANES) add a row by the average length. */
    ok(groups_of(1) == (WHOLE_GROUP ? ROWS : 4), "rows of 1: %d work-items a row",
       WHOLE_GROUP ? 64 : 2);
    ok(groups_of(8) == (WHOLE_GROUP ? ROWS : 7), "rows of 8: %d work-items a row",
       WHOLE_GROUP ? 64 : 4);
    ok(groups_of(200) == (WHOLE_GROUP ? ROWS : 13), "rows of 200: %d work-items a row",
       WHOLE_GROUP ? 64 : 8);
    return tap_done();
}
