/* CSR-Adaptive: host code of the kernels. A kernel gets a descriptor of each row block. With only
 * the list of blocks it would have to search for its part of a long row, and to wait for row
 * pointers before it loads nonzeros.
 *
 *   block          i32[blocks][8]: the words BLOCK_ROW, BLOCK_ROWS, ..., see there
 *   part_sum       real[blocks], of the workspace: the sum of each block that is part of a row
 */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"
#include "build.h"
#include "layout.h"
#include "layout_block.h"
#include "layout_stats.h"

enum { BLOCK = ARRAY_COUNT, DEVICE_ARRAY_COUNT };        /* spmv_layout.array */

enum { NUMBER_LONG_ROW_ITEMS = NUMBER_LONG_ROWS + 1, NUMBER_COUNT };     /* spmv_layout.number */

static const c8 *const number_names[NUMBER_COUNT] = { "blocks", "long_rows", "long_row_items" };

enum { MOST_BLOCKS = 2147483647 };       /* part and work-group numbers are i32 */

/* Number of work-items that add the parts of a long row: a power of two, one for each part of the
 * longest row if the group has that many. More work-items than parts do not change a sum. */
static i64 long_row_items(const spmv_layout *layout)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    i64 longest = 0;
    i64 items = 1;

    for (i64 r = 0; r < layout->csr.rows; r++)
        longest = i64_max(longest, row_length(&row_ptr, r));
    while (items < WORK_GROUP_SIZE && items * LONG_ROW_PART < longest)
        items *= 2;
    return items;
}

static spmv_status device_layout_size(spmv_layout *layout)
{
    spmv_status status = layout_size(layout);
    const i64 blocks = layout->number[NUMBER_BLOCKS];
    const i64 long_rows = layout->number[NUMBER_LONG_ROWS];

    if (status)
        return status;
    if (blocks > MOST_BLOCKS)
        return SPMV_OVERFLOW;
    layout->number[NUMBER_LONG_ROW_ITEMS] = long_rows ? long_row_items(layout) : 1;
    layout->array_count = DEVICE_ARRAY_COUNT;
    status = set_array(layout, BLOCK, "block", BLOCK_WORDS * blocks, sizeof(i32));
    layout->workspace_bytes = 0;
    if (!status)
        status = add_part(layout, "part_sum", long_rows ? blocks : 0,
                          value_bytes(&layout->csr), 0);
    return status;
}

/* Log2 of the number of work-items that each row gets: the largest for which the group suffices,
 * or one work-item in a CSR-Stream block of many rows. */
static i32 log2_items(i32 kind, i32 rows)
{
    i32 times = 0;

    if (kind == KIND_STREAM && rows >= SCALAR_ROWS)
        return 0;
    while ((i64)rows << (times + 1) <= WORK_GROUP_SIZE)
        times++;
    return times;
}

static void build_blocks(const spmv_job *job, i64 first, i64 last)
{
    const adaptive_matrix a = adaptive_view(job->layout);
    i32 *word = (i32 *)job->layout->array[BLOCK].data;
    i64 part = 0;

    (void)first;
    (void)last;
    for (i64 b = 0; b < a.blocks; b++, word += BLOCK_WORDS) {
        const i32 row = a.row_block[b];
        const i32 kind = block_kind(&a, b);
        const i32 rows = kind == KIND_VECTOR_L ? 1 : a.row_block[b + 1] - row;
        i64 begin = row_begin(&a.row_ptr, row);
        i64 end = row_begin(&a.row_ptr, row + rows);

        part = b && row == a.row_block[b - 1] ? part + 1 : 0;
        if (kind == KIND_VECTOR_L) {
            begin += part * LONG_ROW_PART;
            end = i64_min(begin + LONG_ROW_PART, end);
        }
        word[BLOCK_ROW] = row;
        word[BLOCK_ROWS] = rows;
        word[BLOCK_KIND] = kind;
        word[BLOCK_TIMES] = log2_items(kind, rows);
        word[BLOCK_COUNT] = (i32)(end - begin);
        word[BLOCK_BEGIN] = (i32)(u32)begin;
        word[BLOCK_BEGIN + 1] = (i32)(u32)((u64)begin >> 32);
        word[BLOCK_WORDS - 1] = 0;
    }
}

static i32 device_build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i32 n = build_steps(layout, step);
    return add_step(step, n, "build_blocks", build_blocks, 1);
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
    .build_steps = device_build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
};
