/* find_rows.h: finds runs of rows with the same distances from the main diagonal. In stencils and
 * bands most rows have the distances of the row before, so each run is examined once. */
#ifndef SPMV_SYMMETRIC_FIND_ROWS_H
#define SPMV_SYMMETRIC_FIND_ROWS_H

#include "../prelude/host.h"

/* Rows from `row` to before `end`, of equal length. The last `count` entries of each are those on
 * and above the main diagonal; entry `first` is the first of these in the first row. */
typedef struct row_run {
    i64 row, end;
    i64 first, count;
    i64 length;                  /* of a row */
} row_run;

/* Whether `count` columns are those of the row before, each moved by one. */
static bool is_moved(const i32 *before, const i32 *col, i64 count)
{
    i32 differ = 0;

    for (i64 i = 0; i < count; i++)
        differ |= (col[i] - before[i]) ^ 1;
    return differ == 0;
}

/* The run that begins at `row`, up to row `limit`. Columns ascend. */
static row_run find_run(const spmv_csr *csr, const row_offsets *row_ptr, i64 row, i64 limit)
{
    const i32 *col = csr->col_idx;
    const i64 begin = row_begin(row_ptr, row);
    i64 at = row_begin(row_ptr, row + 1);    /* of the last row's first entry of the `count` */
    row_run run;

    run.row = row;
    run.end = row + 1;
    run.length = at - begin;
    run.count = 0;
    while (at > begin && col[at - 1] - csr->base >= row) {
        at--;
        run.count++;
    }
    run.first = at;
    /* An entry below the main diagonal must not be on it in the next row. */
    while (run.end < limit && row_length(row_ptr, run.end) == run.length &&
           is_moved(col + at, col + at + run.length, run.count) &&
           (run.count == run.length || col[at + run.length - 1] - csr->base < run.end)) {
        at += run.length;
        run.end++;
    }
    return run;
}

#endif
