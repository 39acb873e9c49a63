/* cost.c: what a strip costs in each way: bytes that are read, and what its steps are worth in
 * bytes.
 *
 * Bytes and cycles are added, although they overlap in part: measured times order the ways
 * likewise. x and y cost the same in all of them, and are left out.
 *
 * Costs are whole numbers, of quarters of a byte, so that every compiler and CPU chooses the same.
 */
#include "../common/cost_cycles.h"
#include "../common/cost_collected.h"

enum {
    BYTE = 4,
    CYCLE = BYTES_A_CYCLE * BYTE,
    SAMPLE = 1024                /* entries of a strip that are looked at in each way, or a few
                                    more */
};

static const i64 no_way = (i64)1 << 62;

/* Every so manieth of `count` slices or rows is looked at, which have nnz entries. */
static i32 sample_distance(i32 count, i64 nnz)
{
    return (i32)i64_max(1, i64_min(count / 4, nnz / SAMPLE));
}

/* A vector of products whose x is collected lane by lane. */
static i64 collected_vector(void)
{
    return (i64)CYCLE * COLLECTED_FIFTHS / 5;
}

/* Values are put where a mask has bits by an instruction that takes several cycles (AVX-512), or,
 * in vectors of up to 32 bytes, by a table. */
static bool has_long_masks(void)
{
    return LANES * sizeof(real) > 32;
}

/* One whose x is read as it stands, with the mask of a diagonal. */
static i64 diagonal_vector(void)
{
    return (has_long_masks() ? 6 : 3) * CYCLE;
}

/* One of two diagonals that all rows have. */
static i64 full_diagonal_vector(void)
{
    return 3 * CYCLE / 2;
}

/* One whose x is read run by run. */
static i64 runs_vector(void)
{
    return has_long_masks() ? (13 + 3 * (LANES / V_RUN)) * CYCLE / 4 : (5 + LANES / V_RUN) * CYCLE / 2;
}

/* One more row of the same columns beside it. */
static i64 shared_runs_vector(void)
{
    return (has_long_masks() ? 5 : 3) * CYCLE / 2;
}

/* words: i32 that all columns take */
static i64 long_rows_cost(i64 rows, i64 nnz, i64 words)
{
    return BYTE * (nnz * (i64)sizeof(real) + words * 4) + rows * 20 * CYCLE +
           nnz * collected_vector() / LANES;
}

/* wide: entries with columns of 32 bits, the others have 16 */
static i64 lanes_cost(i64 nnz, i64 wide, i64 vectors, i64 slices)
{
    return BYTE * (nnz * (i64)(sizeof(real) + 2) + wide * 2 + slices * SLICE_ROWS * 2) +
           vectors * collected_vector() + slices * 24 * CYCLE;
}

/* full: of the pairs, those that all rows have */
static i64 pairs_cost(i64 pairs, i64 full)
{
    const i32 vectors = (DIAGONAL_ROWS + LANES - 1) / LANES;

    return 2 * vectors * ((pairs - full) * diagonal_vector() + full * full_diagonal_vector());
}

/* pairs: of all slices; full: of these, those that all rows have; stored: of the lists that
 * differ */
static i64 diagonals_cost(i64 pairs, i64 full, i64 stored, i64 slices, i64 nnz)
{
    return BYTE * (nnz * (i64)sizeof(real) + stored * PAIR * 4) + pairs_cost(pairs, full) + slices * 16 * CYCLE;
}

/* stored: vectors of rows that do not share their columns with the row before */
static i64 runs_cost(i64 vectors, i64 stored, i64 rows, i64 nnz)
{
    const i64 alone = vectors ? rows * stored / vectors : rows;

    return BYTE * (nnz * (i64)sizeof(real) + (stored * (LANES / V_RUN + 1) + rows * 3) * 2) +
           stored * runs_vector() + (vectors - stored) * shared_runs_vector() +
           (alone * 20 + (rows - alone) * 8) * CYCLE;
}

/* ---- the least that a way can cost, whatever the columns are --------------------------------- */

/* All vectors of lanes are full, or all entries in one long row. */
static i64 least_lanes_cost(i64 nnz)
{
    return i64_min(lanes_cost(nnz, 0, nnz / LANES, 0), long_rows_cost(1, nnz, nnz / 2));
}

/* All vectors are full, and all rows share columns. */
static i64 least_runs_cost(i64 rows, i64 nnz)
{
    return BYTE * (nnz * (i64)sizeof(real) + rows * 3 * 2) + nnz / LANES * shared_runs_vector() + rows * 8 * CYCLE;
}

/* All rows have all diagonals, and all slices one list. */
static i64 least_diagonals_cost(i64 rows, i64 nnz)
{
    const i64 pairs = nnz / (2 * DIAGONAL_ROWS);

    return diagonals_cost(pairs, pairs, 0, rows / DIAGONAL_ROWS, nnz);
}
