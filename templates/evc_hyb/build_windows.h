/* build_windows.h: the rows of the ELL part in windows of SORT_WINDOW, which are sorted by
 * themselves, so that neighbouring rows stay near each other in x and y.
 *
 * The rows of the ELL part are taken in the order of the matrix; every SORT_WINDOW of them are a
 * window. Within a window the order is by falling length, then by row. A window is a whole number
 * of slices, but for the last one, which ends with the last slice.
 */
#ifndef SPMV_EVC_HYB_BUILD_WINDOWS_H
#define SPMV_EVC_HYB_BUILD_WINDOWS_H

#include "build_sort.h"
#include "layout.h"

/* Reads the rows of the ELL part in the order of the matrix. Longer rows than longest, and the
 * first `moved` rows of that length, are in the vCSR part. */
typedef struct ell_reader {
    row_offsets row_ptr;
    i64 rows, row;
    i64 longest, moved;
} ell_reader;

static ell_reader ell_reader_of(const spmv_csr *csr, i64 longest, i64 moved)
{
    ell_reader r;

    r.row_ptr = row_offsets_of(csr);
    r.rows = csr->rows;
    r.row = 0;
    r.longest = longest;
    r.moved = moved;
    return r;
}

/* Whether the next row, of this length, is in the ELL part. */
static bool takes_row(ell_reader *r, i64 length)
{
    const bool is_longest = length == r->longest;

    if (length > 0 && length <= r->longest && !(is_longest && r->moved > 0))
        return true;
    if (is_longest)
        r->moved--;
    return false;
}

/* The next row; -1: there is none. */
static i64 next_ell_row(ell_reader *r)
{
    while (r->row < r->rows) {
        const i64 row = r->row++;

        if (takes_row(r, row_length(&r->row_ptr, row)))
            return row;
    }
    return -1;
}

/* Counts the next window's rows of each length. Returns their number. */
static i64 count_window(ell_reader *r, i64 *count)
{
    i64 rows = 0;

    for (i32 length = 0; length <= BOUNDARY; length++)
        count[length] = 0;
    while (rows < SORT_WINDOW) {
        const i64 row = next_ell_row(r);
        if (row < 0)
            break;
        count[row_length(&r->row_ptr, row)]++;
        rows++;
    }
    return rows;
}

/* The reader of a matrix: count has the rows of each length, of which the ELL part lacks the `left`
 * longest. */
static ell_reader counted_ell_reader(const spmv_csr *csr, const i64 *count, i64 left)
{
    i32 longest = longest_ell_row(csr);

    while (left > 0 && left >= count[longest])
        left -= count[longest--];
    return ell_reader_of(csr, longest, left);
}

/* The reader of a layout whose vCSR part has been sorted. */
static ell_reader sorted_ell_reader(const spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const i32 *row_of = (const i32 *)layout->array[ROW_OF].data;
    i64 longest = longest_ell_row(csr);
    i64 moved = 0;
    i64 p = layout->number[NUMBER_VCSR_ROWS] - 1;

    if (p >= 0)
        longest = i64_min(longest, row_length(&row_ptr, row_of[p]));
    for (; p >= 0 && row_length(&row_ptr, row_of[p]) == longest; p--)
        moved++;
    return ell_reader_of(csr, longest, moved);
}

/* Sorts a window and puts its rows at row_of. */
static void sort_window(const sort_view *s, i64 rows, i32 *row_of)
{
    const sort_key *sorted = sort_keys(s->keys, s->other, rows);

    for (i64 i = 0; i < rows; i++)
        row_of[i] = sorted[i].row;
}

/* After all rows were sorted by length: sorts those of the ELL part by windows. */
static void sort_windows(const spmv_job *job, i64 first, i64 last)
{
    const sort_view s = sort_view_of(job);
    i32 *row_of = (i32 *)job->layout->array[ROW_OF].data;
    ell_reader reader = sorted_ell_reader(job->layout);
    i64 position = job->layout->number[NUMBER_VCSR_ROWS];
    i64 rows = 0;

    (void)first;
    (void)last;
    for (i64 row = next_ell_row(&reader); row >= 0; row = next_ell_row(&reader)) {
        s.keys[rows].key = (u32)(BOUNDARY - row_length(&s.row_ptr, row));
        s.keys[rows].row = (i32)row;
        rows++;
        if (rows == SORT_WINDOW) {
            sort_window(&s, rows, row_of + position);
            position += rows;
            rows = 0;
        }
    }
    sort_window(&s, rows, row_of + position);
}

#endif
