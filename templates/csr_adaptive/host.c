/* CSR-Adaptive: host code of the kernels. row_block has two words for each block.
 *
 *   part_sum       real[blocks], of the workspace: the sum of each block that is part of a row
 */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"
#include "build.h"
#include "layout.h"
#include "layout_block.h"
#include "layout_stats.h"

enum { NUMBER_LONG_ROW_ITEMS = NUMBER_LONG_ROWS + 1, NUMBER_COUNT };     /* spmv_layout.number */

static const c8 *const number_names[NUMBER_COUNT] = { "blocks", "long_rows", "long_row_items" };

enum { MOST_BLOCKS = 2147483647 };       /* part and work-group numbers are i32 */

/* Number of work-items that add the parts of a long row: a power of two, one for each part of the
 * longest row if the group has that many. More work-items than parts do not change a sum. */
static i64 long_row_items(i64 longest)
{
    i64 items = 1;

    while (items < WORK_GROUP_SIZE && items * LONG_ROW_PART < longest)
        items *= 2;
    return items;
}

static i64 longest_row(const spmv_csr *csr)
{
    const row_offsets row_ptr = row_offsets_of(csr);
    i64 longest = 0;

    for (i64 r = 0; r < csr->rows; r++)
        longest = i64_max(longest, row_length(&row_ptr, r));
    return longest;
}

static spmv_status device_layout_size(spmv_layout *layout)
{
    spmv_status status = layout_size(layout);
    const i64 blocks = layout->number[NUMBER_BLOCKS];
    const i64 long_rows = layout->number[NUMBER_LONG_ROWS];
    const i64 longest = long_rows ? longest_row(&layout->csr) : 0;

    if (status)
        return status;
    if (blocks > MOST_BLOCKS)
        return SPMV_OVERFLOW;
    if (longest > 0xffffffff)    /* see block_begin */
        return SPMV_UNSUPPORTED;
    layout->number[NUMBER_LONG_ROW_ITEMS] = long_row_items(longest);
    status = set_array(layout, ROW_BLOCK, "row_block", BLOCK_WORDS * (blocks + 1), sizeof(i32));
    layout->workspace_bytes = 0;
    if (!status)
        status = add_part(layout, "part_sum", long_rows ? blocks : 0,
                          value_bytes(&layout->csr), 0);
    return status;
}

static void build_row_blocks(const spmv_job *job, i64 first, i64 last)
{
    i32 *word = (i32 *)job->layout->array[ROW_BLOCK].data;
    i64 *long_block = (i64 *)job->layout->array[LONG_BLOCK].data;
    packed_block block = no_block(job->layout);
    i64 b = 0;

    (void)first;
    (void)last;
    for (; next_block(&block); b++) {
        *word++ = block_word(block.row, block.part >= 0);
        *word++ = (i32)(u32)block.begin;
        if (block.part == 0)
            *long_block++ = b;
    }
    *word++ = block_word(block.rows, false);
    *word = (i32)(u32)job->layout->csr.nnz;
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    return add_step(step, 0, "build_row_blocks", build_row_blocks, 1);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 *number = job->layout->number;
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "csr_adaptive_blocks", number[NUMBER_BLOCKS]);
    if (number[NUMBER_LONG_ROWS])
        n = add_kernel(step, n, "csr_adaptive_long_rows",
                       i64_ceil_div(number[NUMBER_LONG_ROWS],
                                    WORK_GROUP_SIZE / number[NUMBER_LONG_ROW_ITEMS]));
    return n;
}

/* From WORK_GROUP_SIZE / 2 + 1 rows on, log2_items gives each row one work-item in any case. */
static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    return block_stats(layout, figure,
                       SCALAR_ROWS <= WORK_GROUP_SIZE / 2 ? SCALAR_ROWS : WORK_GROUP_SIZE / 2 + 1);
}

static const spmv_method_ops method_ops = {
    .layout_size = device_layout_size,
    .build_steps = build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
};
