/* choose_weight.h: the weight (rows plus nonzeros) of the strips of a small matrix.
 *
 * Short strips are slow: a slice has rows of more different lengths, the last slice of a strip
 * lacks rows, and branches are mispredicted where a strip begins and ends. So a small matrix has
 * fewer strips than MANY_CHUNKS, which threads would share out best.
 *
 * A matrix with diagonals keeps MANY_CHUNKS strips: its slices are alike, and fewer strips were not
 * faster.
 */
#ifndef SPMV_STRIPS_CHOOSE_WEIGHT_H
#define SPMV_STRIPS_CHOOSE_WEIGHT_H

#include "choose.h"
#include "find_diagonals.h"
#include "find_rows.h"
#include "layout.h"

enum {
    FEW_STRIPS = 4,              /* even if each weighs less than SMALL_STRIP */
    SMALL_STRIP = CHUNK_WEIGHT / 4,
    WEIGHT_SAMPLES = 3           /* strips that are looked at */
};

/* Whether some strips are best stored as diagonals, if the matrix is cut into MANY_CHUNKS. */
static bool has_diagonal_strips(const csr_source *a, i64 strips, strip_scratch *scratch)
{
    begin_finder(a, &scratch->finder);
    for (i64 i = 1; i <= WEIGHT_SAMPLES; i++) {
        find_strip_rows(a, strips * i / (WEIGHT_SAMPLES + 1), &scratch->rows);
        if (choose_kind(a, &scratch->rows, &scratch->finder).kind == STRIP_DIAGONALS)
            return true;
    }
    return false;
}

/* The weight of the strips of a matrix that is not cut yet. */
static i64 choose_strip_weight(const spmv_layout *layout)
{
    const i64 weight = layout->csr.rows + layout->csr.nnz;
    const i64 least = chunk_weight(weight);
    i64 strips = i64_ceil_div(weight, least);
    csr_source a = source_of(layout);

    if (weight <= CHUNK_WEIGHT || strips <= FEW_STRIPS || weight >= strips * SMALL_STRIP)
        return least;
    a.strip_weight = least;
    if (has_diagonal_strips(&a, strips, (strip_scratch *)layout->scratch))
        return least;
    while (strips > FEW_STRIPS && weight < strips * SMALL_STRIP)
        strips /= 2;
    return i64_ceil_div(weight, strips);
}

#endif
