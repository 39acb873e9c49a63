/* cost.h: the cost model: all numbers that decide a strip's storage and a plan's cost.
 *
 * The cost of a strip is the cost of the bytes that a multiplication reads plus the cost of its
 * cycles, as if the two did not overlap: measured times rank the storages the same way. x and y
 * cost the same in each storage and are left out.
 *
 * The unit is 1/20 of a cycle. In this unit every cost is an integer, so all compilers and CPUs
 * choose alike. Sources:
 *
 *   [1]  a core reads 5 bytes per cycle when all cores read memory
 *   [2]  fitted to one thread of a Zen 5
 *   [3]  fitted to one thread of a Sapphire Rapids
 *   [4]  estimated
 */
#ifndef SPMV_STRIPS_COST_H
#define SPMV_STRIPS_COST_H

#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/cost_collected.h"
#include "../common/cost_cycles.h"
#include "../common/cost_traffic.h"
#include "layout.h"
#include "layout_diagonals.h"
#include "layout_runs.h"

/* ---- the table of costs ---------------------------------------------------------------------- */

enum {
    COST_CYCLE            = 20,                         /* cycle */
    COST_BYTE             = COST_CYCLE / BYTES_A_CYCLE, /* byte that is read [1] */
    /* multiplying a strip */
    COST_LONG_ROW         = 20 * COST_CYCLE,            /* long row [2] */
    COST_LANE_SLICE       = 24 * COST_CYCLE,            /* slice of lanes [2] */
    COST_DIAGONAL_SLICE   = 16 * COST_CYCLE,            /* slice of diagonals [2] */
    COST_FULL_SLICE       = 8 * COST_CYCLE,             /* slice of full diagonals [4] */
    COST_RUN_ROW          = 20 * COST_CYCLE,            /* row of runs [2] */
    COST_SHARING_RUN_ROW  = 8 * COST_CYCLE,             /* row with SAME_COLUMNS [4] */
    /* multiplying, besides the strips */
    COST_MULTIPLICATION   = 150 * COST_CYCLE,           /* multiplication [3] */
    COST_FAR_NONZERO      = 13 * COST_CYCLE / 10,       /* nonzero, x not in the L1 cache [3] */
    COST_FAR_NEIGHBOUR    = COST_CYCLE / 2,             /* diagonals or runs, x not in L1 [3] */
    /* building */
    COST_BUILD_PLAN       = 4000 * COST_CYCLE,          /* plan [3] */
    COST_BUILD_STRIP      = 10000 * COST_CYCLE,         /* strip of CHUNK_WEIGHT [3] */
    COST_NEW_MEMORY       = 31 * COST_CYCLE,            /* 12 bytes beyond the caches [3] */
    /* building, except strips that are stencils */
    COST_EXAMINE_STRIP    = 65000 * COST_CYCLE,         /* strip of CHUNK_WEIGHT [3] */
    COST_EXAMINE_ROW      = 93 * COST_CYCLE,            /* row [3] */
    COST_EXAMINE_NONZERO  = 22 * COST_CYCLE,            /* nonzero [3] */
    COST_EXAMINE_SURPRISE = 77 * COST_CYCLE             /* unpredictable row length [3] */
};

/* Vectors of more than 32 bytes (AVX-512) expand values by an instruction of several cycles,
 * shorter vectors by a table of permutations. */
enum { WIDE_VECTORS = LANES * sizeof(real) > 32 };

enum {                           /* multiplying a vector of products */
    /* x collected lane by lane: 1 + 0.8 * LANES cycles [2] */
    COST_COLLECTED_VECTOR = (i32)COLLECTED_FIFTHS * COST_CYCLE / 5,
    /* on a diagonal with a mask [2] */
    COST_DIAGONAL_VECTOR = (WIDE_VECTORS ? 6 : 3) * COST_CYCLE,
    /* the same where values are padded [3] */
    COST_PADDED_VECTOR = (WIDE_VECTORS ? 3 : 2) * COST_CYCLE,
    /* on a diagonal of a full pair [2] */
    COST_FULL_DIAGONAL_VECTOR = 3 * COST_CYCLE / 2,
    /* x of a diagonal that leaves x [4] */
    COST_COPIED_DIAGONAL = (i32)DIAGONAL_ROWS * 2 * COST_CYCLE,
    /* of windows [2] */
    COST_RUN_VECTOR = (WIDE_VECTORS ? 13 + 3 * RUN_WINDOWS : 10 + 2 * RUN_WINDOWS) * COST_CYCLE / 4,
    /* of windows that the row before loads too [4] */
    COST_SHARING_RUN_VECTOR = (WIDE_VECTORS ? 5 : 3) * COST_CYCLE / 2
};

enum {                           /* decoding a vector of values */
    COST_FEW_VECTOR = 2 * COST_CYCLE,                    /* from a table in registers [3] */
    COST_SINGLE_VECTOR = COST_CYCLE,                     /* from f32 [3] */
    COST_BYTE_VECTOR = (2 + LANES) * COST_CYCLE / 2      /* from a table in memory [3] */
};

enum {                           /* how much an estimate reads */
    SAMPLE_NNZ = 1024,           /* entries of a strip for each storage, or a few more */
    SAMPLED_STRIPS = 16          /* strips of a matrix */
};

enum {                           /* thresholds [4] */
    LONG_ROW_VECTORS = 2,        /* rows of at most this many vectors are never long */
    IDLE_LANES = 2,              /* a row is long if 1 / IDLE_LANES of its slice would idle */
    DIAGONAL_ENTRIES = 3         /* least entries of a diagonal, on average */
};

static const i64 impossible = (i64)1 << 62;  /* the cost of a storage that a strip cannot have */

/* ---- the costs of a strip -------------------------------------------------------------------- */

/* words: number of i32 for all columns */
static i64 long_rows_cost(i64 rows, i64 nnz, i64 words)
{
    return COST_BYTE * (nnz * (i64)sizeof(real) + words * 4) + rows * COST_LONG_ROW +
           nnz * COST_COLLECTED_VECTOR / LANES;
}

/* wide: entries with 32-bit columns; the others have 16-bit ones */
static i64 lanes_cost(i64 nnz, i64 wide, i64 vectors, i64 slices)
{
    return COST_BYTE * (nnz * (i64)(sizeof(real) + 2) + wide * 2 + slices * SLICE_ROWS * 2) +
           vectors * COST_COLLECTED_VECTOR + slices * COST_LANE_SLICE;
}

/* full: pairs on which all rows of the slice have entries */
static i64 pairs_cost(i64 pairs, i64 full)
{
    const i32 vectors = (DIAGONAL_ROWS + LANES - 1) / LANES;

    return 2 * vectors *
           ((pairs - full) * COST_DIAGONAL_VECTOR + full * COST_FULL_DIAGONAL_VECTOR);
}

/* pairs: of all slices; full: as in pairs_cost; stored: pairs of distinct lists */
static i64 diagonals_cost(i64 pairs, i64 full, i64 stored, i64 slices, i64 nnz)
{
    return COST_BYTE * (nnz * (i64)sizeof(real) + stored * PAIR * 4) + pairs_cost(pairs, full) +
           slices * COST_DIAGONAL_SLICE;
}

/* stored: vectors of rows without SAME_COLUMNS */
static i64 runs_cost(i64 vectors, i64 stored, i64 rows, i64 nnz)
{
    const i64 alone = vectors ? rows * stored / vectors : rows;

    return COST_BYTE * (nnz * (i64)sizeof(real) + (stored * RUN_WORDS + rows * RUN_HEAD) * 2) +
           stored * COST_RUN_VECTOR + (vectors - stored) * COST_SHARING_RUN_VECTOR +
           alone * COST_RUN_ROW + (rows - alone) * COST_SHARING_RUN_ROW;
}

/* Whether to pad diagonals, of which `masked` pairs are not full: `zeros` are then stored beside
 * nnz entries. They must fit VAL. */
static bool padding_pays(i64 masked, i64 zeros, i64 nnz)
{
    const i64 vectors = 2 * masked * ((DIAGONAL_ROWS + LANES - 1) / LANES);

    return zeros * PADDING_SHARE <= nnz &&
           COST_BYTE * zeros * (i64)sizeof(real) <=
               vectors * (COST_DIAGONAL_VECTOR - COST_PADDED_VECTOR);
}

/* ---- lower bounds of these costs for any columns --------------------------------------------- */

/* All vectors of lanes are full, or all entries are in one long row. */
static i64 lanes_cost_bound(i64 nnz)
{
    return i64_min(lanes_cost(nnz, 0, nnz / LANES, 0), long_rows_cost(1, nnz, nnz / 2));
}

/* All vectors are full, and all rows have the same columns. */
static i64 runs_cost_bound(i64 rows, i64 nnz)
{
    return COST_BYTE * (nnz * (i64)sizeof(real) + rows * RUN_HEAD * 2) +
           nnz / LANES * COST_SHARING_RUN_VECTOR + rows * COST_SHARING_RUN_ROW;
}

/* All rows have all diagonals, and all slices share one list. */
static i64 diagonals_cost_bound(i64 rows, i64 nnz)
{
    const i64 pairs = nnz / (2 * DIAGONAL_ROWS);

    return diagonals_cost(pairs, pairs, 0, rows / DIAGONAL_ROWS, nnz);
}

/* ---- the costs of a plan --------------------------------------------------------------------- */

/* A cost in cycles. */
static f64 cycles_of(i32 cost)
{
    return (f64)cost / (f64)COST_CYCLE;
}

/* Share of nonzeros whose x is expected to miss the first cache. */
static f64 far_share(const spmv_csr *csr)
{
    return far_nonzeros(csr) / (f64)i64_max(csr->nnz, 1);
}

/* Bytes that the cycles are worth which a strip's nonzeros wait for x if none is in the first
 * cache. Diagonals and runs load x together with its neighbours, lanes each alone. */
static f64 far_bytes(i32 kind, i64 nnz)
{
    const i32 cost = kind == STRIP_LANES ? COST_FAR_NONZERO : COST_FAR_NEIGHBOUR;

    return step_cost(cycles_of(cost) * (f64)nnz);
}

/* The cost of a multiplication in bytes: strips, split rows with columns as in CSR, whose codings
 * save some bytes, x and y once, and cycles that do not depend on the storage of strips. */
static f64 multiplication_bytes(const spmv_csr *csr, f64 strips_bytes, i64 split_nnz,
                                f64 split_saved)
{
    return strips_bytes + (f64)split_nnz * (sizeof(real) + sizeof(i32)) - split_saved +
           (f64)(csr->rows + csr->cols) * sizeof(real) +
           step_cost(cycles_of(COST_MULTIPLICATION) + collected_steps(split_nnz)) +
           far_share(csr) * far_bytes(STRIP_LANES, split_nnz);
}

/* The cost of building in bytes. surprising: rows of unpredictable length; examined: number of
 * `samples` strips that are not stencils, so that building reads their columns and sorts their
 * rows. The strips of a small matrix weigh less than CHUNK_WEIGHT, and cost less. */
static f64 build_bytes(const spmv_csr *csr, f64 surprising, i64 examined, i64 samples)
{
    const f64 strips = (f64)(csr->rows + csr->nnz) / (f64)CHUNK_WEIGHT;

    return step_cost((cycles_of(COST_EXAMINE_STRIP) * strips +
                      cycles_of(COST_EXAMINE_ROW) * (f64)csr->rows +
                      cycles_of(COST_EXAMINE_NONZERO) * (f64)csr->nnz +
                      cycles_of(COST_EXAMINE_SURPRISE) * surprising) *
                         (f64)examined / (f64)i64_max(samples, 1) +
                     cycles_of(COST_BUILD_PLAN) + cycles_of(COST_BUILD_STRIP) * strips +
                     cycles_of(COST_NEW_MEMORY) * new_memory_units(csr));
}

#endif
