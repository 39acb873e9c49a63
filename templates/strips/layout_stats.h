/* layout_stats.h: statistics of a layout, for reports. */
#ifndef SPMV_STRIPS_LAYOUT_STATS_H
#define SPMV_STRIPS_LAYOUT_STATS_H

#include "layout.h"
#include "layout_diagonals.h"
#include "layout_long_rows.h"
#include "layout_runs.h"

/* Bytes of segments of windows; advances *at to their end. */
static i64 run_bytes(const u16 **at, i32 segments)
{
    i64 words = 0;

    for (; segments > 0; segments--)
        words += RUN_HEAD + (*at)[words + 2] * RUN_WORDS;
    *at += words;
    return words * (i64)sizeof(u16);
}

/* Bytes of the columns of long rows of `entries` entries, as segments. */
static i64 segment_bytes(const i32 *index, i64 entries)
{
    i64 words = 0;

    while (entries > 0) {
        const i32 count = index[words + 1];
        words += SEGMENT_HEAD + segment_words(count);
        entries -= count;
    }
    return words * (i64)sizeof(i32);
}

/* Bytes of INDEX that a multiplication reads for the rows of strip s. */
static i64 row_column_bytes(const strips_matrix *a, i64 s)
{
    const strip *t = &a->strips[s];
    const i32 end = t->row + strip_row_count(t);
    const i32 *index = a->index + strip_index(t->entry, s);
    const u16 *at = (const u16 *)index;
    i64 bytes = 0;

    if (t->kind == STRIP_LANES) {
        const i64 long_nnz = row_begin(&a->row_ptr, end) - t->entry - t->wide - t->narrow;
        bytes = (i64)sizeof(i32) * t->wide + (i64)sizeof(u16) * t->narrow;
        return bytes + (t->has_segments ? segment_bytes(index + long_columns_begin(t), long_nnz)
                                        : (i64)sizeof(i32) * long_nnz);
    }
    if (t->kind == STRIP_DIAGONALS)
        return (i64)sizeof(i32) * PAIR * t->pairs;
    for (i32 row = t->row; row < end; row++)
        if (!(a->row[row] & SAME_COLUMNS))
            bytes += run_bytes(&at, a->row[row]);
    return bytes;
}

/* The same for the parts of split rows in strip s, too. */
static i64 column_bytes(const strips_matrix *a, i64 s)
{
    const strip *t = &a->strips[s];
    i64 bytes = row_column_bytes(a, s);

    for (i32 i = 0; i < STRIP_PARTS; i++) {
        const strip_part which = (strip_part)i;
        if (t->has_part[which]) {
            const part_range p = part_range_of(a, s, which, split_row_of(t, which));
            const u16 *at = (const u16 *)(a->index + p.index);
            bytes += t->part_segments[which] ? run_bytes(&at, t->part_segments[which])
                                             : (i64)sizeof(i32) * (p.end - p.begin);
        }
    }
    return bytes;
}

/* Adds the entries of each kind of coding in strip s to nnz[]. Returns the bytes that its values
 * take in VAL. */
static f64 count_codings(const strips_matrix *a, i64 s, f64 *nnz)
{
    f64 bytes = 0;

    for (i32 i = 0; i < STRIP_BLOCKS; i++) {
        const value_coding coding = coding_of(a, s, i);
        const part_range range = block_range(a, s, i);
        const f64 entries = (f64)(range.end - range.begin);
        nnz[coding.kind] += entries;
        bytes += (f64)coding.table * sizeof(real);
        bytes += (coding.kind == VALUES_PADDED ? (f64)a->strips[s].padded_values : entries) *
                 value_code_bytes(coding.kind);
    }
    return bytes;
}

/* Number of entries of a strip whose columns are stored for an earlier row or slice. */
static i64 shared_nnz(const strips_matrix *a, i64 s)
{
    const strip *t = &a->strips[s];
    const i32 end = t->row + strip_row_count(t);
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);
    i32 stored = 0;              /* pairs of the lists so far */
    i64 nnz = 0;

    for (i32 row = t->row; t->kind == STRIP_RUNS && row < end; row++)
        if (a->row[row] & SAME_COLUMNS)
            nnz += row_length(&a->row_ptr, row);
    for (i32 row = t->row; t->kind == STRIP_DIAGONALS && row < end; row += DIAGONAL_ROWS, list++) {
        if (list->first < stored)
            nnz += row_begin(&a->row_ptr, i64_min(row + DIAGONAL_ROWS, end)) -
                   row_begin(&a->row_ptr, row);
        else
            stored = list->first + list->pairs;
    }
    return nnz;
}

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    static const c8 *const names[STRIP_KINDS] = {
        "nonzeros in lanes and long rows", "nonzeros in diagonals", "nonzeros in runs"
    };
    const strips_matrix a = strips_view(layout);
    f64 nnz[STRIP_KINDS] = {0};
    f64 coded[VALUE_KINDS] = {0};
    f64 bytes_of_columns = 0;
    f64 bytes_of_values = 0;
    f64 shared = 0;
    f64 long_nnz = 0;
    f64 narrow = 0;
    f64 segmented = 0;
    f64 wide = 0;
    f64 diagonals = 0;
    i32 n = 0;

    for (i64 s = 0; s < a.strip_count; s++) {
        const strip *t = &a.strips[s];
        const i64 end = row_begin(&a.row_ptr, t->row + strip_row_count(t));
        const f64 entries = (f64)(end - t->entry);
        nnz[t->kind] += entries;
        bytes_of_columns += (f64)column_bytes(&a, s);
        bytes_of_values += count_codings(&a, s, coded);
        narrow += t->narrow;
        diagonals += 2.0 * t->pairs;
        shared += (f64)shared_nnz(&a, s);
        if (t->kind == STRIP_LANES) {
            long_nnz += entries - t->wide - t->narrow;
            segmented += t->has_segments ? entries - t->wide - t->narrow : 0;
            wide += t->wide + (t->has_segments ? 0 : entries - t->wide - t->narrow);
        }
    }
    n = add_figure(figure, n, "strips", "strips", (f64)a.strip_count);
    for (i32 k = 0; k < STRIP_KINDS; k++)
        n = add_figure(figure, n, names[k], "nonzeros", nnz[k]);
    n = add_figure(figure, n, "with the columns of others", "nonzeros", shared);
    n = add_figure(figure, n, "of lanes, with 16-bit columns", "nonzeros", narrow);
    n = add_figure(figure, n, "in long rows", "nonzeros", long_nnz);
    n = add_figure(figure, n, "of these, with 16-bit columns", "nonzeros", segmented);
    n = add_figure(figure, n, "with 32-bit columns", "nonzeros", wide);
    n = add_figure(figure, n, "diagonals", "diagonals", diagonals);
    n = add_figure(figure, n, "split rows", "rows", (f64)a.split_count);
    n = add_figure(figure, n, "bytes of a column", "bytes",
                   bytes_of_columns / (f64)i64_max(layout->csr.nnz, 1));
    n = add_figure(figure, n, "bytes of a value", "bytes",
                   bytes_of_values / (f64)i64_max(layout->csr.nnz, 1));
    n = add_figure(figure, n, "with equal values", "nonzeros", coded[VALUES_EQUAL]);
    n = add_figure(figure, n, "with codes of values", "nonzeros",
                   coded[VALUES_FEW] + coded[VALUES_BYTE]);
    n = add_figure(figure, n, "with values in f32", "nonzeros", coded[VALUES_SINGLE]);
    return n;
}

#endif
