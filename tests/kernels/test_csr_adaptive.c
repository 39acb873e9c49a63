/* test_csr_adaptive.c: the row blocks that csr_adaptive's template makes for devices, with the
 * parameters of its paper: 8 bytes a block (V-C), and what work-items read from them.
 */
#include "templates/csr_adaptive/host.c"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

enum { MOST_ROWS = 4000, LONG_PART = 2 * 1536 };

typedef struct plan {
    i32 row_ptr[MOST_ROWS + 1];
    spmv_layout layout;
    const u32 *word;             /* two for each block */
    i64 blocks;
} plan;

static void plan_create(plan *p, const i32 *length, i32 rows)
{
    spmv_layout *layout = &p->layout;
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};

    memset(p, 0, sizeof *p);
    for (i32 r = 0; r < rows; r++)
        p->row_ptr[r + 1] = p->row_ptr[r] + length[r];
    layout->csr.rows = rows;
    layout->csr.cols = 1000;
    layout->csr.nnz = p->row_ptr[rows];
    layout->csr.row_ptr = p->row_ptr;
    layout->csr.offset_type = SPMV_I32;
    layout->csr.value_type = SPMV_F64;
    if (method_ops.layout_size(layout))
        exit(1);
    for (i32 i = 0; i < layout->array_count; i++)
        layout->array[i].data = malloc(layout->array[i].bytes + 1);
    job.layout = layout;
    method_ops.build_steps(layout, step);
    step[0].run(&job, 0, 1);
    p->word = (const u32 *)layout->array[ROW_BLOCK].data;
    p->blocks = layout->number[NUMBER_BLOCKS];
}

static void plan_destroy(plan *p)
{
    for (i32 i = 0; i < p->layout.array_count; i++)
        free(p->layout.array[i].data);
}

/* Whether the entries hold each row and each nonzero once, in order, and mark the parts of rows of
 * more than NNZ_multiplier * NNZ_PER_WG nonzeros. */
static bool entries_are_right(const plan *p)
{
    const spmv_csr *csr = &p->layout.csr;
    i64 next = 0;
    bool right = true;

    for (i64 b = 0; right && b < p->blocks; b++) {
        const i64 row = p->word[2 * b] & 0x7fffffff;
        const i64 end = p->word[2 * b + 2] & 0x7fffffff;
        const i64 length = p->row_ptr[row + 1] - p->row_ptr[row];

        right = p->word[2 * b + 1] == next && p->word[2 * b] >> 31 == (length > LONG_PART);
        next = p->word[2 * b + 3];
        right = right && (length > LONG_PART || next == p->row_ptr[end]);
        right = right && (length <= LONG_PART || next == p->row_ptr[row + 1] ||
                          next - p->word[2 * b + 1] == LONG_PART);
    }
    return right && next == csr->nnz && p->word[2 * p->blocks] == (u32)csr->rows;
}

static void test_plans(void)
{
    i32 length[MOST_ROWS];
    plan p;

    for (i32 r = 0; r < MOST_ROWS; r++)
        length[r] = r % 1000 == 7 ? 10000 : r % 100 == 3 ? 3072 : r % 10 == 1 ? 700 : r % 5;
    plan_create(&p, length, MOST_ROWS);
    ok(entries_are_right(&p), "short, long and very long rows: entries hold each nonzero once");
    ok(p.layout.array[ROW_BLOCK].bytes == 8 * (usize)(p.blocks + 1),
       "short, long and very long rows: 8 bytes for each of %d blocks", (int)p.blocks);
    plan_destroy(&p);

    plan_create(&p, length, 0);
    ok(p.blocks == 0 && entries_are_right(&p), "no row: no block");
    plan_destroy(&p);
}

/* V-C: in f64 row blocks are 0.0611 % of CSR on average, and at most 0.0823 %. */
static void test_storage(void)
{
    i32 length[MOST_ROWS];
    f64 share = 0;
    plan p;

    for (i32 r = 0; r < MOST_ROWS; r++)
        length[r] = 40 + r % 20;
    plan_create(&p, length, MOST_ROWS);
    for (i32 i = 0; i < p.layout.array_count; i++)
        share += 100.0 * (f64)p.layout.array[i].bytes;
    share /= 12.0 * (f64)p.layout.csr.nnz + 4.0 * (MOST_ROWS + 1);
    ok(share > 0.04 && share < 0.0611, "rows of 50: row blocks are %.4f %% of CSR", share);
    plan_destroy(&p);
}

static void test_work_items(void)
{
    bool right = true;

    for (i32 rows = 1; rows <= 1536; rows++) {
        i32 items = 1;
        while (items * 2 * rows <= 256)
            items *= 2;
        right = right && 1 << log2_items(KIND_STREAM, rows) == items;
    }
    ok(right, "Figure 3: a row has the largest power of two of work-items that suffice");
    ok(block_begin(5, ((i64)1 << 32) - 100) == ((i64)1 << 32) + 5 &&
       block_begin(7, ((i64)3 << 32) + 7) == ((i64)3 << 32) + 7,
       "beyond 2^32 nonzeros, the row pointer completes a block's first nonzero");
}

int main(void)
{
    test_plans();
    test_storage();
    test_work_items();
    return tap_done();
}
