/* CSR-vector: host code of the kernels. Nothing is converted; there is a list of long rows:
 *
 *   long_row       i32[long rows]: rows with more than LONGEST_OF_LANE nonzeros for a work-item
 */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"
#include "layout_lanes.h"

enum { LONG_ROW, ARRAY_COUNT };                              /* spmv_layout.array */

enum { NUMBER_LOG2_LANES, NUMBER_LONG_ROWS, NUMBER_COUNT };  /* spmv_layout.number */

static const c8 *const number_names[NUMBER_COUNT] = { "log2_lanes", "long_rows" };

/* Log2 of the number of work-items of each row, without WHOLE_GROUP: two, or more if a row of
 * average length has at least two nonzeros for each. */
static i64 log2_lanes(const spmv_csr *a)
{
    i64 log2 = LANES > 1;

    while (2 << log2 <= LANES && a->rows << (log2 + 2) <= a->nnz)
        log2++;
    return log2;
}

/* Lists the rows that a work-group adds; counts them if `list` is NULL. */
static i64 list_long_rows(const spmv_layout *layout, i32 *list)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i64 longest = (i64)LONGEST_OF_LANE << layout->number[NUMBER_LOG2_LANES];
    i64 count = 0;

    for (i64 r = 0; r < layout->csr.rows; r++) {
        if (row_length(&row_ptr, r) > longest) {
            if (list)
                list[count] = (i32)r;
            count++;
        }
    }
    return count;
}

static void build_long_rows(const spmv_job *job, i64 first, i64 last)
{
    (void)first;
    (void)last;
    list_long_rows(job->layout, (i32 *)job->layout->array[LONG_ROW].data);
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    return layout->number[NUMBER_LONG_ROWS]
               ? add_step(step, 0, "build_long_rows", build_long_rows, 1) : 0;
}

/* Work-groups of csr_vector_rows. */
static i64 row_groups(const spmv_layout *layout)
{
    return i64_ceil_div(layout->csr.rows, WORK_GROUP_SIZE >> layout->number[NUMBER_LOG2_LANES]);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 long_rows = job->layout->number[NUMBER_LONG_ROWS];
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "csr_vector_rows", row_groups(job->layout));
    if (long_rows)
        n = add_kernel(step, n, "csr_vector_long_rows", long_rows);
    return n;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const i64 most_groups = 0xffffffff / WORK_GROUP_SIZE;    /* AMD's drivers refuse more items */
    i64 long_rows;

    borrowed_layout_size(layout);
    layout->number[NUMBER_LOG2_LANES] =
        WHOLE_GROUP ? u32_trailing_zeros(WORK_GROUP_SIZE) : log2_lanes(a);
    long_rows = list_long_rows(layout, NULL);
    if (row_groups(layout) > most_groups || long_rows > most_groups)
        return SPMV_OVERFLOW;
    layout->number[NUMBER_LONG_ROWS] = long_rows;
    layout->array_count = ARRAY_COUNT;

    /* Bytes of values, columns, row pointers, x and y, each once; and half of the work-items are
     * idle at the end of a row. */
    layout->cost = (f64)a->nnz * entry_bytes(a) +
                   (f64)a->rows * (offset_bytes(a) + value_bytes(a) +
                                   (f64)(1 << layout->number[NUMBER_LOG2_LANES]) / 2 *
                                   entry_bytes(a)) +
                   (f64)a->cols * value_bytes(a);
    return set_array(layout, LONG_ROW, "long_row", long_rows, sizeof(i32));
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
};
