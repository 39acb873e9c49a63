/* simt_turns.h: the units that one work-item adds.
 *
 * It has two turns of TURN entries under way: the place of a turn is loaded again as soon as its
 * entries were added. So the loads of the matrix depend on nothing but the slice's head, and the
 * next turn is on its way while x is read at the columns of this one. The entries behind the whole
 * turns of a slice are added first, since their loads need not wait for the turns. Units that a
 * lane lacks are neither added nor read from x.
 */
#ifndef SPMV_SLICES_SIMT_TURNS_H
#define SPMV_SLICES_SIMT_TURNS_H

#include "../prelude/simt.h"
#include "../common/simt_wide_load.h"
#include "layout_slice.h"

/* A work-item's share of a slice. */
typedef struct lane_share {
    GLOBAL const real *val;      /* of the slice */
    GLOBAL const i32 *wide;      /* its columns: one of these, by its kind */
    GLOBAL const u16 *narrow;
    GLOBAL const i32 *diagonal;
    GLOBAL const real *x;        /* moved, so that the columns index it */
    i32 lane;
    i32 width;                   /* units of the longest lane */
    i32 own;                     /* units of this lane */
} lane_share;

/* Units of a turn. */
DEVICE i32 turn_units(i32 kind)
{
    return TURN / run_of(kind);
}

/* The share from the lane's first turn on. */
DEVICE lane_share at_first_turn(i32 kind, const lane_share *s)
{
    const i32 run = run_of(kind);
    lane_share at = *s;

    at.val += run == 1 ? s->lane * VALUE_WIDTH : 0;
    at.wide += s->lane * LOAD_WIDTH;
    at.narrow += s->lane * (run == 1 ? LOAD_WIDTH : 1);
    return at;
}

/* Moves the share on by two turns. */
DEVICE void pass_two_turns(i32 kind, lane_share *at)
{
    const i32 units = 2 * turn_units(kind);

    at->val += units * run_of(kind) * SLICE_ROWS;
    at->wide += units * SLICE_ROWS;
    at->narrow += units * SLICE_ROWS;
    at->diagonal += units;
}

/* Loads a turn of single entries, k units further than `at`. Some may be padding. Narrow columns
 * stay packed. */
DEVICE void load_entries(i32 kind, const lane_share *at, i32 k, real *value, i32 *column)
{
    GLOBAL const real *val = at->val + k * SLICE_ROWS;

    UNROLL
    for (i32 i = 0; i < TURN; i += LOAD_WIDTH) {
        if (kind == KIND_DIAGONALS)
            load_column_group(column + i, at->diagonal, at->narrow, false, k + i);
        else
            load_packed_group(column + i, at->wide, at->narrow, kind == KIND_NARROW,
                              (k + i) * SLICE_ROWS);
    }
    UNROLL
    for (i32 i = 0; i < TURN; i += VALUE_WIDTH)
        load_value_group(value + i, val + i * SLICE_ROWS);
}

/* Loads a run, k units further than `at`. */
DEVICE void load_run(i32 run, const lane_share *at, i32 k, real *value, i32 *column)
{
    GLOBAL const real *val = at->val + k * run * SLICE_ROWS;
    const i32 group = run_value_width(run);

    column[0] = u16_stream(at->narrow, k * SLICE_ROWS);
    if (group == 4) {
        r_load4(value, val + at->lane * 4);
    } else if (group == 2) {
        r_load2(value, val + at->lane * 2);
        if (run == 3)
            value[2] = r_stream(val, 2 * SLICE_ROWS + at->lane);
        if (run == 4)
            r_load2(value + 2, val + 2 * SLICE_ROWS + at->lane * 2);
    } else {
        UNROLL
        for (i32 j = 0; j < 4; j++) {
            if (j < run)
                value[j] = r_stream(val, j * SLICE_ROWS + at->lane);
        }
    }
}

/* Loads a turn, k units further than `at`. left: units that the lane has from the turn on. */
DEVICE void load_turn(i32 kind, const lane_share *at, i32 k, i32 left, real *value, i32 *column)
{
    const i32 run = run_of(kind);

    if (run == 1) {
        load_entries(kind, at, k, value, column);
    } else {
        UNROLL
        for (i32 u = 0; u < TURN / 2; u++) {
            if (u < turn_units(kind) && u < left)
                load_run(run, at, k + u, value + u * run, column + u);
        }
    }
}

/* The column of entry i of a turn. */
DEVICE i32 turn_column(i32 run, bool is_packed, const i32 *column, i32 i)
{
    if (run > 1)
        return column[i / run] + i % run;
    return group_column(column + i / LOAD_WIDTH * LOAD_WIDTH, is_packed, i % LOAD_WIDTH);
}

/* Adds the products of at most `most` entries, a literal, to the sum: all loads of x, then the
 * products in order. left: units that the lane has from the first of them on. */
DEVICE real add_products(i32 kind, bool is_packed, i32 most, GLOBAL const real *xb, i32 left,
                         const real *value, const i32 *column, real sum)
{
    const i32 run = run_of(kind);
    real x[TURN];

    UNROLL
    for (i32 i = 0; i < TURN; i++) {
        x[i] = 0;
        if (i < most && i / run < left)
            x[i] = x_read(xb, turn_column(run, is_packed, column, i));
    }
    UNROLL
    for (i32 i = 0; i < TURN; i++) {
        if (i < most && i / run < left)
            sum = r_fma(value[i], x[i], sum);
    }
    return sum;
}

/* Loads the lane's single entries behind the whole turns of the slice: `left`, less than TURN. */
DEVICE void load_rest(i32 kind, const lane_share *s, i32 whole, i32 left, real *value, i32 *column)
{
    const i32 at = whole * SLICE_ROWS + s->lane;

    UNROLL
    for (i32 i = 0; i < TURN - 1; i++) {
        if (i < left) {
            column[i] = kind == KIND_DIAGONALS ? i32_stream(s->diagonal, whole + i)
                        : load_column(s->wide, s->narrow, kind == KIND_NARROW,
                                      at + i * SLICE_ROWS);
            value[i] = r_stream(s->val, at + i * SLICE_ROWS);
        }
    }
}

/* The sum of the lane's products. A literal as `kind` makes a loop for slices of this kind. */
DEVICE real lane_sum(i32 kind, const lane_share *s)
{
    const i32 run = run_of(kind);
    const i32 units = turn_units(kind);
    const i32 whole = run > 1 ? s->width : whole_turns(s->width);
    lane_share at = at_first_turn(kind, s);
    i32 left = s->own < whole ? s->own : whole;
    real value[3][TURN];         /* of two turns and of the rest */
    i32 column[3][TURN];
    real sum = 0;

    UNROLL
    for (i32 t = 0; t < 3; t++) {
        /* Compilers do not see that the place of a turn without entries is never read. */
        UNROLL
        for (i32 i = 0; i < TURN; i++) {
            value[t][i] = 0;
            column[t][i] = 0;
        }
    }
    UNROLL
    for (i32 t = 0; t < 2; t++) {
        if (t * units < left)
            load_turn(kind, &at, t * units, left - t * units, value[t], column[t]);
    }
    if (run == 1 && whole < s->width) {
        load_rest(kind, s, whole, s->own - whole, value[2], column[2]);
        if (SLICE_ROWS == SUBGROUP_SIZE)
            loads_first();
        sum = add_products(kind, false, TURN - 1, s->x, s->own - whole, value[2], column[2], sum);
    }
    for (; left > 0; left -= 2 * units) {
        UNROLL
        for (i32 t = 0; t < 2; t++) {
            const i32 own = left - t * units;

            if (own > 0)
                sum = add_products(kind, kind == KIND_NARROW && LOAD_WIDTH > 1, units * run, s->x,
                                   own, value[t], column[t], sum);
            if (own > 2 * units)
                load_turn(kind, &at, (t + 2) * units, own - 2 * units, value[t], column[t]);
        }
        pass_two_turns(kind, &at);
    }
    return sum;
}

/* lane_sum by the slice's kind. */
DEVICE real lane_sum_of_kind(i32 kind, const lane_share *s)
{
    if (kind == KIND_NARROW)
        return lane_sum(KIND_NARROW, s);
    if (DIAGONAL_ROWS && kind == KIND_DIAGONALS)
        return lane_sum(KIND_DIAGONALS, s);
    if (RUNS >= 2 && kind == KIND_RUNS_OF_2)
        return lane_sum(KIND_RUNS_OF_2, s);
    if (RUNS >= 3 && kind == KIND_RUNS_OF_3)
        return lane_sum(KIND_RUNS_OF_3, s);
    if (RUNS >= 4 && kind == KIND_RUNS_OF_4)
        return lane_sum(KIND_RUNS_OF_4, s);
    return lane_sum(KIND_WIDE, s);
}

#endif
