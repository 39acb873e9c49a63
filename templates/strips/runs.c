/* runs.c: strips whose rows are runs of columns, built and taken apart.
 *
 * The columns of a row are covered by windows of RUN_WIDTH columns, in the order in which the row has
 * them. Windows side by side make a vector, with a mask that says which columns of them the row has, lane 0
 * lowest; the last vector of a segment is filled up with empty windows. In INDEX, which is u16 here:
 *
 *     | base, low | base, high | vectors |  window ... window | mask |  window ... window | mask | ...
 *                                           distances from the base
 *
 * is a segment: windows that begin less than 65536 behind its base. ROW has the number of segments of each
 * row, VAL is as in CSR. A row with the columns of the row before (unknowns of one node of a mesh have that) is marked
 * with SAME_COLUMNS in ROW and takes no place in INDEX: its segments are read once more, from the
 * cache.
 */

enum {
    RUN_WIDTH = V_RUN,           /* columns that v_load_runs loads side by side */
    RUN_WINDOWS = LANES / RUN_WIDTH,
    RUN_WORDS = RUN_WINDOWS + 1, /* u16 of a vector */
    RUN_HEAD = 3,                /* u16 of a segment, before its vectors */
    MOST_VECTORS = 65535,
    SAME_COLUMNS = 0x8000,       /* more than the segments of any row for which there is room */
    BUNCH = 12                   /* rows side by side in a sample: whole nodes of a mesh with 2, 3, 4 or 6 unknowns */
};

/* A window of columns, and which of them the row has. */
typedef struct run_window {
    i32 place;                   /* its first column */
    u32 mask;                    /* 0: it cannot be in x */
    i32 entries;                 /* how many bits that are */
} run_window;

/* The window that begins with entry k of a row that ends at `end`. Without a branch, which would be mispredicted at
 * the end of most runs; behind the row's end its first column is one to leave, since it is not behind the last. */
static void find_window(const csr_source *a, i64 k, i64 end, run_window *w)
{
    const i32 *col = a->col_idx + k;
    const i64 left = end - k;
    const i64 place = i64_min((i64)col[0] - a->base, (i64)a->cols - RUN_WIDTH);
    const u32 first = (u32)place + (u32)a->base;
    u32 bit = (u32)col[0] - first;
    u32 takes = place >= 0 && left > 0;  /* all columns so far */
    u32 mask = takes << (bit % RUN_WIDTH);
    i32 entries = (i32)takes;

    UNROLL
    for (i32 i = 1; i < RUN_WIDTH; i++) {
        const u32 next = (u32)col[i < left ? i : 0] - first;
        takes &= (u32)(next - bit - 1 < RUN_WIDTH - 1 - bit);    /* behind the last, and inside */
        mask |= takes << (next % RUN_WIDTH);
        entries += (i32)takes;
        bit = next % RUN_WIDTH;
    }
    w->place = (i32)place;
    w->mask = mask;
    w->entries = entries;
}

/* How many windows entries [begin, end) take; more than these, where they cannot be in any. */
static i64 count_windows(const csr_source *a, i64 begin, i64 end)
{
    i64 windows = 0;

    for (i64 k = begin; k < end; windows++) {
        run_window w;
        find_window(a, k, end, &w);
        if (!w.mask)
            return end - begin + 1;
        k += w.entries;
    }
    return windows;
}

/* Has a row the columns of the row before? */
static bool has_same_columns(const csr_source *a, i32 row)
{
    const i64 length = row_length(a, row);
    const i32 *col = a->col_idx + row_begin(a, row);
    i64 k = 0;

    if (row_length(a, row - 1) != length)
        return false;
    while (k < length && col[k] == col[k - length])
        k++;
    return k == length;
}

/* What a strip costs as runs, by some of its rows; or no_way, where they cannot be. */
static i64 measure_runs(const csr_source *a, const strip_rows *r)
{
    const i32 apart = sample_distance(r->count / BUNCH, r->nnz);
    i64 looked_at = 0;
    i64 vectors = 0;
    i64 stored = 0;

    for (i32 i = 0; i < r->count && looked_at < SAMPLE; i += (i + 1) % BUNCH ? 1 : (apart - 1) * BUNCH + 1) {
        const i64 begin = row_begin(a, r->first + i);
        const i64 end = row_begin(a, r->first + i + 1);
        const i64 windows = count_windows(a, begin, end);
        if (windows > end - begin)
            return no_way;
        vectors += i64_ceil_div(windows, RUN_WINDOWS);
        stored += i > 0 && has_same_columns(a, r->first + i) ? 0 : i64_ceil_div(windows, RUN_WINDOWS);
        looked_at += end - begin;
    }
    if (!looked_at)
        return no_way;
    return runs_cost(vectors * r->nnz / looked_at, stored * r->nnz / looked_at, r->count, r->nnz);
}

/* ---- entries ------------------------------------------------------------------------------- */

/* Where segments are written, and how far they may go. */
typedef struct run_writer {
    u16 *at, *end;
    u16 *segment;                /* the one that has begun, or NULL */
    i32 base;
    i32 windows;                 /* of the vector that has begun */
    bool is_full;                /* there was no room */
} run_writer;

static void end_vector(run_writer *w)
{
    for (; w->windows && w->windows < RUN_WINDOWS; w->windows++)
        w->at[w->windows] = 0;
    w->at += w->windows ? RUN_WORDS : 0;
    w->windows = 0;
}

static void begin_segment(const csr_source *a, run_writer *w, i32 place)
{
    /* Some of what 16 bits reach is left for columns that come later and are less. */
    const i64 base = a->cols <= 65536 ? 0 : i64_max((i64)place - 8192, 0);

    end_vector(w);
    w->segment = w->at;
    w->base = (i32)base;
    w->is_full = w->is_full || w->end - w->at < RUN_HEAD + RUN_WORDS;
    if (w->is_full)
        return;
    w->at[0] = (u16)base;
    w->at[1] = (u16)(base >> 16);
    w->at[2] = 0;
    w->at += RUN_HEAD;
}

/* Appends a window; how many segments that began. */
static i32 write_window(const csr_source *a, run_writer *w, const run_window *window)
{
    const bool begins = !w->segment || window->place < w->base || window->place - w->base > 65535 ||
                        (w->windows == 0 && w->segment[2] == MOST_VECTORS);

    if (begins)
        begin_segment(a, w, window->place);
    w->is_full = w->is_full || w->end - w->at < RUN_WORDS;
    if (w->is_full)
        return begins;
    if (w->windows == 0) {
        w->segment[2]++;
        w->at[RUN_WINDOWS] = 0;
    }
    w->at[w->windows] = (u16)(window->place - w->base);
    w->at[RUN_WINDOWS] = (u16)(w->at[RUN_WINDOWS] | window->mask << (w->windows * RUN_WIDTH));
    w->windows++;
    if (w->windows == RUN_WINDOWS)
        end_vector(w);
    return begins;
}

/* Where up to `room` u16 are written. */
static run_writer run_writer_of(i32 *index, i64 room)
{
    run_writer w;
    w.at = (u16 *)index;
    w.end = w.at + room;
    w.segment = NULL;
    w.base = 0;
    w.windows = 0;
    w.is_full = false;
    return w;
}

/* Appends entries [begin, end) of a row; how many segments that took, or -1 where it cannot be done. */
static i32 write_runs(const csr_source *a, run_writer *writer, i64 begin, i64 end)
{
    i32 segments = 0;

    writer->segment = NULL;
    for (i64 k = begin; k < end;) {
        run_window w;
        find_window(a, k, end, &w);
        segments += write_window(a, writer, &w);
        if (!w.mask || writer->is_full)
            return -1;
        k += w.entries;
    }
    end_vector(writer);
    return segments;
}

/* False where it cannot be done after all. */
static bool build_runs(const csr_source *a, const strip_rows *r, strip *t, i64 s, const strip_target *to)
{
    run_writer writer = run_writer_of(to->index + strip_index(r->entry, s), 2 * ((i64)r->nnz + INDEX_PAD));

    u16 *word = to->row + t->row;

    for (i32 i = 0; i < r->count; i++) {
        const i32 row = r->first + i;
        if (i > 0 && has_same_columns(a, row)) {
            word[i] = (u16)(word[i - 1] | SAME_COLUMNS);
            continue;
        }
        const i32 segments = write_runs(a, &writer, row_begin(a, row), row_begin(a, row + 1));
        if (segments < 0)
            return false;
        word[i] = (u16)segments;
    }
    for (i64 k = t->entry; k < t->entry + r->nnz; k++)
        to->val[k] = a->val[k];
    return true;
}

/* The base of the segment there. */
DEVICE i32 run_base(const u16 *at)
{
    return (i32)(at[0] | (u32)at[1] << 16);
}

/* The entries of so many segments, from `own` on, back to CSR; where the next segment is. */
static const u16 *restore_runs(const entry_move *move, const u16 *at, i32 segments, i64 own)
{
    for (; segments > 0; segments--) {
        const i32 base = run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;
        for (at += RUN_HEAD; at < end; at += RUN_WORDS)
            for (u32 left = at[RUN_WINDOWS]; left; left &= left - 1, own++) {
                const i32 lane = u32_trailing_zeros(left);
                move_entry(move, own, own, base + at[lane / RUN_WIDTH] + lane % RUN_WIDTH);
            }
    }
    return at;
}

/* As move_lanes, but never new values. */
static void move_runs(const strips_matrix *a, const entry_move *move, const strip *t, i64 s, i32 rows)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;

    for (i32 row = t->row; row < t->row + rows; row++) {
        const i32 word = a->row[row];
        at = word & SAME_COLUMNS ? at : next;
        next = restore_runs(move, at, word & ~SAME_COLUMNS, (i64)a->row_ptr[row] - a->base);
    }
}

/* ---- parts of split rows ------------------------------------------------------------------- */

/* A part's columns: as runs where that is cheaper, by its first entries, else one after the other. Returns how
 * many segments they are; 0: none. */
static i32 build_part(const csr_source *a, const part_range *p, const strip_target *to)
{
    const i64 nnz = p->end - p->begin;
    const i64 looked_at = i64_min(nnz, SAMPLE);
    const i64 windows = count_windows(a, p->begin, p->begin + looked_at);
    i32 segments = -1;

    if (windows <= looked_at &&
        runs_cost(i64_ceil_div(windows, RUN_WINDOWS), i64_ceil_div(windows, RUN_WINDOWS), 1, looked_at) <
            long_rows_cost(1, looked_at, looked_at)) {
        run_writer writer = run_writer_of(to->index + p->index, 2 * nnz);
        segments = write_runs(a, &writer, p->begin, p->end);
    }
    for (i64 k = p->begin; k < p->end && segments < 0; k++)
        to->index[p->index + k - p->begin] = a->col_idx[k] - a->base;
    for (i64 k = p->begin; k < p->end; k++)
        to->val[k] = a->val[k];
    return segments < 0 ? 0 : segments;
}

/* New values into a part, or its entries back. */
static void move_part(const strips_matrix *a, const entry_move *move, const part_range *p, i32 segments)
{
    const i32 *index = a->index + p->index;

    if (move->values)
        copy_values(move, p->begin, p->end);
    else if (segments)
        restore_runs(move, (const u16 *)index, segments, p->begin);
    else
        for (i64 k = p->begin; k < p->end; k++)
            move_entry(move, k, k, index[k - p->begin]);
}
