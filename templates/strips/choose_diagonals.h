/* choose_diagonals.h: the cost of a strip as STRIP_DIAGONALS, estimated from some of its slices. */
#ifndef SPMV_STRIPS_CHOOSE_DIAGONALS_H
#define SPMV_STRIPS_CHOOSE_DIAGONALS_H

#include "choose_sample.h"
#include "cost.h"
#include "find_diagonals.h"
#include "find_rows.h"

enum { RECENT_LISTS = 32 };      /* latest lists of a strip, compared with a slice's list */

/* Sums over the sampled slices. */
typedef struct diagonal_sample {
    i64 budget;                  /* highest cost allowed for the pairs of the strip */
    i64 nnz;                     /* entries */
    i64 pairs;                   /* pairs of diagonals */
    i64 diagonals;               /* without the empty ones that end odd lists */
    i64 full;                    /* pairs of full diagonals */
    i64 full_slices;             /* slices of full diagonals */
    i64 slices, borders;         /* slices; those where a vector leaves x */
    i64 copied;                  /* diagonals with holes in these */
    i64 stored;                  /* pairs of distinct lists */
    u64 recent[RECENT_LISTS];    /* hashes of the latest lists */
    i32 lists;
} diagonal_sample;

/* Whether a list is among the latest; if not, adds it. */
static bool is_recent(u64 *recent, i32 *count, u64 hash)
{
    for (i32 i = 0; i < *count && i < RECENT_LISTS; i++)
        if (recent[i] == hash)
            return true;
    recent[(*count)++ % RECENT_LISTS] = hash;
    return false;
}

static u64 hash_diagonal(u64 hash, i32 diagonal, u32 mask)
{
    return (hash ^ ((u64)mask << 32 | (u32)diagonal)) * 0x9e3779b97f4a7c15u;
}

/* Adds a finished slice to the sample. */
static void end_slice(diagonal_sample *sample, i64 diagonals, u64 hash)
{
    sample->slices++;
    sample->pairs += (diagonals + 1) / 2;
    sample->diagonals += diagonals;
    sample->stored += is_recent(sample->recent, &sample->lists, hash) ? 0 : (diagonals + 1) / 2;
}

/* Samples a slice of full diagonals. Returns false if it cannot be stored. */
static bool sample_full_diagonals(const csr_source *a, const strip_rows *r, i32 row, i32 diagonals,
                                  diagonal_sample *sample)
{
    const i32 *col = a->col_idx + row_begin(&a->row_ptr, r->first + row);
    i32 before = -1;
    u64 hash = 0;

    for (i32 k = 0; k < diagonals; k++) {
        const i32 column = col[k] - a->base;
        if (column <= before || column > a->cols - DIAGONAL_ROWS)
            return false;
        hash = hash_diagonal(hash, column - r->first - row, full_mask());
        before = column;
    }
    sample->full += diagonals / 2;
    sample->full_slices++;
    end_slice(sample, diagonals, hash);
    return true;
}

/* Samples any slice, of nnz entries. Returns false if it cannot be stored or exceeds the budget. */
static bool sample_diagonals(const strip_rows *r, i32 row, i64 nnz, diagonal_finder *f,
                             diagonal_sample *sample)
{
    u64 hash = 0;
    u32 before = 0;
    i64 diagonals = 0;
    i64 entries = 0;
    i64 masked = 0;
    bool at_border = false;

    if (!begin_slice(r, row, f))
        return false;
    while (find_diagonals(f)) {
        for (i32 i = 0; i < f->count; i++) {
            const u32 mask = f->mask[f->found[i]];
            diagonals++;
            entries += u32_popcount(mask);
            masked += mask != full_mask();
            sample->full += diagonals % 2 == 0 && (mask & before) == full_mask();
            before = mask;
            hash = hash_diagonal(hash, f->first + f->found[i] - r->first - row, mask);
        }
        forget_diagonals(f);
        at_border |= leaves_x(f);
        /* Refuses as soon as the ranges so far cost too much. */
        if (DIAGONAL_ENTRIES * diagonals > entries + 2 * DIAGONAL_ENTRIES * DIAGONAL_ROWS ||
            pairs_cost(sample->pairs + diagonals / 2, sample->full) * r->nnz >
                sample->budget * (sample->nnz + nnz))
            return false;
    }
    sample->borders += at_border;
    sample->copied += at_border ? masked : 0;
    end_slice(sample, diagonals, hash);
    return true;
}

/* The cost of a strip without padding, or `impossible` if a sampled slice cannot be stored, if most
 * are at a border, or if the pairs make the cost exceed `other`, the cost of another storage.
 * is_padded: whether padding pays. */
static i64 estimate_diagonals(const csr_source *a, const strip_rows *r, diagonal_finder *finder,
                              i64 other, bool *is_padded)
{
    const i32 slices = (r->count + DIAGONAL_ROWS - 1) / DIAGONAL_ROWS;
    const i32 stride = DIAGONAL_ROWS * sample_stride(slices, r->nnz);
    diagonal_sample sample = {
        .budget = i64_min(other - COST_BYTE * r->nnz * (i64)sizeof(real), pairs_cost(r->nnz, 0))
    };

    for (i32 row = 0; row < r->count && sample.nnz < SAMPLE_NNZ; row += stride) {
        const i64 nnz = row_begin(&a->row_ptr, r->first + row + slice_row_count(r->count, row)) -
                        row_begin(&a->row_ptr, r->first + row);
        const i32 full = count_full_diagonals(a, r, row);

        if (full ? !sample_full_diagonals(a, r, row, full, &sample)
                 : !sample_diagonals(r, row, nnz, finder, &sample))
            return impossible;
        sample.nnz += nnz;
    }
    /* A block without holes, such as a dense matrix, is faster as runs. */
    if (!sample.nnz || 2 * sample.borders > sample.slices)
        return impossible;
    *is_padded = HAS_PADDED && a->nnz <= PAD_NEAR / (i64)sizeof(real) &&
                 padding_pays(sample.pairs - sample.full,
                              sample.diagonals * DIAGONAL_ROWS - sample.nnz, sample.nnz);
    return sample.copied * COST_COPIED_DIAGONAL * r->nnz / sample.nnz -
           i64_min(sample.full_slices * r->nnz / sample.nnz, slices) *
               (COST_DIAGONAL_SLICE - COST_FULL_SLICE) +
           diagonals_cost(sample.pairs * r->nnz / sample.nnz, sample.full * r->nnz / sample.nnz,
                          sample.stored * r->nnz / sample.nnz, slices, r->nnz);
}

#endif
