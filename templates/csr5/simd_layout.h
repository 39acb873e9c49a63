/* simd_layout.h: the array that only CPUs have: runs of empty rows. Each chunk of tiles writes a
 * share of the empty rows.
 *
 *   empty_run    i32[runs][2]: first row, number of rows (at most EMPTY_RUN_ROWS)
 */
#ifndef SPMV_CSR5_SIMD_LAYOUT_H
#define SPMV_CSR5_SIMD_LAYOUT_H

#include "build_sizes.h"
#include "layout.h"

enum {                           /* spmv_layout.array */
    EMPTY_RUN = FORM_ARRAYS,
    ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_RUNS = FORM_NUMBERS,  /* runs of empty rows */
    NUMBER_GRID                  /* grid of a launch: an index has a share of chunks and runs */
};

enum {
    EMPTY_RUN_ROWS = 4096,       /* most rows of a run: equal shares of runs are equal work */
    EMPTY_GRID_ROWS = 65536      /* empty rows for each index of the grid */
};

static i64 form_described_tiles(i64 nnz, i32 tile_size)
{
    return nnz / tile_size;
}

static spmv_status form_arrays(spmv_layout *layout)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i64 chunks = layout->number[NUMBER_CHUNKS];
    i64 empty_rows = 0;
    i64 runs = 0;
    i64 run_rows = 0;
    spmv_status status;

    for (i64 r = 0; r < layout->csr.rows; r++) {
        if (row_length(&row_ptr, r) != 0) {
            run_rows = 0;
            continue;
        }
        empty_rows++;
        if (run_rows == 0)
            runs++;
        run_rows = run_rows + 1 == EMPTY_RUN_ROWS ? 0 : run_rows + 1;
    }
    layout->array_count = ARRAY_COUNT;
    layout->number[NUMBER_RUNS] = runs;
    layout->number[NUMBER_GRID] = i64_max(chunks, i64_ceil_div(empty_rows, EMPTY_GRID_ROWS));

    /* Two partial sums for each chunk: of the row that it continues, and of the row left open. */
    status = set_array(layout, EMPTY_RUN, "empty_run", 2 * runs, sizeof(i32));
    return status ? status : set_workspace(layout, 2 * chunks, value_bytes(&layout->csr));
}

static void build_empty_run(const spmv_job *job, i64 first, i64 last)
{
    const row_offsets row_ptr = row_offsets_of(&job->layout->csr);
    const i64 rows = job->layout->csr.rows;
    i32 *run = (i32 *)job->layout->array[EMPTY_RUN].data;
    const i64 runs = job->layout->number[NUMBER_RUNS];
    i32 r = 0;

    (void)first;
    (void)last;
    for (i64 i = 0; i < runs; i++) {
        while (row_length(&row_ptr, r) != 0)
            r++;
        run[2 * i] = r;
        while (r < rows && r - run[2 * i] < EMPTY_RUN_ROWS && row_length(&row_ptr, r) == 0)
            r++;
        run[2 * i + 1] = r - run[2 * i];
    }
}

static i32 form_build_steps(const spmv_layout *layout, spmv_step *step, i32 count)
{
    if (!layout->number[NUMBER_RUNS])
        return count;
    return add_step(step, count, "build_empty_run", build_empty_run, 1);
}

#endif
