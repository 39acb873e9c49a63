/* find_rows.h: the caller's matrix and the rows of a strip, for choosing and building. */
#ifndef SPMV_STRIPS_FIND_ROWS_H
#define SPMV_STRIPS_FIND_ROWS_H

#include "layout.h"

/* The structure of the caller's CSR. */
typedef struct csr_source {
    row_offsets row_ptr;
    const i32 *col_idx;
    i64 nnz;
    i64 strip_weight;
    i32 rows, cols, base;
} csr_source;

static csr_source source_of(const spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    csr_source a;
    a.row_ptr = row_offsets_of(csr);
    a.col_idx = csr->col_idx;
    a.nnz = csr->nnz;
    a.strip_weight = layout->number[NUMBER_STRIP_WEIGHT];
    a.rows = (i32)csr->rows;
    a.cols = (i32)csr->cols;
    a.base = csr->base;
    return a;
}

/* The rows of a strip without its split row. Their order: rows longer than BOUNDARY, then rows by
 * falling length, then rows without entries. */
typedef struct strip_rows {
    i32 first, count;
    i64 entry;                   /* the first entry, in CSR */
    i32 nnz;
    i32 over_boundary;           /* rows longer than BOUNDARY */
    i32 not_empty;               /* rows with entries */
    bool is_split;               /* a split row begins after these rows */
    bool is_sorted;              /* over_boundary, not_empty, order and length are set */
    u16 order[CHUNK_WEIGHT + WHOLE_ROWS];
    u16 length[CHUNK_WEIGHT + WHOLE_ROWS];       /* in that order */
} strip_rows;

/* The first row of strip s, or the number of rows. It is a multiple of WHOLE_ROWS, unless these
 * rows weigh much, as a split row does. So in f64 only the matrix's last slice of diagonals lacks
 * rows, and y, and x on the main diagonal, are as aligned as vectors. */
static i32 strip_begin(const csr_source *a, i64 s)
{
    const i32 row = row_at_weight(&a->row_ptr, a->rows, s * a->strip_weight);
    const i32 whole = row - row % WHOLE_ROWS;
    const i64 weight =
        row - whole + row_begin(&a->row_ptr, row) - row_begin(&a->row_ptr, whole);

    return row < a->rows && weight <= a->strip_weight / WHOLE_SHARE ? whole : row;
}

/* The rows of strip s, not sorted yet. */
static void find_strip_rows(const csr_source *a, i64 s, strip_rows *r)
{
    const i32 end = strip_begin(a, s + 1);

    r->first = strip_begin(a, s);
    r->is_split = end > r->first && row_length(&a->row_ptr, end - 1) > a->strip_weight;
    r->count = end - r->first - r->is_split;
    r->entry = row_begin(&a->row_ptr, r->first);
    r->nnz = (i32)(row_begin(&a->row_ptr, r->first + r->count) - r->entry);
    r->is_sorted = false;
}

static i32 length_class(i64 length)
{
    return length > BOUNDARY ? 0 : BOUNDARY + 1 - (i32)length;
}

/* Sorts the rows once, by a stable counting sort. */
static void sort_rows(const csr_source *a, strip_rows *r)
{
    i32 place[BOUNDARY + 2] = {0};
    i32 sum = 0;

    if (r->is_sorted)
        return;
    r->is_sorted = true;
    for (i32 i = 0; i < r->count; i++)
        place[length_class(row_length(&a->row_ptr, r->first + i))]++;
    r->over_boundary = place[0];
    r->not_empty = r->count - place[BOUNDARY + 1];
    for (i32 c = 0; c < BOUNDARY + 2; c++) {
        const i32 rows = place[c];
        place[c] = sum;
        sum += rows;
    }
    for (i32 i = 0; i < r->count; i++) {
        const i64 length = row_length(&a->row_ptr, r->first + i);
        const i32 to = place[length_class(length)]++;
        r->order[to] = (u16)i;
        r->length[to] = (u16)length;
    }
}

/* The first entry of the row at a position of the order. */
static i64 ordered_begin(const csr_source *a, const strip_rows *r, i32 position)
{
    return row_begin(&a->row_ptr, r->first + r->order[position]);
}

#endif
