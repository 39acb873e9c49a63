/* simt_steps.h: the nonzeros that one work-item processes.
 *
 * A work-item goes through its nonzeros in turns of TURN steps. It has the loads of two turns under
 * way before it uses the first.
 *
 * No step branches to memory: a work-item keeps the sums that its row starts end in local memory.
 * Each row start of the tile has a slot there, in the order of rows: slot j receives the sum of the
 * same work-item before row start j. That is the end of segment j - 1 and, if the work-item has no
 * row start before, the only part of it that the work-item has, its head.
 */
#ifndef SPMV_CSR5_SIMT_STEPS_H
#define SPMV_CSR5_SIMT_STEPS_H

#include "../prelude/simt.h"
#include "../common/layout_columns.h"
#include "../common/simt_wide_load.h"
#include "layout_fields.h"
#include "simt_tile_info.h"

enum {
    TURN = SIGMA && SIGMA % 8 == 0 ? 8 : 4,     /* a multiple of LOAD_WIDTH */
    AHEAD = 2 * TURN,            /* steps whose loads are under way together */

    /* Do OMEGA nonzeros of a tile fill whole lanes, and each lane whole loads? */
    WHOLE_LANES = OMEGA % (SIGMA ? SIGMA : OMEGA + 1) == 0 && SIGMA % LOAD_WIDTH == 0
};

enum {                           /* kinds of complete tiles */
    WIDE,
    NARROW,
    NARROW_ONLY                  /* narrow, of a matrix without wide tiles */
};

/* State of a work-item while it processes its nonzeros. */
typedef struct lane_state {
    u64 flags;                   /* of the remaining steps, the next one in the highest bit */
    LOCAL real *slot;            /* of the next row start */
    real sum;                    /* since the last row start */
} lane_state;

/* The next tile, as the tile sees it that adds its first nonzeros. */
typedef struct next_tile {
    u64 word;                    /* of tile_columns */
    GLOBAL const i32 *col_idx;
    GLOBAL const u16 *col_offset;
    GLOBAL const real *val;      /* of its first nonzero */
    GLOBAL const real *xb;
    bool is_complete;
} next_tile;

/* A work-item's first nonzero of the overhang; both are 0 if it has none. */
typedef struct overhang_entry {
    real value;
    real x;
} overhang_entry;

/* The flags of a lane, as lane_state has them, from the words of its descriptor. */
DEVICE u64 lane_flags(const tile_shape *shape, u32 word, u32 second, u32 third)
{
    const i32 before = shape->y_bits + shape->seg_bits;
    u64 flags = (u64)word << (32 + before);

    if (shape->words > 1)
        flags |= (u64)second << before;
    if (shape->words > 2)
        flags |= (u64)(third >> (32 - before));
    return flags;
}

/* Called before each nonzero: if a row begins there, ends the segment before it. */
DEVICE void visit_flag(lane_state *lane)
{
    if (lane->flags >> 63) {
        lane->slot[0] = lane->sum;
        lane->slot++;
        lane->sum = 0;
    }
    lane->flags <<= 1;
}

/* Index of nonzero `index` + `further` of a tile, where `width` steps of a lane are contiguous.
 * further: a multiple of OMEGA. The tail is not complete, and in CSR order. */
DEVICE i32 overhang_place(bool is_complete, i32 width, i32 sigma, i32 index, i32 further)
{
    const i32 k = WHOLE_LANES ? index : index + further;
    const i32 place =
        place_in_tile(width, sigma, (i32)((u32)k % (u32)sigma), (i32)((u32)k / (u32)sigma));

    if (!is_complete)
        return index + further;
    return WHOLE_LANES ? place + further / sigma * width : place;
}

/* The column of this nonzero of the next tile, from first_column on. It is read again, so it may
 * stay in caches. */
DEVICE i32 overhang_column(const next_tile *next, const tile_shape *shape, i32 index, i32 further)
{
    const i64 at = columns_begin(next->word, shape->size) +
                   overhang_place(next->is_complete, LOAD_WIDTH, shape->sigma, index, further);
    return word_is_narrow(next->word) ? next->col_offset[at] : next->col_idx[at];
}

/* Its value. */
DEVICE real overhang_value(const next_tile *next, const tile_shape *shape, i32 index, i32 further)
{
    return next->val[overhang_place(next->is_complete, VALUE_WIDTH, shape->sigma, index, further)];
}

/* The x of this column. */
DEVICE real overhang_x(const next_tile *next, i32 column)
{
    return x_read(next->xb, first_column(next->word) + column);
}

/* Loads TURN values from `step` on. Those of the work-item begin at val. */
DEVICE void load_values(real *value, GLOBAL const real *val, i32 step)
{
    UNROLL
    for (i32 i = 0; i < TURN; i += VALUE_WIDTH)
        load_value_group(value + i, val + (step + i) * OMEGA);
}

/* The same for columns. */
DEVICE void load_columns(i32 *column, GLOBAL const i32 *wide, GLOBAL const u16 *narrow,
                         bool is_narrow, i32 step)
{
    UNROLL
    for (i32 i = 0; i < TURN; i += LOAD_WIDTH)
        load_column_group(column + i, wide, narrow, is_narrow, (step + i) * OMEGA);
}

/* Loads the work-item's values of the first AHEAD steps. They depend on nothing but the tile's
 * number, so they may be under way before the tile's words arrive. */
DEVICE void load_first_values(real *value, GLOBAL const real *val, i32 sigma)
{
    if (TURN <= sigma)
        load_values(value, val, 0);
    if (AHEAD <= sigma)
        load_values(value + TURN, val, TURN);
}

/* Processes the nonzeros of work-item `index` of a complete tile. word, info: of tile_columns and
 * tile_info; its columns begin at wide or narrow, its values at val; value: from load_first_values.
 * Behind the loads of the tile, also loads the work-item's first nonzero of the overhang. */
DEVICE void tile_steps(lane_state *lane, i32 kind, u64 word, u32 info, GLOBAL const i32 *wide,
                       GLOBAL const u16 *narrow, GLOBAL const real *val, real *value,
                       const tile_shape *shape, i32 index, overhang_entry *entry,
                       const next_tile *next)
{
    const bool is_narrow = kind != WIDE;
    const i32 overhang = info_overhang(info);
    const i32 sigma = SIGMA ? SIGMA : shape->sigma;
    GLOBAL const i32 *own_wide = wide + index * LOAD_WIDTH;
    GLOBAL const u16 *own_narrow = narrow + index * LOAD_WIDTH;
    GLOBAL const real *own_val = val + index * VALUE_WIDTH;
    GLOBAL const real *xb = x_rebase(next->xb, is_narrow ? -first_column(word) : 0);
    i32 column[AHEAD];
    i32 further = 0;
    i32 s = 0;

    if (TURN <= sigma)
        load_columns(column, own_wide, own_narrow, is_narrow, 0);
    if (AHEAD <= sigma)
        load_columns(column + TURN, own_wide, own_narrow, is_narrow, TURN);
    if (OMEGA == SUBGROUP_SIZE)
        loads_first();
    if (index < overhang)
        further = overhang_column(next, shape, index, 0);

    /* The fast track: the first of the tile's flags is the only one. */
    if (FAST_TRACK && info_is_one_row(info))
        visit_flag(lane);
    for (; s + TURN <= sigma; s += TURN) {
        real a[TURN];
        real b[TURN];

        UNROLL
        for (i32 i = 0; i < TURN; i++) {
            b[i] = x_read(xb, column[i]);
            a[i] = value[i];
            if (s + AHEAD <= sigma) {
                column[i] = column[TURN + i];
                value[i] = value[TURN + i];
            }
        }
        if (s + TURN + AHEAD <= sigma) {
            load_values(value + TURN, own_val, s + AHEAD);
            load_columns(column + TURN, own_wide, own_narrow, is_narrow, s + AHEAD);
        }
        if (s + 2 * TURN > sigma && index < overhang) {
            entry->value = overhang_value(next, shape, index, 0);
            entry->x = overhang_x(next, further);
        }
        if (FAST_TRACK && info_is_one_row(info)) {
            UNROLL
            for (i32 i = 0; i < TURN; i++)
                lane->sum = r_fma(a[i], b[i], lane->sum);
        } else {
            UNROLL
            for (i32 i = 0; i < TURN; i++) {
                visit_flag(lane);
                lane->sum = r_fma(a[i], b[i], lane->sum);
            }
        }
    }
    if (sigma < TURN && index < overhang) {
        entry->value = overhang_value(next, shape, index, 0);
        entry->x = overhang_x(next, further);
    }
    for (; s < sigma; s++) {
        const i32 at = column_place(sigma, s, index);
        const i32 place = load_column(wide, narrow, is_narrow, at);
        if (!FAST_TRACK || !info_is_one_row(info))
            visit_flag(lane);
        lane->sum = r_fma(r_stream(val, value_place(sigma, s, index)), x_read(xb, place),
                          lane->sum);
    }
}

/* Processes the `count` nonzeros of this work-item in the tail. */
DEVICE void tail_steps(lane_state *lane, GLOBAL const real *val,
                       GLOBAL const i32 *col, GLOBAL const real *xb, i64 count)
{
    for (i32 s = 0; s < count; s++) {
        visit_flag(lane);
        lane->sum = r_fma(val[s], x_read(xb, col[s]), lane->sum);
    }
}

#endif
