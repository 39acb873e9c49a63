/* build.h: converts CSR into slices, updates their values, and restores CSR.
 *
 * The build plans all windows, adds up what they take, and then writes each to its place: windows
 * are independent chunks. Its scratch memory is a window_order for each chunk, then the
 * slice_totals of each window.
 */
#ifndef SPMV_SLICES_BUILD_H
#define SPMV_SLICES_BUILD_H

#include "build_cut.h"
#include "build_sizes.h"
#include "layout.h"

/* ---- moving entries -------------------------------------------------------------------------- */

typedef enum move_task { TASK_BUILD, TASK_UPDATE, TASK_RESTORE } move_task;

/* The arrays between which entries move; those that a task does not need may be NULL. */
typedef struct entry_move {
    move_task task;
    csr_source a;
    i32 *head;
    u16 *lane;
    i32 *wide, *diagonal;
    u16 *narrow;
    real *val;
    const real *csr_val;
    i32 *col_out;
    real *val_out;
} entry_move;

static entry_move entry_move_of(const spmv_job *job, move_task task)
{
    const spmv_array *array = job->layout->array;
    entry_move m;

    m.task = task;
    m.a = source_of(job->layout);
    m.head = (i32 *)array[HEAD].data;
    m.lane = (u16 *)array[LANE].data;
    m.wide = (i32 *)array[WIDE_COLUMN].data;
    m.narrow = (u16 *)array[NARROW_COLUMN].data;
    m.diagonal = (i32 *)array[DIAGONAL].data;
    m.val = (real *)array[VAL].data;
    m.csr_val = csr_val(job->layout);
    m.col_out = job->col_idx_out;
    m.val_out = (real *)job->val_out;
    return m;
}

/* Padding is never used, but its bytes must be the same in every build. */
static void clear_slice(const entry_move *m, const slice_head *h)
{
    const i64 columns = (i64)h->width * SLICE_ROWS;
    const i64 values = columns * run_of(h->kind);

    for (i64 i = 0; i < values; i++)
        m->val[h->values_at * SLICE_ROWS + i] = 0;
    for (i64 i = 0; i < columns && h->kind == KIND_WIDE; i++)
        m->wide[h->columns_at * SLICE_ROWS + i] = 0;
    for (i64 i = 0; i < columns && h->kind != KIND_WIDE && h->kind != KIND_DIAGONALS; i++)
        m->narrow[h->columns_at * SLICE_ROWS + i] = 0;
}

/* A lane's share of a row: units `sub`, sub + lanes, ... of those that begin at entry `begin`. */
typedef struct row_share {
    i32 row;
    i64 begin;
    i64 units;                   /* of the row */
    i32 sub, lanes;
} row_share;

/* Writes or reads the column of a unit that begins at entry `entry`. k: its number in the lane. */
static void move_column(const entry_move *m, const slice_head *h, const row_share *r, i32 k,
                        i32 lane, i64 entry)
{
    const i64 at = h->columns_at * SLICE_ROWS + column_place(h->kind, h->width, k, lane);

    if (m->task == TASK_BUILD) {
        if (h->kind == KIND_WIDE)
            m->wide[at] = column_of(&m->a, entry);
        else if (h->kind != KIND_DIAGONALS)
            m->narrow[at] = (u16)(column_of(&m->a, entry) - h->base);
    } else if (m->col_out) {
        const i32 column = h->kind == KIND_WIDE        ? m->wide[at]
                           : h->kind == KIND_DIAGONALS ? r->row + m->diagonal[h->base + k]
                                                       : h->base + m->narrow[at];
        for (i32 j = 0; j < run_of(h->kind); j++)
            m->col_out[entry + j] = column + j + m->a.base;
    }
}

static void move_lane(const entry_move *m, const slice_head *h, const row_share *r, i32 lane)
{
    const i32 run = run_of(h->kind);
    const i32 units = (i32)units_of_lane(r->units, r->sub, r->lanes);

    for (i32 k = 0; k < units; k++) {
        const i64 entry = r->begin + ((i64)k * r->lanes + r->sub) * run;

        if (m->task != TASK_UPDATE)
            move_column(m, h, r, k, lane, entry);
        for (i32 j = 0; j < run; j++) {
            const i64 at = h->values_at * SLICE_ROWS + value_place(h->kind, h->width, k, j, lane);
            if (m->task != TASK_RESTORE)
                m->val[at] = m->csr_val[entry + j];
            else if (m->val_out)
                m->val_out[entry + j] = m->val[at];
        }
    }
}

/* ---- windows ------------------------------------------------------------------------------- */

/* Moves the entries of a slice of a window, by its head and the words of its lanes. */
static void move_slice(const entry_move *m, i64 slice)
{
    const slice_head h = read_head(m->head + slice * HEAD_WORDS);
    const u16 *word = m->lane + slice * SLICE_ROWS;
    row_share r;

    r.lanes = 1 << h.log2_lanes;
    for (i32 lane = 0; lane < SLICE_ROWS && word[lane] >> ROW_BITS != NO_ROW; lane++) {
        r.row = (i32)(h.window * SORT_WINDOW) + (word[lane] & ((1 << ROW_BITS) - 1));
        r.begin = row_begin(&m->a.row_ptr, r.row);
        r.units = row_length(&m->a.row_ptr, r.row) / run_of(h.kind);
        r.sub = lane % r.lanes;
        move_lane(m, &h, &r, lane);
    }
}

static void write_lanes(const entry_move *m, const window_order *o, const slice_plan *s, u16 *word)
{
    const i32 lanes = 1 << s->log2_lanes;

    for (i32 lane = 0; lane < SLICE_ROWS; lane++) {
        word[lane] = NO_ROW << ROW_BITS;
        if (lane / lanes < s->count) {
            const i32 row = key_row(o->key[s->first + lane / lanes]);
            const i64 units =
                row_length(&m->a.row_ptr, o->first_row + row) / run_of(s->kind);
            const i64 missing = s->width - units_of_lane(units, lane % lanes, lanes);
            word[lane] = (u16)(missing << ROW_BITS | row);
        }
    }
}

/* Writes the distances of a slice's rows, with padding up to a whole turn. */
static void write_diagonals(const entry_move *m, const window_order *o, const slice_plan *s,
                            i64 place)
{
    const i32 row = o->first_row + key_row(o->key[s->first]);
    const i64 begin = row_begin(&m->a.row_ptr, row);
    const i64 room = i64_ceil_div(s->width, TURN) * TURN;

    for (i64 k = 0; k < room; k++)
        m->diagonal[place + k] = k < s->width ? column_of(&m->a, begin + k) - row : 0;
}

/* Writes the slices of a window from the places `at` on. */
static void write_window(const entry_move *m, i64 window, window_order *o, slice_totals at)
{
    slice_plan s = {0};
    i64 diagonals = 0;           /* of the latest slice of diagonals */

    order_window(&m->a, window, o);
    for (i32 i = 0; i < o->count; i += s.count) {
        slice_head h;

        s = cut_slice(&m->a, o, i, i ? &s : NULL);
        if (s.kind == KIND_DIAGONALS && !s.repeats) {
            diagonals = at.diagonals;
            write_diagonals(m, o, &s, diagonals);
        }
        h.kind = s.kind;
        h.log2_lanes = s.log2_lanes;
        h.width = s.width;
        h.window = window;
        h.values_at = at.values;
        h.columns_at = s.kind == KIND_WIDE ? at.wide : s.kind == KIND_DIAGONALS ? 0 : at.narrow;
        h.base = s.kind == KIND_DIAGONALS ? (i32)diagonals : s.base;
        write_head(m->head + at.slices * HEAD_WORDS, &h);
        write_lanes(m, o, &s, m->lane + at.slices * SLICE_ROWS);
        clear_slice(m, &h);
        move_slice(m, at.slices);
        add_slice(&at, &s);
    }
}

/* ---- parts of split rows --------------------------------------------------------------------- */

/* The split row that a part belongs to. */
static i64 split_of_part(const i64 *part_ptr, i64 splits, i64 part)
{
    i64 low = 0;
    i64 high = splits - 1;

    while (low < high) {
        const i64 middle = high - (high - low) / 2;
        if (part_ptr[middle] <= part)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Moves parts [part, end), and builds their heads. */
static void move_parts(const spmv_job *job, move_task task, i64 part, i64 end)
{
    const entry_move m = entry_move_of(job, task);
    const i32 *split_row = (const i32 *)job->layout->array[SPLIT_ROW].data;
    const i64 *part_ptr = (const i64 *)job->layout->array[PART_PTR].data;
    const i64 *part_at = (const i64 *)job->layout->array[PART_AT].data;
    i64 i = part < end ? split_of_part(part_ptr, job->layout->number[NUMBER_SPLIT_ROWS], part) : 0;

    for (; part < end; part++) {
        i += part_ptr[i + 1] == part;

        const i64 length = row_length(&m.a.row_ptr, split_row[i]);
        const i64 size = entries_of_part(length);
        const i64 first = (part - part_ptr[i]) * size;
        slice_head h;
        row_share r;

        r.row = split_row[i];
        r.begin = row_begin(&m.a.row_ptr, r.row) + first;
        r.units = i64_min(size, length - first);
        r.lanes = SLICE_ROWS;
        h.kind = matrix_is_narrow(m.a.cols) ? KIND_NARROW : KIND_WIDE;
        h.log2_lanes = (i32)u32_trailing_zeros(SLICE_ROWS);
        h.base = 0;
        h.window = 0;
        h.width = (i32)i64_ceil_div(r.units, SLICE_ROWS);
        h.values_at = part_at[i] + first / SLICE_ROWS;
        h.columns_at = h.values_at;
        if (task == TASK_BUILD) {
            write_head(m.head + part * HEAD_WORDS, &h);
            clear_slice(&m, &h);
        }
        for (r.sub = 0; r.sub < SLICE_ROWS; r.sub++) {
            const i64 missing = h.width - units_of_lane(r.units, r.sub, SLICE_ROWS);
            if (task == TASK_BUILD)
                m.lane[part * SLICE_ROWS + r.sub] = (u16)(missing << ROW_BITS);
            move_lane(&m, &h, &r, r.sub);
        }
    }
}

/* ---- steps --------------------------------------------------------------------------------- */

enum { PART_CHUNK = 16, SLICE_CHUNK = 64 };      /* parts and slices of a chunk */

static slice_totals *window_totals(const spmv_job *job)
{
    const csr_source a = source_of(job->layout);

    return (slice_totals *)((window_order *)job->workspace + window_chunk_count(&a));
}

static void build_split_rows(const spmv_job *job, i64 first, i64 last)
{
    const csr_source a = source_of(job->layout);
    i32 *split_row = (i32 *)job->layout->array[SPLIT_ROW].data;
    i64 *part_ptr = (i64 *)job->layout->array[PART_PTR].data;
    i64 *part_at = (i64 *)job->layout->array[PART_AT].data;
    i64 i = 0;

    (void)first;
    (void)last;
    part_ptr[0] = 0;
    part_at[0] = 0;
    for (i32 row = 0; row < a.rows; row++) {
        const i64 length = row_length(&a.row_ptr, row);
        if (length > SPLIT_AT) {
            split_row[i] = row;
            part_ptr[i + 1] = part_ptr[i] + parts_of(length);
            part_at[i + 1] = part_at[i] + i64_ceil_div(length, SLICE_ROWS);
            i++;
        }
    }
}

static void build_parts(const spmv_job *job, i64 first, i64 last)
{
    move_parts(job, TASK_BUILD, first * PART_CHUNK,
               i64_min(last * PART_CHUNK, job->layout->number[NUMBER_PARTS]));
}

/* Plans the windows of chunks [first, last), with the scratch memory of chunk `first`. */
static void plan_windows(const spmv_job *job, i64 first, i64 last)
{
    const csr_source a = source_of(job->layout);
    const slice_totals none = {0};
    const i64 chunks = window_chunk_count(&a);
    const i64 end = share_begin(last, window_count(&a), chunks);
    slice_totals *totals = window_totals(job);

    for (i64 w = share_begin(first, window_count(&a), chunks); w < end; w++) {
        totals[w] = none;
        plan_window(&a, w, (window_order *)job->workspace + first, &totals[w]);
    }
}

/* Turns the sizes of windows into their places, behind the parts. */
static void place_windows(const spmv_job *job, i64 first, i64 last)
{
    const csr_source a = source_of(job->layout);
    const i64 *number = job->layout->number;
    slice_totals *totals = window_totals(job);
    slice_totals at = {0};

    (void)first;
    (void)last;
    at.slices = number[NUMBER_PARTS];
    at.values = number[NUMBER_PART_VALUES];
    at.wide = matrix_is_narrow(a.cols) ? 0 : at.values;
    at.narrow = matrix_is_narrow(a.cols) ? at.values : 0;
    for (i64 w = 0; w < window_count(&a); w++) {
        const slice_totals own = totals[w];
        totals[w] = at;
        add_totals(&at, &own);
    }
}

static void build_windows(const spmv_job *job, i64 first, i64 last)
{
    const entry_move m = entry_move_of(job, TASK_BUILD);
    const i64 chunks = window_chunk_count(&m.a);
    const i64 end = share_begin(last, window_count(&m.a), chunks);
    const slice_totals *totals = window_totals(job);

    for (i64 w = share_begin(first, window_count(&m.a), chunks); w < end; w++)
        write_window(&m, w, (window_order *)job->workspace + first, totals[w]);
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    const csr_source a = source_of(layout);
    const i64 parts = i64_ceil_div(layout->number[NUMBER_PARTS], PART_CHUNK);
    i32 n = 0;

    n = add_step(step, n, "build_split_rows", build_split_rows, parts ? 1 : 0);
    n = add_step(step, n, "build_parts", build_parts, parts);
    n = add_step(step, n, "plan_windows", plan_windows, window_chunk_count(&a));
    n = add_step(step, n, "place_windows", place_windows, window_count(&a) ? 1 : 0);
    return add_step(step, n, "build_windows", build_windows, window_chunk_count(&a));
}

/* Moves the slices of chunks [first, last). */
static void move_slices(const spmv_job *job, move_task task, i64 first, i64 last)
{
    const i64 *number = job->layout->number;
    const entry_move m = entry_move_of(job, task);
    const i64 begin = first * SLICE_CHUNK;
    const i64 end = i64_min(last * SLICE_CHUNK, number[NUMBER_SLICES]);

    move_parts(job, task, begin, i64_min(end, number[NUMBER_PARTS]));
    for (i64 s = i64_max(begin, number[NUMBER_PARTS]); s < end; s++)
        move_slice(&m, s);
}

static void update_values(const spmv_job *job, i64 first, i64 last)
{
    move_slices(job, TASK_UPDATE, first, last);
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    move_slices(job, TASK_RESTORE, first, last);
}

static i64 slice_chunk_count(const spmv_layout *layout)
{
    return i64_ceil_div(layout->number[NUMBER_SLICES], SLICE_CHUNK);
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "update_values", update_values, slice_chunk_count(layout));
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "restore_csr", restore_csr, slice_chunk_count(job->layout));
}

#endif
