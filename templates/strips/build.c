/* build.c: a strip's kind is chosen and its entries are put into the layout; new values; and
 * back. */

/* The arrays, to be written, and the values of CSR. */
typedef struct strip_target {
    const real *values;
    strip *strips;
    lane_slice *lane_slices;
    diagonal_list *diagonals;
    u16 *row;
    u8 *count;
    i32 *index;
    real *val;
} strip_target;

static strip_target target_of(const spmv_layout *layout)
{
    strip_target to;
    to.values = csr_val(layout);
    to.strips = (strip *)layout->array[STRIP].data;
    to.lane_slices = (lane_slice *)layout->array[LANE_SLICE].data;
    to.diagonals = (diagonal_list *)layout->array[DIAGONALS].data;
    to.row = (u16 *)layout->array[ROW].data;
    to.count = (u8 *)layout->array[COUNT].data;
    to.index = (i32 *)layout->array[INDEX].data;
    to.val = (real *)layout->array[VAL].data;
    return to;
}

/* New values, from CSR into VAL; or all entries back, from VAL and INDEX into CSR. */
typedef struct entry_move {
    const real *values;          /* NULL: back */
    real *val;
    i32 *col_out;                /* either may be NULL */
    real *val_out;
    i32 base;
} entry_move;

/* Back. */
static void move_entry(const entry_move *move, i64 csr, i64 own, i32 col)
{
    if (move->val_out)
        move->val_out[csr] = move->val[own];
    if (move->col_out)
        move->col_out[csr] = col + move->base;
}

/* Values that stand where they stand in CSR. */
static void copy_values(const entry_move *move, i64 begin, i64 end)
{
    for (i64 k = begin; k < end; k++)
        move->val[k] = move->values[k];
}

#include "cost.c"

/* The pairs of strip s. */
static block_writer writer_of(const strip_target *to, const strip_rows *r, i64 s)
{
    block_writer w;
    w.pair = to->index + strip_index(r->entry, s);
    w.end = w.pair + r->nnz + INDEX_PAD;
    w.is_second = false;
    w.is_full = false;
    return w;
}

#include "segments.c"
#include "lanes.c"
#include "diagonals.c"
#include "runs.c"

/* ---- one strip ----------------------------------------------------------------------------- */

/* What a strip is examined with: more than a small stack holds. */
typedef struct strip_scratch {
    diagonal_finder finder;
    strip_rows rows;
} strip_scratch;

/* How a strip is stored. */
typedef struct strip_choice {
    i32 kind;                    /* strip_kind */
    i32 long_rows;               /* of lanes */
    i64 cost;
} strip_choice;

/* The cost of a way, if that is less than what another one costs. */
static void prefer(strip_choice *choice, i32 kind, i64 cost)
{
    if (cost < choice->cost) {
        choice->kind = kind;
        choice->cost = cost;
    }
}

static void choose_lanes(const csr_source *a, strip_rows *r, strip_choice *choice)
{
    sort_rows(a, r);
    choice->long_rows = count_long_rows(r);
    const i64 lanes = measure_lanes(a, r, choice->long_rows);

    prefer(choice, STRIP_LANES, lanes);
    if (long_rows_cost(r->not_empty, r->nnz, r->nnz / 2) >= lanes)
        return;
    const i64 rows = measure_lanes(a, r, r->not_empty);

    if (rows < lanes)
        choice->long_rows = r->not_empty;
    prefer(choice, STRIP_LANES, rows);
}

static void try_lanes(const csr_source *a, strip_rows *r, strip_choice *choice)
{
    if (least_lanes_cost(r->nnz) < choice->cost)
        choose_lanes(a, r, choice);
}

static void try_runs(const csr_source *a, const strip_rows *r, strip_choice *choice)
{
    if (least_runs_cost(r->count, r->nnz) < choice->cost)
        prefer(choice, STRIP_RUNS, measure_runs(a, r));
}

static void try_diagonals(const csr_source *a, const strip_rows *r, diagonal_finder *finder, strip_choice *choice)
{
    if (least_diagonals_cost(r->count, r->nnz) < choice->cost)
        prefer(choice, STRIP_DIAGONALS, measure_diagonals(a, r, finder, choice->cost));
}

/* What looks cheapest. Each way is looked at only if it could cost less than what was found; so a
 * stencil's diagonals come first, and whichever of lanes and runs could cost less comes before the
 * other. */
static strip_choice choose_kind(const csr_source *a, strip_rows *r, diagonal_finder *finder)
{
    const bool is_stencil = looks_like_stencil(a, r);
    const bool lanes_first = least_lanes_cost(r->nnz) < least_runs_cost(r->count, r->nnz);
    strip_choice choice;

    choice.kind = STRIP_LANES;
    choice.long_rows = 0;
    choice.cost = no_way;
    if (is_stencil)
        try_diagonals(a, r, finder, &choice);
    if (lanes_first)
        try_lanes(a, r, &choice);
    try_runs(a, r, &choice);
    if (!is_stencil)
        try_diagonals(a, r, finder, &choice);
    if (!lanes_first)
        try_lanes(a, r, &choice);
    return choice;
}

/* The rows of strip s but for split ones. One without rows, inside of a split row, has no place for
 * them. */
static void build_rows(const csr_source *a, strip_rows *r, diagonal_finder *finder, strip *t, i64 s,
                       const strip_target *to)
{
    if (r->count == 0)
        return;
    strip_choice choice = choose_kind(a, r, finder);

    t->kind = choice.kind;
    if ((t->kind == STRIP_DIAGONALS && build_diagonals(a, r, finder, t, s, to)) ||
        (t->kind == STRIP_RUNS && build_runs(a, r, t, s, to)))
        return;
    if (t->kind != STRIP_LANES)
        choose_lanes(a, r, &choice);
    t->kind = STRIP_LANES;
    build_lanes(a, r, choice.long_rows, t, s, to);
}

static void build_strip(const csr_source *a, const strips_matrix *own, const strip_target *to,
                        strip_scratch *scratch, i64 s)
{
    const strip none = {0};
    strip *t = &to->strips[s];
    strip_rows *r = &scratch->rows;

    find_rows(a, s, r);
    *t = none;
    t->entry = r->entry;
    t->row = r->first;
    build_rows(a, r, &scratch->finder, t, s, to);
    if (r->first > 0 && row_length(&a->row_ptr, r->first - 1) > a->strip_weight) {
        const part_range p = part_entries(own, s, PART_CONTINUED, r->first - 1);
        t->has_part[PART_CONTINUED] = p.begin < p.end;
        t->part_segments[PART_CONTINUED] = build_part(a, &p, to);
    }
    if (r->is_split) {
        const part_range p = part_entries(own, s, PART_BEGUN, r->first + r->count);
        t->has_part[PART_BEGUN] = 1;
        t->part_segments[PART_BEGUN] = build_part(a, &p, to);
    }
}

static void move_rows(const strips_matrix *a, const entry_move *move, const strip *t, i64 s)
{
    const i32 rows = strip_row_count(t);
    const i64 end = row_begin(&a->row_ptr, t->row + rows);

    if (t->kind == STRIP_LANES)
        move_lanes(a, move, t, s);
    else if (t->kind == STRIP_DIAGONALS)
        move_diagonals(a, move, t, s, rows);
    else if (move->values)
        copy_values(move, t->entry, end);
    else
        move_runs(a, move, t, s, rows);
}

static void move_strips(const spmv_job *job, const entry_move *move, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);

    for (i64 s = first; s < last; s++) {
        const strip *t = &a.strips[s];
        move_rows(&a, move, t, s);
        for (i32 i = 0; i < STRIP_PARTS; i++) {
            const strip_part which = (strip_part)i;
            if (t->has_part[which]) {
                const part_range p = part_entries(&a, s, which, split_row_of(t, which));
                move_part(&a, move, &p, t->part_segments[which]);
            }
        }
    }
}

/* ---- steps --------------------------------------------------------------------------------- */

enum { BUILD_CHUNKS = 512 };     /* at most; each has a strip_scratch */

static i64 build_chunk_count(i64 strips)
{
    return i64_min(strips, BUILD_CHUNKS);
}

/* The end of the strips; and the split rows. */
static void build_tables(const spmv_job *job, i64 first, i64 last)
{
    const csr_source a = source_of(job->layout);
    const strip none = {0};
    strip *end = (strip *)job->layout->array[STRIP].data + job->layout->number[NUMBER_STRIPS];
    i32 *split = (i32 *)job->layout->array[SPLIT_ROW].data;

    (void)first;
    (void)last;
    *end = none;
    end->entry = a.nnz;
    end->row = a.rows;
    for (i32 row = 0; split && row < a.rows; row++)
        if (row_length(&a.row_ptr, row) > a.strip_weight)
            *split++ = row;
}

/* Chunks [first, last), with the scratch of the first. */
static void build_strips(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix own = strips_view(job->layout);
    const strip_target to = target_of(job->layout);
    const csr_source a = source_of(job->layout);
    const i64 chunks = build_chunk_count(own.strip_count);
    const i64 end = share_begin(last, own.strip_count, chunks);
    strip_scratch *scratch = (strip_scratch *)job->workspace + first;

    begin_finder(&a, &scratch->finder);
    for (i64 s = share_begin(first, own.strip_count, chunks); s < end; s++)
        build_strip(&a, &own, &to, scratch, s);
}

static void update_values(const spmv_job *job, i64 first, i64 last)
{
    entry_move move = {0};
    move.values = csr_val(job->layout);
    move.val = (real *)job->layout->array[VAL].data;
    move_strips(job, &move, first, last);
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    entry_move move = {0};
    move.val = (real *)job->layout->array[VAL].data;
    move.col_out = job->col_idx_out;
    move.val_out = (real *)job->val_out;
    move.base = job->layout->csr.base;
    move_strips(job, &move, first, last);
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i64 strips = layout->number[NUMBER_STRIPS];
    i32 n = 0;

    n = add_step(step, n, "build_tables", build_tables, strips ? 1 : 0);
    return add_step(step, n, "build_strips", build_strips, build_chunk_count(strips));
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "update_values", update_values, layout->number[NUMBER_STRIPS]);
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "restore_csr", restore_csr, job->layout->number[NUMBER_STRIPS]);
}
