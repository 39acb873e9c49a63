/* lanes.c: strips whose lanes are rows, built and taken apart. layout.c draws them. */

/* Of the slice that begins at a position. */
static i32 slice_entries(const strip_rows *r, i32 position)
{
    const i32 end = (i32)i64_min(position + SLICE_ROWS, r->not_empty);
    i32 entries = 0;

    for (i32 p = position; p < end; p++)
        entries += r->length[p];
    return entries;
}

/* How many rows of the order are better added one by one: those beyond BOUNDARY, and as many as are so
 * much longer than those after them that most lanes would be idle. */
static i32 count_long_rows(const strip_rows *r)
{
    i32 position = r->beyond;

    while (position < r->not_empty && r->length[position] > 2 * LANES &&
           2 * slice_entries(r, position) < r->length[position] * SLICE_ROWS)
        position++;
    return position;
}

/* The base of the 16-bit columns of the slice that begins at a position, or WIDE. */
static i32 slice_base(const csr_source *a, const strip_rows *r, i32 position)
{
    const i32 end = (i32)i64_min(position + SLICE_ROWS, r->not_empty);
    i32 least = 2147483647;
    i32 most = -2147483647;

    if (a->cols <= NARROW_SPAN)
        return 0;
    for (i32 p = position; p < end; p++) {
        const i32 *col = a->col_idx + ordered_begin(a, r, p);
        const i32 length = r->length[p];
        for (i32 k = 0; k < length; k++) {
            least = col[k] < least ? col[k] : least;
            most = col[k] > most ? col[k] : most;
        }
    }
    const i64 base = i64_min((i64)least - a->base, i64_max((i64)a->cols - 65536, 0));
    return base >= 0 && (i64)most - a->base - base < NARROW_SPAN ? (i32)base : WIDE;
}

static i32 long_entries(const strip_rows *r, i32 long_rows)
{
    i32 entries = 0;

    for (i32 p = 0; p < long_rows; p++)
        entries += r->length[p];
    return entries;
}

/* What the lanes of a strip cost, with so many long rows, by some of its slices as to their columns. */
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
        wide += slice_base(a, r, p) == WIDE ? entries : 0;
        looked_at += entries;
    }
    const i64 lane_nnz = r->nnz - long_nnz;

    return lanes_cost(lane_nnz, looked_at ? lane_nnz * wide / looked_at : 0, vectors, slices) +
           (long_rows ? long_rows_cost(long_rows, long_nnz, words_of_rows(a, r, long_rows, long_nnz)) : 0);
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The slices of a strip with so many long rows, and the numbers of its lanes in t. */
static void build_lane_slices(const csr_source *a, const strip_rows *r, i32 long_rows, strip *t,
                              lane_slice *slice)
{
    t->long_rows = long_rows;
    t->lane_rows = r->not_empty - t->long_rows;
    t->wide = 0;
    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        slice->base = slice_base(a, r, p);
        slice->most = r->length[p];
        slice->least = r->not_empty - p < SLICE_ROWS ? 0 : r->length[p + SLICE_ROWS - 1];
        t->wide += slice->base == WIDE ? slice_entries(r, p) : 0;
    }
    t->narrow = r->nnz - long_entries(r, t->long_rows) - t->wide;
}

static void build_lanes(const csr_source *a, const strip_rows *r, i32 long_rows, strip *t, i64 s,
                        const strip_target *to)
{
    lane_slice *slice = to->lane_slices + first_lane_slice(t->row, s);

    build_lane_slices(a, r, long_rows, t, slice);
    i32 *index = to->index + strip_index(t->entry, s);
    i32 *wide = index;
    u16 *narrow = (u16 *)(index + narrow_place(t));
    real *val = to->val + t->entry;
    u8 *count = to->count + s * BOUNDARY;

    for (i32 i = 0; i < r->count; i++)
        to->row[t->row + i] = r->order[i];
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
            if (slice->base == WIDE)
                for (i32 i = 0; i < active; i++)
                    wide[i] = a->col_idx[from[i] + k] - a->base;
            else
                for (i32 i = 0; i < active; i++)
                    narrow[i] = (u16)(a->col_idx[from[i] + k] - a->base - slice->base);
            for (i32 i = 0; i < active; i++)
                val[i] = a->val[from[i] + k];
            wide += slice->base == WIDE ? active : 0;
            narrow += slice->base == WIDE ? 0 : active;
            val += active;
        }
    }
    for (i32 i = 0; i < LANES; i++) {
        wide[i] = 0;
        narrow[i] = 0;
    }
    write_rows(a, r, t->long_rows, t, index + long_place(t));
    for (i32 p = 0; p < t->long_rows; p++) {
        const real *row = a->val + ordered_begin(a, r, p);
        for (i32 k = 0; k < r->length[p]; k++)
            *val++ = row[k];
    }
}

/* Goes through the entries of a finished strip in the order of VAL: new values into it, or all back to
 * CSR, as `move` has it. */
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
            from[i] = (i64)a->row_ptr[t->row + order[p + i]] - a->base;
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
        const i64 begin = (i64)a->row_ptr[row] - a->base;
        const i64 length = (i64)a->row_ptr[row + 1] - (i64)a->row_ptr[row];
        for (i64 k = 0; k < length && move->values; k++)
            move->val[own + k] = move->values[begin + k];
        for (i64 k = 0; k < length && !move->values; k++)
            move_entry(move, begin + k, own + k, next_column(&others));
        own += length;
    }
}
