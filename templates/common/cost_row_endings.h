/* cost_row_endings.h: statistics of row lengths, estimated from a sample of rows, for the cost
 * models by which methods are chosen.
 *
 * A loop over a row costs a mispredicted branch unless the CPU predicts where the row ends, and for
 * many methods this branch is most of the cost of a row. A CPU predicts that a history continues as
 * it did last time. The small table below does the same with a history of two rows. It is filled
 * and queried at the sampled rows, and the result is scaled to all rows.
 */
#ifndef SPMV_COMMON_COST_ROW_ENDINGS_H
#define SPMV_COMMON_COST_ROW_ENDINGS_H

#include "../prelude/host.h"

enum {
    ROW_SAMPLES = 64,            /* samples, evenly spread */
    ROWS_A_SAMPLE = 16,          /* consecutive rows of a sample: few cache lines are read */
    HISTORIES = 256,             /* entries of the table, one for each history of two rows */
    LEARNT_ROWS = 6000,          /* row ends that a CPU learns in repeated multiplications */
    DEEP_ROW = 32                /* nonzeros in flight at once: latency bounds longer rows */
};

/* Numbers of rows, or of nonzeros, in the whole matrix. */
typedef struct row_endings {
    f64 uneven;                  /* rows whose length differs from the row before */
    f64 surprising;              /* rows whose end the table mispredicted */
    f64 empty;                   /* rows without nonzeros */
    f64 turns;                   /* rows where empty rows begin or end */
    f64 tiny;                    /* rows of at most 2 nonzeros */
    f64 full;                    /* rows of at least `full_length` nonzeros */
    f64 short_nnz;               /* nonzeros of all other rows */
    f64 vectors;                 /* vectors of the full rows */
    f64 deep_nnz;                /* nonzeros after the first DEEP_ROW of their rows */
} row_endings;

/* The property of a row that a CPU predicts: its length or, for a full row, its number of
 * vectors. */
static i64 row_ending(const row_offsets *row_ptr, i64 row, i64 full_length, i64 lanes)
{
    const i64 length = row_length(row_ptr, row);

    return length < full_length ? length : full_length + i64_ceil_div(length, lanes);
}

/* full_length: length from which a method adds rows in vectors of `lanes` values; greater than the
 * number of columns if it never does. */
static row_endings row_endings_of(const spmv_layout *layout, i64 full_length, i64 lanes)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i64 rows = layout->csr.rows;
    const i64 samples = i64_min(ROW_SAMPLES, i64_ceil_div(rows, ROWS_A_SAMPLE));
    i64 history_of[HISTORIES];
    i64 next_of[HISTORIES];
    row_endings all = {0};
    f64 sampled_rows = 0;
    f64 scale;

    for (i64 i = 0; i < HISTORIES; i++)
        history_of[i] = -1;
    for (i64 i = 0; i < samples; i++) {
        const i64 first = i64_max(share_begin(i, rows, samples), 2);
        const i64 end = i64_min(first + ROWS_A_SAMPLE, rows);
        i64 before = first < end ? row_ending(&row_ptr, first - 2, full_length, lanes) : 0;
        i64 last = first < end ? row_ending(&row_ptr, first - 1, full_length, lanes) : 0;

        for (i64 row = first; row < end; row++) {
            const i64 length = row_length(&row_ptr, row);
            const i64 last_length = row_length(&row_ptr, row - 1);
            const i64 ending = row_ending(&row_ptr, row, full_length, lanes);
            const i64 history = (before << 32) + last;
            const i64 place = (before * 7 + last * 3) % HISTORIES;

            all.surprising += history_of[place] != history || next_of[place] != ending;
            history_of[place] = history;
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
            sampled_rows += 1;
        }
    }
    scale = sampled_rows > 0 ? (f64)rows / sampled_rows : 0;
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

/* Row ends that are mispredicted in every multiplication. If they are few, a CPU learns most of
 * them. */
static f64 mispredicted(const row_endings *ends)
{
    const f64 learnt = (f64)LEARNT_ROWS;

    return ends->surprising < learnt ? ends->surprising * ends->surprising / learnt
                                     : ends->surprising;
}

#endif
