/* runs.c: strips whose rows are runs of columns, built and taken apart.
 *
 * The columns of a row are covered by windows of RUN_WIDTH columns, in the order in which the row
 * has them. Windows side by side make a vector, with a mask that says which columns of them the row
 * has, lane 0 lowest; the last vector of a segment is filled up with empty windows. In INDEX, which
 * is u16 here:
 *
 *   | base, low | base, high | vectors | window ... window | mask | window ... window | mask | ...
 *                                        distances from the base
 *
 * is a segment: windows that begin less than 65536 behind its base. ROW has the number of segments
 * of each row, VAL is as in CSR. A row with the columns of the row before (unknowns of one node of
 * a mesh have that) is marked with SAME_COLUMNS in ROW and takes no place in INDEX: its segments
 * are read once more, from the cache.
 */

enum {
    RUN_WIDTH = V_RUN,           /* columns that v_load_runs loads side by side */
    RUN_HEAD = 3,                /* u16 of a segment, before its vectors */
    MOST_VECTORS = 65535,
    SAME_COLUMNS = 0x8000,       /* more than the segments of any row for which there is room */
    AT_ONCE = 64,                /* entries of which a run_finder looks at what windows they would
                                    begin */
    ONE_ENTRY = 16,              /* of a word of it */
    BUNCH = 12                   /* rows side by side in a sample: whole nodes of a mesh with 2, 3,
                                    4 or 6 unknowns */
};

enum {                           /* of a vector */
    RUN_WINDOWS = LANES / RUN_WIDTH,
    RUN_WORDS = RUN_WINDOWS + 1  /* u16 */
};

/* A window of columns, and which of them the row has. */
typedef struct run_window {
    i32 place;                   /* its first column */
    u32 mask;
    i32 entries;                 /* how many bits that are */
} run_window;

/* Where the window that begins with this column does: the last one ends where x does. */
static i32 window_place(const csr_source *a, i32 col)
{
    return (i32)i64_min((i64)col - a->base, (i64)a->cols - RUN_WIDTH);
}

/* The window that begins with entry k of a row that ends at `end`; the matrix has RUN_WIDTH columns
 * or more. Without a branch, which would be mispredicted at the end of most runs: behind the row's
 * end its first column is one to leave, since it is not behind the last. */
static void find_window(const csr_source *a, i64 k, i64 end, run_window *w)
{
    const i32 *col = a->col_idx + k;
    const i64 left = end - k;
    const i32 place = window_place(a, col[0]);
    const u32 lane = (u32)(col[0] - a->base - place) % RUN_WIDTH;
    u32 last = 0;                /* the column before, from col[0] on */
    u32 takes = left > 0;        /* all columns so far; the first always */
    u32 mask = takes;
    i32 entries = (i32)takes;

    UNROLL
    for (i32 i = 1; i < RUN_WIDTH; i++) {
        const u32 next = (u32)col[i < left ? i : 0] - (u32)col[0];
        takes &= (u32)(next > last) & (u32)(next < RUN_WIDTH - lane);
        mask |= takes << (next % RUN_WIDTH);
        entries += (i32)takes;
        last = next;
    }
    w->place = place;
    w->mask = mask << lane;
    w->entries = entries;
}

/* Windows, found faster. Where one begins is known when the one before has been found; but what it
 * would have if it began with an entry is not a question of that, and answered for many entries at
 * once, by vectors. */
typedef struct run_finder {
    const csr_source *a;
    i64 first;                   /* of the entries that were looked at */
    u32 word[AT_ONCE];           /* of each: the mask, from its own column on, and its entries times
                                    ONE_ENTRY */
} run_finder;

static run_finder run_finder_of(const csr_source *a)
{
    run_finder f;
    f.a = a;
    f.first = -AT_ONCE;
    return f;
}

/* The windows of the entries from k on, wherever their rows end. */
static void look_ahead(run_finder *f, i64 k)
{
    const i32 *col = f->a->col_idx + k;
    u32 *word = f->word;

    for (i32 e = 0; e < AT_ONCE; e++) {
        u32 last = 0;
        u32 takes = 1;
        u32 found = ONE_ENTRY + 1;
        UNROLL
        for (i32 i = 1; i < RUN_WIDTH; i++) {
            const u32 next = (u32)col[e + i] - (u32)col[e];
            takes &= (u32)(next > last) & (u32)(next < RUN_WIDTH);
            /* 1 << next, which is 1 to 3, for vectors that cannot shift by lanes. */
            found += (0 - takes) & (ONE_ENTRY + 2 * next + 2 * (u32)(next == 3));
            last = next;
        }
        word[e] = found;
    }
    f->first = k;
}

/* As find_window. */
HOST void next_window(run_finder *f, i64 k, i64 end, run_window *w)
{
    const csr_source *a = f->a;
    const bool is_near_end = k + AT_ONCE + RUN_WIDTH > a->nnz;

    if (!is_near_end && (k < f->first || k >= f->first + AT_ONCE))
        look_ahead(f, k);
    const u32 word = is_near_end ? 0 : f->word[k - f->first];
    const i32 entries = (i32)(word / ONE_ENTRY);

    /* Seldom: a row mostly ends far from where the next one begins. */
    if (is_near_end || k + entries > end) {
        find_window(a, k, end, w);
        return;
    }
    w->place = window_place(a, a->col_idx[k]);
    w->mask = word % ONE_ENTRY << ((u32)(a->col_idx[k] - a->base - w->place) % RUN_WIDTH);
    w->entries = entries;
}

/* How many windows entries [begin, end) take. */
static i64 count_windows(run_finder *f, i64 begin, i64 end)
{
    i64 windows = 0;

    for (i64 k = begin; k < end; windows++) {
        run_window w;
        next_window(f, k, end, &w);
        k += w.entries;
    }
    return windows;
}

/* Has a row the columns of the row before? */
static bool has_same_columns(const csr_source *a, i32 row)
{
    const i64 length = row_length(&a->row_ptr, row);
    const i32 *col = a->col_idx + row_begin(&a->row_ptr, row);
    u32 differs = 0;

    /* Most that differ do so in the first or the last. */
    if (row_length(&a->row_ptr, row - 1) != length ||
        (length > 0 && (col[0] != col[-length] || col[length - 1] != col[-1])))
        return false;
    for (i64 k = 0; k < length; k++)
        differs |= (u32)col[k] ^ (u32)col[k - length];
    return !differs;
}

/* What a strip costs as runs, by some of its rows; or no_way, where they cannot be. */
static i64 measure_runs(const csr_source *a, const strip_rows *r)
{
    const i32 apart = sample_distance(r->count / BUNCH, r->nnz);
    run_finder finder = run_finder_of(a);
    i64 looked_at = 0;
    i64 vectors = 0;
    i64 stored = 0;

    if (a->cols < RUN_WIDTH)
        return no_way;
    for (i32 i = 0; i < r->count && looked_at < SAMPLE; i += (i + 1) % BUNCH ? 1 : (apart - 1) * BUNCH + 1) {
        const i64 begin = row_begin(&a->row_ptr, r->first + i);
        const i64 end = row_begin(&a->row_ptr, r->first + i + 1);
        const i64 windows = count_windows(&finder, begin, end);
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
    run_finder finder;
    u16 *at, *end;
} run_writer;

/* Where up to `room` u16 are written. */
static run_writer run_writer_of(const csr_source *a, i32 *index, i64 room)
{
    run_writer w;
    w.finder = run_finder_of(a);
    w.at = (u16 *)index;
    w.end = w.at + room;
    return w;
}

/* A vector of the windows from entry k on, as far as they begin less than 65536 behind the base;
 * the first does. Returns the entry after them. */
static i64 write_vector(run_finder *finder, u16 *at, i32 base, i64 k, i64 end)
{
    u32 mask = 0;
    i32 i = 0;

    for (; i < RUN_WINDOWS && k < end; i++) {
        run_window w;
        next_window(finder, k, end, &w);
        const u32 distance = (u32)(w.place - base);
        if (distance > 65535)
            break;
        at[i] = (u16)distance;
        mask |= w.mask << (i * RUN_WIDTH);
        k += w.entries;
    }
    for (; i < RUN_WINDOWS; i++)
        at[i] = 0;
    at[RUN_WINDOWS] = (u16)mask;
    return k;
}

/* A segment of entries from k on; returns the entry after it, or k where there is no room for all
 * of it. */
static i64 write_segment(run_writer *writer, i64 k, i64 end)
{
    const csr_source *a = writer->finder.a;
    /* Some of what 16 bits reach is left for columns that come later and are less. */
    const i32 base = a->cols <= 65536 ? 0 : (i32)i64_max((i64)window_place(a, a->col_idx[k]) - 8192, 0);
    u16 *at = writer->at;
    i32 vectors = 0;
    i64 done = k;

    if (writer->end - at < RUN_HEAD)
        return k;
    at += RUN_HEAD;
    while (done < end && vectors < MOST_VECTORS && (u32)(window_place(a, a->col_idx[done]) - base) <= 65535) {
        if (writer->end - at < RUN_WORDS)
            return k;
        done = write_vector(&writer->finder, at, base, done, end);
        at += RUN_WORDS;
        vectors++;
    }
    writer->at[0] = (u16)base;
    writer->at[1] = (u16)(base >> 16);
    writer->at[2] = (u16)vectors;
    writer->at = at;
    return done;
}

/* Appends entries [begin, end) of a row; how many segments that took, or -1 where there is no
 * room. */
static i32 write_runs(run_writer *writer, i64 begin, i64 end)
{
    i32 segments = 0;

    for (i64 k = begin; k < end; segments++) {
        const i64 done = write_segment(writer, k, end);
        if (done == k)
            return -1;
        k = done;
    }
    return segments;
}

/* False where it cannot be done after all. */
static bool build_runs(const csr_source *a, const strip_rows *r, strip *t, i64 s, const strip_target *to)
{
    run_writer writer = run_writer_of(a, to->index + strip_index(r->entry, s), 2 * ((i64)r->nnz + INDEX_PAD));

    u16 *word = to->row + t->row;

    for (i32 i = 0; i < r->count; i++) {
        const i32 row = r->first + i;
        if (i > 0 && has_same_columns(a, row)) {
            word[i] = (u16)(word[i - 1] | SAME_COLUMNS);
            continue;
        }
        const i32 segments = write_runs(&writer, row_begin(&a->row_ptr, row),
                                        row_begin(&a->row_ptr, row + 1));
        if (segments < 0)
            return false;
        word[i] = (u16)segments;
    }
    for (i64 k = t->entry; k < t->entry + r->nnz; k++)
        to->val[k] = to->values[k];
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
        next = restore_runs(move, at, word & ~SAME_COLUMNS, row_begin(&a->row_ptr, row));
    }
}

/* ---- parts of split rows ------------------------------------------------------------------- */

/* A part's columns: as runs where that is cheaper, by its first entries, else one after the other.
 * Returns how many segments they are; 0: none. */
static i32 build_part(const csr_source *a, const part_range *p, const strip_target *to)
{
    const i64 nnz = p->end - p->begin;
    const i64 looked_at = i64_min(nnz, SAMPLE);
    run_finder finder = run_finder_of(a);
    const i64 windows = a->cols < RUN_WIDTH ? 0 : count_windows(&finder, p->begin, p->begin + looked_at);
    i32 segments = -1;

    if (windows > 0 &&
        runs_cost(i64_ceil_div(windows, RUN_WINDOWS), i64_ceil_div(windows, RUN_WINDOWS), 1, looked_at) <
            long_rows_cost(1, looked_at, looked_at)) {
        run_writer writer = run_writer_of(a, to->index + p->index, 2 * nnz);
        segments = write_runs(&writer, p->begin, p->end);
    }
    for (i64 k = p->begin; k < p->end && segments < 0; k++)
        to->index[p->index + k - p->begin] = a->col_idx[k] - a->base;
    for (i64 k = p->begin; k < p->end; k++)
        to->val[k] = to->values[k];
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
