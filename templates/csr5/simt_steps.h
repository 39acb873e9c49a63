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
#include "layout_fields.h"
#include "layout_columns.h"

enum {
    TURN = SIGMA % 8 == 0 ? 8 : 4,         /* a multiple of LOAD_WIDTH */
    AHEAD = 2 * TURN                       /* steps whose loads are under way together */
};

/* State of a work-item while it processes its nonzeros. */
typedef struct lane_state {
    u64 flags;                   /* of the remaining steps, the next one in the highest bit */
    LOCAL real *slot;            /* of the next row start */
    real sum;                    /* since the last row start */
} lane_state;

/* The first nonzero of the overhang that a work-item adds; value is 0 if there is none. */
typedef struct overhang_entry {
    i32 column;                  /* from the tile's first_column on */
    real value;
    real x;
} overhang_entry;

/* The flags of a lane, as lane_state has them. desc: its words, OMEGA apart. */
DEVICE u64 lane_flags(const tile_shape *shape, GLOBAL const u32 *desc)
{
    const i32 before = shape->y_bits + shape->seg_bits;
    u64 flags = (u64)desc[0] << (32 + before);

    if (shape->words > 1)
        flags |= (u64)desc[OMEGA] << before;
    if (shape->words > 2)
        flags |= (u64)(desc[2 * OMEGA] >> (32 - before));
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

/* Loads TURN values from `step` on. Those of the work-item begin at val. */
DEVICE void load_values(real *value, GLOBAL const real *val, i32 step)
{
    UNROLL
    for (i32 i = 0; i < TURN; i += VALUE_WIDTH) {
        if (VALUE_WIDTH == 4)
            r_load4(value + i, val + (step + i) * OMEGA);
        else if (VALUE_WIDTH == 2)
            r_load2(value + i, val + (step + i) * OMEGA);
        else
            value[i] = r_stream(val, (step + i) * OMEGA);
    }
}

/* The same for columns. */
DEVICE void load_columns(i32 *column, step_columns columns, bool narrow, i32 step)
{
    UNROLL
    for (i32 i = 0; i < TURN; i += LOAD_WIDTH) {
        if (LOAD_WIDTH == 4 && narrow)
            u16_load4(column + i, columns.narrow + (step + i) * OMEGA);
        else if (LOAD_WIDTH == 4)
            i32_load4(column + i, columns.wide + (step + i) * OMEGA);
        else if (LOAD_WIDTH == 2 && narrow)
            u16_load2(column + i, columns.narrow + (step + i) * OMEGA);
        else if (LOAD_WIDTH == 2)
            i32_load2(column + i, columns.wide + (step + i) * OMEGA);
        else if (narrow)
            column[i] = u16_stream(columns.narrow, (step + i) * OMEGA);
        else
            column[i] = i32_stream(columns.wide, (step + i) * OMEGA);
    }
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

/* Processes the nonzeros of work-item `index` of a complete tile that begins at columns and val.
 * value: from load_first_values. next: the
 * next tile's word of tile_columns. Also reads overhang->x, behind the loads of
 * the tile. */
DEVICE void tile_steps(lane_state *lane, step_columns columns, bool narrow,
                       GLOBAL const real *val, real *value, i32 sigma, i32 index,
                       overhang_entry *overhang, bool has_overhang, GLOBAL const real *xb,
                       u64 next)
{
    const step_columns own = {columns.wide + index * LOAD_WIDTH,
                              columns.narrow + index * LOAD_WIDTH, columns.xb};
    GLOBAL const real *own_val = val + index * VALUE_WIDTH;
    i32 column[AHEAD];
    i32 s = 0;

    if (TURN <= sigma)
        load_columns(column, own, narrow, 0);
    if (AHEAD <= sigma)
        load_columns(column + TURN, own, narrow, TURN);
    for (; s + TURN <= sigma; s += TURN) {
        real a[TURN];
        real b[TURN];

        UNROLL
        for (i32 i = 0; i < TURN; i++) {
            b[i] = x_read(columns.xb, column[i]);
            a[i] = value[i];
            column[i] = column[TURN + i];
            value[i] = value[TURN + i];
        }
        if (s + TURN + AHEAD <= sigma) {
            load_values(value + TURN, own_val, s + AHEAD);
            load_columns(column + TURN, own, narrow, s + AHEAD);
        }
        if (s + 2 * TURN > sigma && has_overhang)
            overhang->x = x_read(xb, first_column(next) + overhang->column);
        if (s == 0 && OMEGA == SUBGROUP_SIZE)
            loads_first();
        UNROLL
        for (i32 i = 0; i < TURN; i++) {
            visit_flag(lane);
            lane->sum = r_fma(a[i], b[i], lane->sum);
        }
    }
    if (sigma < TURN && has_overhang)
        overhang->x = x_read(xb, first_column(next) + overhang->column);
    for (; s < sigma; s++) {
        const i32 at = column_place(sigma, s, index);
        const i32 place = narrow ? u16_stream(columns.narrow, at) : i32_stream(columns.wide, at);
        visit_flag(lane);
        lane->sum = r_fma(r_stream(val, value_place(sigma, s, index)),
                          x_read(columns.xb, place), lane->sum);
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
