/* build.h: converts CSR into the layout of EVC-HYB, updates its values, and restores CSR. */
#ifndef SPMV_EVC_HYB_BUILD_H
#define SPMV_EVC_HYB_BUILD_H

#include "../common/layout_columns.h"
#include "build_columns.h"
#include "build_sizes.h"
#include "build_sort.h"
#include "build_windows.h"
#include "layout.h"
#include "layout_chunks.h"

/* ---- tables -------------------------------------------------------------------------------- */

/* Builds the bins of the windows, whose rows are sorted. */
static void build_window_bins(const spmv_job *job)
{
    const row_offsets row_ptr = row_offsets_of(&job->layout->csr);
    const evc_matrix a = evc_view(job->layout);
    const i32 *row_of = a.row_of + a.vcsr_rows;
    ell_bin *bin = (ell_bin *)job->layout->array[ELL_BIN].data;
    bin_counter cut = {0};

    for (i64 begin = 0; begin < a.ell_rows; begin += SORT_WINDOW) {
        const i64 end = i64_min(begin + SORT_WINDOW, a.ell_rows);
        i64 next = begin;
        for (i64 i = begin; i < end; i = next) {
            const i64 length = row_length(&row_ptr, row_of[i]);
            while (next < end && row_length(&row_ptr, row_of[next]) == length)
                next++;
            add_rows_of_length(&cut, bin, (i32)length, next - i);
        }
    }
    if (cut.bins)
        bin[cut.bins] = cut.end;
}

/* Builds the bins from the number of rows of each length, which the sort has counted. */
static void build_bins(const spmv_job *job)
{
    const sort_view s = sort_view_of(job);
    const i32 longest = longest_ell_row(&job->layout->csr);
    ell_bin *bin = (ell_bin *)job->layout->array[ELL_BIN].data;
    bin_counter cut = {0};
    i64 left = 0;

    for (i32 length = 1; length <= longest; length++)
        left += sort_rows_of_length(&s, length);
    left %= ALIGNMENT;
    for (i32 length = longest; length > 0; length--) {
        const i64 count = sort_rows_of_length(&s, length);
        const i64 moved = i64_min(left, count);
        add_rows_of_length(&cut, bin, length, count - moved);
        left -= moved;
    }
    if (cut.bins)
        bin[cut.bins] = cut.end;
}

/* Sets vcsr_ptr, and the first part of each split row. */
static void build_vcsr_ptr(const spmv_job *job)
{
    const spmv_csr *csr = &job->layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const evc_matrix a = evc_view(job->layout);
    void *vcsr_ptr = job->layout->array[VCSR_PTR].data;
    i64 *part_ptr = (i64 *)job->layout->array[PART_PTR].data;
    i64 end = 0;

    set_row_offset(csr, vcsr_ptr, 0, 0);
    if (part_ptr)
        part_ptr[0] = 0;
    for (i32 p = 0; p < a.vcsr_rows; p++) {
        const i64 length = row_length(&row_ptr, a.row_of[p]);
        if (VCSR_ALIGNMENT > 1)
            end = aligned_entry(end);
        end += length;
        set_row_offset(csr, vcsr_ptr, p + 1, end);
        if (p < a.split_rows)
            part_ptr[p + 1] = part_ptr[p] + parts_of(length);
    }
}

static void build_ell_length(const spmv_job *job)
{
    const row_offsets row_ptr = row_offsets_of(&job->layout->csr);
    const evc_matrix a = evc_view(job->layout);
    i32 *length = (i32 *)job->layout->array[ELL_LENGTH].data;

    for (i32 b = 0; b < a.bins; b++) {
        const i32 *row_of = slice_rows(&a, a.bin[b].slice);
        for (i32 lane = 0; a.bin[b].mixed != PURE && lane < ALIGNMENT; lane++)
            length[a.bin[b].mixed * ALIGNMENT + lane] = (i32)row_length(&row_ptr, row_of[lane]);
    }
}

static void build_tables(const spmv_job *job, i64 first, i64 last)
{
    (void)first;
    (void)last;
    if (SORT_WINDOW)
        build_window_bins(job);
    else
        build_bins(job);
    build_vcsr_ptr(job);
    build_ell_length(job);
}

/* ---- entries ------------------------------------------------------------------------------- */

typedef enum move_task { TASK_BUILD, TASK_UPDATE, TASK_RESTORE } move_task;

/* The arrays between which entries are moved; NULL if there is no such array. */
typedef struct entry_move {
    move_task task;
    i32 base;
    i32 cols;
    const i32 *column;           /* maps columns, counted from 0; NULL: they stay */
    const i32 *csr_col;          /* for TASK_BUILD */
    const real *csr_val;         /* for TASK_BUILD and TASK_UPDATE */
    i32 *col_out;                /* for TASK_RESTORE; either may be NULL */
    real *val_out;
    i32 *ell_col, *vcsr_col;
    u16 *ell_narrow, *vcsr_narrow;       /* with NARROW_SPAN, as the next one */
    const u64 *column_words;
    real *ell_val, *vcsr_val;
} entry_move;

/* Columns of a slice or of a piece of the vCSR part: in one of two arrays. */
typedef struct column_range {
    i32 *wide;
    u16 *narrow;                 /* NULL: they are wide */
    i32 first;                   /* narrow ones count from here */
} column_range;

static void set_column(const column_range *c, i64 at, i32 col)
{
    if (NARROW_SPAN > 0 && c->narrow)
        c->narrow[at] = (u16)(col - c->first);
    else
        c->wide[at] = col;
}

static i32 column_of(const column_range *c, i64 at)
{
    if (NARROW_SPAN > 0 && c->narrow)
        return c->first + c->narrow[at];
    return c->wide[at];
}

/* The columns that this word places. */
static column_range narrow_or_wide(u64 word, i32 *wide, u16 *narrow, i32 base, i32 unit)
{
    const i64 begin = columns_begin(word, unit);
    column_range c = {NULL, NULL, base};

    if (word_is_narrow(word)) {
        c.narrow = narrow + begin;
        c.first = first_column(word);
    } else {
        c.wide = wide + begin;
    }
    return c;
}

/* Columns of a slice, the entries of which begin at `entry`. */
static column_range columns_of_slice(const entry_move *m, i32 slice, i64 entry)
{
    column_range c = {m->ell_col + entry, NULL, m->base};

    (void)slice;
    if (NARROW_SPAN)
        c = narrow_or_wide(m->column_words[slice], m->ell_col, m->ell_narrow, m->base, ALIGNMENT);
    return c;
}

/* Columns of the piece with this word, the entries of which begin at `entry`. */
static column_range columns_of_piece(const entry_move *m, i64 word, i64 entry)
{
    column_range c = {m->vcsr_col + entry, NULL, m->base};

    (void)word;
    if (NARROW_SPAN)
        c = narrow_or_wide(m->column_words[word], m->vcsr_col, m->vcsr_narrow, m->base,
                           COLUMN_UNIT);
    return c;
}

/* If x is permuted, maps columns to positions and, to restore CSR, positions to columns. */
static const i32 *column_map(const spmv_job *job, move_task task)
{
    if (!job->layout->permutes_x || task == TASK_UPDATE)
        return NULL;
    if (task == TASK_RESTORE)
        return (const i32 *)job->layout->array[ROW_OF].data;
    const sort_view s = sort_view_of(job);
    return sort_positions(&s);
}

static entry_move entry_move_of(const spmv_job *job, move_task task)
{
    const spmv_array *array = job->layout->array;
    entry_move m;

    m.task = task;
    m.base = job->layout->csr.base;
    m.cols = (i32)job->layout->csr.cols;
    m.column = column_map(job, task);
    m.csr_col = job->layout->csr.col_idx;
    m.csr_val = csr_val(job->layout);
    m.col_out = job->col_idx_out;
    m.val_out = (real *)job->val_out;
    m.ell_col = (i32 *)array[ELL_COL].data;
    m.ell_val = (real *)array[ELL_VAL].data;
    m.vcsr_col = (i32 *)array[VCSR_COL].data;
    m.vcsr_val = (real *)array[VCSR_VAL].data;
    if (NARROW_SPAN) {
        m.ell_narrow = (u16 *)array[ELL_NARROW].data;
        m.vcsr_narrow = (u16 *)array[VCSR_NARROW].data;
        m.column_words = (const u64 *)array[COLUMN_WORDS].data;
    }
    return m;
}

/* Maps one column. An invalid column stays as it is. */
static i32 moved_column(const entry_move *m, i32 col)
{
    const u32 from_zero = (u32)col - (u32)m->base;

    return m->column && from_zero < (u32)m->cols ? m->column[from_zero] + m->base : col;
}

/* Places of the columns of a piece, with padding. */
static i64 padded_columns(i64 own, i64 count)
{
    (void)own;
    if (NARROW_SPAN)
        return i64_ceil_div(count, COLUMN_UNIT) * COLUMN_UNIT;
    return aligned_entry(own + count) - own;
}

/* Moves `count` consecutive entries of the vCSR part, from entry `csr` of CSR and entry `own` of
 * the layout on; the columns there are c. Padding follows the entries: its bytes must be the same
 * in every build. */
static void move_vcsr_entries(const entry_move *m, const column_range *c, i64 csr, i64 own,
                              i64 count)
{
    for (i64 k = 0; k < count && m->task == TASK_BUILD; k++)
        set_column(c, k, moved_column(m, m->csr_col[csr + k]));
    if ((VCSR_ALIGNMENT > 1 || NARROW_SPAN > 0) && m->task == TASK_BUILD) {
        for (i64 k = count; k < padded_columns(own, count); k++)
            set_column(c, k, c->first);
        for (i64 k = own + count; k < aligned_entry(own + count); k++)
            m->vcsr_val[k] = 0;
    }
    for (i64 k = 0; k < count && m->task != TASK_RESTORE; k++)
        m->vcsr_val[own + k] = m->csr_val[csr + k];
    for (i64 k = 0; k < count && m->task == TASK_RESTORE && m->col_out; k++)
        m->col_out[csr + k] = moved_column(m, column_of(c, k));
    for (i64 k = 0; k < count && m->task == TASK_RESTORE && m->val_out; k++)
        m->val_out[csr + k] = m->vcsr_val[own + k];
}

/* Where a column of a slice is stored: lane i has entry own + i * apart; of columns, from those of
 * the slice on. */
typedef struct column_place {
    i64 own;
    i32 apart;
} column_place;

/* Moves column k of a slice with the columns c. Lane i has entry csr[i] + k of CSR; lanes from
 * `active` on have none. In this order the cache misses of the lanes overlap. */
static void move_column(const entry_move *m, const column_range *c, const i64 *csr, i64 k,
                        column_place col, column_place val, i32 active)
{
    if (m->task == TASK_BUILD) {
        for (i32 i = 0; i < active; i++)
            set_column(c, col.own + i * col.apart, moved_column(m, m->csr_col[csr[i] + k]));
        /* Padding is never used, but its bytes must be the same in every build. */
        for (i32 i = active; i < ALIGNMENT; i++) {
            set_column(c, col.own + i * col.apart, c->first);
            m->ell_val[val.own + i * val.apart] = 0;
        }
    }
    for (i32 i = 0; i < active && m->task != TASK_RESTORE; i++)
        m->ell_val[val.own + i * val.apart] = m->csr_val[csr[i] + k];
    for (i32 i = 0; i < active && m->task == TASK_RESTORE && m->col_out; i++)
        m->col_out[csr[i] + k] = moved_column(m, column_of(c, col.own + i * col.apart));
    for (i32 i = 0; i < active && m->task == TASK_RESTORE && m->val_out; i++)
        m->val_out[csr[i] + k] = m->ell_val[val.own + i * val.apart];
}

/* Moves a slice of bin b, of which this many columns are grouped. */
static void move_slice(const evc_matrix *a, const row_offsets *row_ptr, const entry_move *m,
                       i32 b, i32 grouped, i32 slice)
{
    const ell_bin *bin = &a->bin[b];
    const i32 *row_of = slice_rows(a, slice);
    const i64 own = ELL_STORAGE ? place_in_columns(a, b, slice).entry : slice_entry(bin, slice);
    const column_range c = columns_of_slice(m, slice, own);
    i64 csr[ALIGNMENT];
    i64 length[ALIGNMENT];
    i32 active = ALIGNMENT;

    row_bounds(row_ptr, row_of, ALIGNMENT, csr, length);
    for (i32 k = 0; k < bin->length; k++) {
        column_place col = {place_in_slice(grouped, k, 0), lane_stride(grouped, k)};
        column_place val = {own + value_place_in_slice(grouped, k, 0), value_stride(grouped, k)};
        if (ELL_STORAGE) {
            col.own = k * place_in_columns(a, b, slice).stride;
            val.own = own + col.own;
        }
        while (length[active - 1] <= k)
            active--;
        move_column(m, &c, csr, k, col, val, active);
    }
}

/* Moves the entries of chunks [first, last). Empty rows have none. */
static void move_chunks(const spmv_job *job, move_task task, i64 first, i64 last)
{
    const evc_matrix a = evc_view(job->layout);
    const row_offsets row_ptr = row_offsets_of(&job->layout->csr);
    const entry_move m = entry_move_of(job, task);
    const chunk_ranges range = ranges_of(&a, first, last);

    for (i64 part = range.part; part < range.part_end; part++) {
        const part_range p = part_entries(&a, part);
        const i64 own = vcsr_begin(&a, p.position) + p.begin;
        const column_range c = columns_of_piece(&m, part_word(&a) + part, own);

        move_vcsr_entries(&m, &c, row_begin(&row_ptr, a.row_of[p.position]) + p.begin, own,
                          p.end - p.begin);
    }
    for (i32 p = range.vcsr; p < range.vcsr_end; p++) {
        const i64 own = vcsr_begin(&a, p);
        const column_range c = columns_of_piece(&m, row_word(&a, p), own);

        move_vcsr_entries(&m, &c, row_begin(&row_ptr, a.row_of[p]), own, vcsr_length(&a, p));
    }
    for (i32 slice = range.slice, b = range.bin; slice < range.slice_end; b++) {
        const i32 end = (i32)i64_min(range.slice_end, a.bin[b + 1].slice);
        const i32 grouped = LOAD_WIDTH > 1 ? grouped_columns_of(job->layout, a.bin[b].length) : 0;
        for (; slice < end; slice++)
            move_slice(&a, &row_ptr, &m, b, grouped, slice);
    }
}

static void build_entries(const spmv_job *job, i64 first, i64 last)
{
    move_chunks(job, TASK_BUILD, first, last);
}

static void update_values(const spmv_job *job, i64 first, i64 last)
{
    move_chunks(job, TASK_UPDATE, first, last);
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    move_chunks(job, TASK_RESTORE, first, last);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Number of chunks, without the chunks of empty rows, which are last. */
static i64 entry_chunk_count(const spmv_layout *layout)
{
    const evc_matrix a = evc_view(layout);
    return chunk_count(&a) - a.empty_chunks;
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    i32 n = add_sort_steps(layout, step, 0);

    if (SORT_WINDOW)
        n = add_step(step, n, "sort_windows", sort_windows, layout->csr.rows ? 1 : 0);
    n = add_invert_step(layout, step, n);
    n = add_step(step, n, "build_tables", build_tables, layout->csr.rows ? 1 : 0);
    if (NARROW_SPAN) {
        n = add_step(step, n, "find_columns", find_columns, entry_chunk_count(layout));
        n = add_step(step, n, "place_columns", place_columns, layout->csr.rows ? 1 : 0);
    }
    return add_step(step, n, "build_entries", build_entries, entry_chunk_count(layout));
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "update_values", update_values, entry_chunk_count(layout));
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "restore_csr", restore_csr, entry_chunk_count(job->layout));
}

#endif
