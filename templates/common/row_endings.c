/* row_endings.c: what the lengths of a matrix's rows are like, by some of them, for the costs that
 * methods are chosen by.
 *
 * A loop over a row ends where the CPU foresees it, or costs a mispredicted branch: for many
 * methods that is most of what a row costs. A CPU foresees what followed the same past the last
 * time. So does a small table here, whose past is two rows. It is filled and asked at a few places,
 * and what it tells of them is taken for all rows.
 */

enum {
    ROW_SAMPLES = 64,            /* places, evenly spread */
    ROWS_A_SAMPLE = 16,          /* rows there, side by side, so that few lines are read */
    PASTS = 256,                 /* places of the table, one for each two rows before */
    LEARNT_ROWS = 6000,          /* surprises that a CPU knows by heart when they come again */
    DEEP_ROW = 32                /* nonzeros that rows have at once under way */
};

/* Of all rows. */
typedef struct row_endings {
    f64 uneven;                  /* not as long as the row before */
    f64 surprising;              /* that the table did not foresee */
    f64 empty;
    f64 turns;                   /* empty after one that is not, or the other way round */
    f64 tiny;                    /* 1 or 2 nonzeros, or none */
    f64 full;                    /* at least `full_length` nonzeros */
    f64 short_nnz;               /* nonzeros of the others */
    f64 vectors;                 /* of the full ones */
    f64 deep_nnz;                /* nonzeros behind the first DEEP_ROW of their rows */
} row_endings;

/* What a CPU foresees of a row: its length or, of a full one, its vectors. */
static i64 row_ending(const row_offsets *row_ptr, i64 row, i64 full_length, i64 lanes)
{
    const i64 length = row_length(row_ptr, row);

    return length < full_length ? length : full_length + i64_ceil_div(length, lanes);
}

/* full_length: from which length on a method adds a row by vectors of so many lanes; more than
 * there are columns where it adds none so. */
static row_endings row_endings_of(const spmv_layout *layout, i64 full_length, i64 lanes)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i64 rows = layout->csr.rows;
    const i64 samples = i64_min(ROW_SAMPLES, i64_ceil_div(rows, ROWS_A_SAMPLE));
    i64 past_of[PASTS];
    i64 next_of[PASTS];
    row_endings all = {0};
    f64 looked_at = 0;
    f64 scale;

    for (i64 i = 0; i < PASTS; i++)
        past_of[i] = -1;
    for (i64 i = 0; i < samples; i++) {
        const i64 first = i64_max(share_begin(i, rows, samples), 2);
        const i64 end = i64_min(first + ROWS_A_SAMPLE, rows);
        i64 before = first < end ? row_ending(&row_ptr, first - 2, full_length, lanes) : 0;
        i64 last = first < end ? row_ending(&row_ptr, first - 1, full_length, lanes) : 0;

        for (i64 row = first; row < end; row++) {
            const i64 length = row_length(&row_ptr, row);
            const i64 last_length = row_length(&row_ptr, row - 1);
            const i64 ending = row_ending(&row_ptr, row, full_length, lanes);
            const i64 past = (before << 32) + last;
            const i64 place = (before * 7 + last * 3) % PASTS;

            all.surprising += past_of[place] != past || next_of[place] != ending;
            past_of[place] = past;
            next_of[place] = ending;
            before = last;
            last = ending;

            all.uneven += length != last_length;
            all.empty += length == 0;
            all.turns += (length == 0) != (last_length == 0);
            all.tiny += length <= 2;
            all.full += length >= full_length;
            all.short_nnz += length < full_length ? (f64)length : 0;
            all.vectors += length < full_length ? 0 : (f64)i64_ceil_div(length, lanes);
            all.deep_nnz += (f64)i64_max(length - DEEP_ROW, 0);
            looked_at += 1;
        }
    }
    scale = looked_at > 0 ? (f64)rows / looked_at : 0;
    all.uneven *= scale;
    all.surprising *= scale;
    all.empty *= scale;
    all.turns *= scale;
    all.tiny *= scale;
    all.full *= scale;
    all.short_nnz *= scale;
    all.vectors *= scale;
    all.deep_nnz *= scale;
    return all;
}

/* Rows whose end is mispredicted each time: of few surprises a CPU has learnt most. */
static f64 mispredicted(const row_endings *ends)
{
    const f64 learnt = (f64)LEARNT_ROWS;

    return ends->surprising < learnt ? ends->surprising * ends->surprising / learnt
                                     : ends->surprising;
}
