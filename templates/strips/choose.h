/* choose.h: the first phase of building: chooses the storage of a strip. The choice depends on
 * structure alone, and nothing is timed, so a matrix gets the same layout every time. */
#ifndef SPMV_STRIPS_CHOOSE_H
#define SPMV_STRIPS_CHOOSE_H

#include "choose_diagonals.h"
#include "choose_lanes.h"
#include "choose_runs.h"
#include "cost.h"
#include "find_diagonals.h"
#include "find_rows.h"
#include "find_values.h"

/* Scratch memory for examining a strip: too large for a small stack. */
typedef struct strip_scratch {
    diagonal_finder finder;
    strip_rows rows;
    value_finder values;
} strip_scratch;

typedef struct strip_choice {
    i32 kind;                    /* strip_kind */
    i32 long_rows;               /* of STRIP_LANES */
    bool is_padded;              /* if STRIP_DIAGONALS: padding pays */
    i64 cost;
} strip_choice;

DEVICE bool is_padded_choice(const strip_choice *choice)
{
    return HAS_PADDED && choice->kind == STRIP_DIAGONALS && choice->is_padded;
}

/* Prefers a storage that costs less than the best one so far. */
static void prefer(strip_choice *choice, i32 kind, i64 cost)
{
    if (cost < choice->cost) {
        choice->kind = kind;
        choice->cost = cost;
    }
}

/* Considers STRIP_LANES with the long rows that lengths suggest, then with long rows alone. */
static void choose_lanes(const csr_source *a, strip_rows *r, strip_choice *choice)
{
    sort_rows(a, r);
    choice->long_rows = count_long_rows(r);
    const i64 lanes = estimate_lanes(a, r, choice->long_rows);

    prefer(choice, STRIP_LANES, lanes);
    if (long_rows_cost(r->not_empty, r->nnz, r->nnz / 2) >= lanes)
        return;
    const i64 rows = estimate_lanes(a, r, r->not_empty);

    if (rows < lanes)
        choice->long_rows = r->not_empty;
    prefer(choice, STRIP_LANES, rows);
}

static void try_lanes(const csr_source *a, strip_rows *r, strip_choice *choice)
{
    if (lanes_cost_bound(r->nnz) < choice->cost)
        choose_lanes(a, r, choice);
}

static void try_runs(const csr_source *a, const strip_rows *r, strip_choice *choice)
{
    if (runs_cost_bound(r->count, r->nnz) < choice->cost)
        prefer(choice, STRIP_RUNS, estimate_runs(a, r));
}

static void try_diagonals(const csr_source *a, const strip_rows *r, diagonal_finder *finder,
                          strip_choice *choice)
{
    if (diagonals_cost_bound(r->count, r->nnz) < choice->cost)
        prefer(choice, STRIP_DIAGONALS,
               estimate_diagonals(a, r, finder, choice->cost, &choice->is_padded));
}

/* The storage with the least estimated cost. A storage is estimated only if its lower bound is
 * below the best cost so far. The order skips most estimates: the diagonals of a stencil come
 * first; of lanes and runs, the storage with the lower bound comes first. */
static strip_choice choose_kind(const csr_source *a, strip_rows *r, diagonal_finder *finder)
{
    const bool is_stencil = looks_like_stencil(a, r);
    const bool lanes_first = lanes_cost_bound(r->nnz) < runs_cost_bound(r->count, r->nnz);
    strip_choice choice;

    choice.kind = STRIP_LANES;
    choice.long_rows = 0;
    choice.is_padded = false;
    choice.cost = impossible;
    if (is_stencil)
        try_diagonals(a, r, finder, &choice);
    if (lanes_first)
        try_lanes(a, r, &choice);
    try_runs(a, r, &choice);
    if (!is_stencil)
        try_diagonals(a, r, finder, &choice);
    if (!lanes_first)
        try_lanes(a, r, &choice);
    return choice;
}

#endif
