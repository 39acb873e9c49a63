/* lanes.c: strips whose lanes are rows, built and taken apart. */

/* Of the slice that begins at a position. */
static i32 slice_entries(const strip_rows *r, i32 position)
{
    const i32 end = (i32)i64_min(position + SLICE_ROWS, r->not_empty);
    i32 entries = 0;

    for (i32 p = position; p < end; p++)
        entries += r->length[p];
    return entries;
}

/* How many rows of the order are better added one by one: those beyond BOUNDARY, and as many as are
 * so much longer than those after them that most lanes would be idle. */
static i32 count_long_rows(const strip_rows *r)
{
    i32 position = r->beyond;

    while (position < r->not_empty && r->length[position] > 2 * LANES &&
           2 * slice_entries(r, position) < r->length[position] * SLICE_ROWS)
        position++;
    return position;
}

/* The least and the greatest column of a slice. */
typedef struct column_span {
    i32 least, most;
} column_span;

/* By the first and the last column of each row: right where they ascend, or fall. */
static column_span span_of_ends(const csr_source *a, const strip_rows *r, i32 position, i32 end)
{
    column_span span = {2147483647, -2147483647};

    for (i32 p = position; p < end; p++) {
        const i32 *col = a->col_idx + ordered_begin(a, r, p);
        const i32 first = col[0];
        const i32 last = col[r->length[p] - 1];
        span.least = first < span.least ? first : span.least;
        span.least = last < span.least ? last : span.least;
        span.most = first > span.most ? first : span.most;
        span.most = last > span.most ? last : span.most;
    }
    return span;
}

static column_span span_of_all(const csr_source *a, const strip_rows *r, i32 position, i32 end)
{
    column_span span = {2147483647, -2147483647};

    for (i32 p = position; p < end; p++) {
        const i32 *col = a->col_idx + ordered_begin(a, r, p);
        const i32 length = r->length[p];
        for (i32 k = 0; k < length; k++) {
            span.least = col[k] < span.least ? col[k] : span.least;
            span.most = col[k] > span.most ? col[k] : span.most;
        }
    }
    return span;
}

/* The base of the 16-bit columns of the slice that begins at a position, or WIDE. by_ends: as far
 * as the ends of rows tell. */
static i32 slice_base(const csr_source *a, const strip_rows *r, i32 position, bool by_ends)
{
    const i32 end = (i32)i64_min(position + SLICE_ROWS, r->not_empty);

    if (a->cols <= NARROW_SPAN)
        return 0;
    const column_span span = by_ends ? span_of_ends(a, r, position, end) : span_of_all(a, r, position, end);
    const i64 base = i64_min((i64)span.least - a->base, i64_max((i64)a->cols - 65536, 0));

    return base >= 0 && (i64)span.most - a->base - base < NARROW_SPAN ? (i32)base : WIDE;
}

static i32 long_entries(const strip_rows *r, i32 long_rows)
{
    i32 entries = 0;

    for (i32 p = 0; p < long_rows; p++)
        entries += r->length[p];
    return entries;
}

/* What the lanes of a strip cost, with so many long rows, by the ends of rows in some of its slices
 * as to their columns. */
static i64 measure_lanes(const csr_source *a, const strip_rows *r, i32 long_rows)
{
    const i32 long_nnz = long_entries(r, long_rows);
    const i32 slices = (r->not_empty - long_rows + SLICE_ROWS - 1) / SLICE_ROWS;
    const i32 apart = SLICE_ROWS * sample_distance(slices, r->nnz);
    i64 vectors = 0;
    i64 wide = 0;
    i64 looked_at = 0;

    /* Lengths fall: a vector of lanes takes as many steps as its first one. */
    for (i32 p = long_rows; p < r->not_empty; p += LANES)
        vectors += r->length[p];
    for (i32 p = long_rows; p < r->not_empty && looked_at < SAMPLE; p += apart) {
        const i32 entries = slice_entries(r, p);
        wide += slice_base(a, r, p, true) == WIDE ? entries : 0;
        looked_at += entries;
    }
    const i64 lane_nnz = r->nnz - long_nnz;

    return lanes_cost(lane_nnz, looked_at ? lane_nnz * wide / looked_at : 0, vectors, slices) +
           (long_rows ? long_rows_cost(long_rows, long_nnz, words_of_rows(a, r, long_rows, long_nnz)) : 0);
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The slices of a strip with so many long rows, and the numbers of its lanes in t. */
static void build_lane_slices(const csr_source *a, const strip_rows *r, i32 long_rows, strip *t,
                              lane_slice *slice, bool by_ends)
{
    t->long_rows = long_rows;
    t->lane_rows = r->not_empty - t->long_rows;
    t->wide = 0;
    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        slice->base = slice_base(a, r, p, by_ends);
        slice->most = r->length[p];
        slice->least = r->not_empty - p < SLICE_ROWS ? 0 : r->length[p + SLICE_ROWS - 1];
        t->wide += slice->base == WIDE ? slice_entries(r, p) : 0;
    }
    t->narrow = r->nnz - long_entries(r, t->long_rows) - t->wide;
}

/* The columns of the lanes of a strip, whose slices have been built. False where one is not within
 * 16 bits of its slice's base. */
static bool write_lane_columns(const csr_source *a, const strip_rows *r, const strip *t, const lane_slice *slice,
                               i32 *index)
{
    i32 *wide = index;
    u16 *narrow = (u16 *)(index + narrow_place(t));
    u32 beyond = 0;

    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        i64 from[SLICE_ROWS];
        i32 active = (i32)i64_min(SLICE_ROWS, r->not_empty - p);

        for (i32 i = 0; i < active; i++)
            from[i] = ordered_begin(a, r, p + i);
        for (i32 k = 0; k < slice->most; k++) {
            while (r->length[p + active - 1] <= k)
                active--;
            if (slice->base == WIDE) {
                for (i32 i = 0; i < active; i++)
                    wide[i] = a->col_idx[from[i] + k] - a->base;
                wide += active;
                continue;
            }
            for (i32 i = 0; i < active; i++) {
                const u32 distance = (u32)a->col_idx[from[i] + k] - (u32)a->base - (u32)slice->base;
                beyond |= (u32)(distance >= NARROW_SPAN);
                narrow[i] = (u16)distance;
            }
            narrow += active;
        }
    }
    for (i32 i = 0; i < LANES; i++) {
        wide[i] = 0;
        narrow[i] = 0;
    }
    return !beyond;
}

/* The values of the lanes of a strip, and COUNT; where those of long rows go. */
static real *write_lane_values(const csr_source *a, const strip_rows *r, const strip *t,
                               const lane_slice *slice, const real *values, u8 *count, real *val)
{
    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        i64 from[SLICE_ROWS];
        i32 active = (i32)i64_min(SLICE_ROWS, r->not_empty - p);

        for (i32 i = 0; i < active; i++)
            from[i] = ordered_begin(a, r, p + i);
        for (i32 k = 0; k < slice->most; k++) {
            while (r->length[p + active - 1] <= k)
                active--;
            if (k >= slice->least)
                *count++ = (u8)active;
            for (i32 i = 0; i < active; i++)
                val[i] = values[from[i] + k];
            val += active;
        }
    }
    return val;
}

/* Brings the entries of a strip into the second cache, where they fit: rows are read in the order
 * of their lengths, which no CPU foresees. */
FETCHER void fetch_entries(const csr_source *a, const strip_rows *r, const real *values)
{
    enum { LINE = 64 };

    for (i64 k = r->entry; k < r->entry + r->nnz; k += LINE / (i64)sizeof(i32))
        prefetch_l2(a->col_idx + k);
    for (i64 k = r->entry; k < r->entry + r->nnz; k += LINE / (i64)sizeof(real))
        prefetch_l2(values + k);
}

static void build_lanes(const csr_source *a, const strip_rows *r, i32 long_rows, strip *t, i64 s,
                        const strip_target *to)
{
    lane_slice *slice = to->lane_slices + first_lane_slice(t->row, s);
    i32 *index = to->index + strip_index(t->entry, s);
    real *val;

    fetch_entries(a, r, to->values);
    /* Once more with all columns looked at, where one is not within 16 bits of its slice's base. */
    build_lane_slices(a, r, long_rows, t, slice, true);
    if (!write_lane_columns(a, r, t, slice, index)) {
        build_lane_slices(a, r, long_rows, t, slice, false);
        write_lane_columns(a, r, t, slice, index);
    }
    for (i32 i = 0; i < r->count; i++)
        to->row[t->row + i] = r->order[i];
    val = write_lane_values(a, r, t, slice, to->values, to->count + s * BOUNDARY,
                            to->val + t->entry);
    write_rows(a, r, t->long_rows, t, index + long_place(t));
    for (i32 p = 0; p < t->long_rows; p++) {
        const real *row = to->values + ordered_begin(a, r, p);
        for (i32 k = 0; k < r->length[p]; k++)
            *val++ = row[k];
    }
}

/* Goes through the entries of a finished strip in the order of VAL: new values into it, or all back
 * to CSR, as `move` has it. */
static void move_lanes(const strips_matrix *a, const entry_move *move, const strip *t, i64 s)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const i32 *wide = index;
    const u16 *narrow = (const u16 *)(index + narrow_place(t));
    const u16 *order = a->row + t->row;
    const u8 *count = a->count + s * BOUNDARY;
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const i32 end = t->long_rows + t->lane_rows;
    column_reader others;
    i64 own = t->entry;

    others.index = index + long_place(t);
    others.left = 0;
    others.base = 0;
    others.narrow = NULL;
    others.has_segments = t->has_segments;
    for (i32 p = t->long_rows; p < end; p += SLICE_ROWS, slice++) {
        i64 from[SLICE_ROWS];

        for (i32 i = 0; i < SLICE_ROWS && p + i < end; i++)
            from[i] = row_begin(&a->row_ptr, t->row + order[p + i]);
        for (i32 k = 0; k < slice->most; k++) {
            const i32 active = k < slice->least ? SLICE_ROWS : *count++;
            for (i32 i = 0; i < active && move->values; i++)
                move->val[own + i] = move->values[from[i] + k];
            for (i32 i = 0; i < active && !move->values; i++)
                move_entry(move, from[i] + k, own + i,
                           slice->base == WIDE ? wide[i] : slice->base + narrow[i]);
            wide += slice->base == WIDE ? active : 0;
            narrow += slice->base == WIDE ? 0 : active;
            own += active;
        }
    }
    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 begin = row_begin(&a->row_ptr, row);
        const i64 length = row_length(&a->row_ptr, row);
        for (i64 k = 0; k < length && move->values; k++)
            move->val[own + k] = move->values[begin + k];
        for (i64 k = 0; k < length && !move->values; k++)
            move_entry(move, begin + k, own + k, next_column(&others));
        own += length;
    }
}
