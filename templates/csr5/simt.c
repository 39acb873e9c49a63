/* CSR5 (Liu & Vinter, ICS 2015) on work-items: OMEGA work-items process a tile, and a work-group
 * WORK_GROUP_SIZE / OMEGA tiles.
 *
 * The host code draws the arrays and the lists. In the paper's colours: a green segment begins and
 * ends within the sigma nonzeros of one work-item, which stores it at once. A blue segment spans
 * several work-items; a segmented sum over OMEGA of them collects its parts, and the work-item in
 * which it begins stores it. The red segment continues the row of the tile before. The tile in
 * which a row begins also adds the row's overhang into the next tile, if that is short: then most
 * matrices need no other kernel, and a few nonzeros are read twice. A tile stores to `carry` its
 * parts of rows that continue further, the auxiliary array that section 4 allows in place of atomic
 * additions. A further kernel adds these parts: one work-item for each row, in the order of tiles,
 * or a work-group for a row in many tiles.
 *
 * The values of a step, or of VALUE_WIDTH steps, are contiguous, so that loads coalesce. A
 * work-item keeps the sums of segments in local memory; after the segmented sum, the work-items of
 * a tile store them to y side by side. The segmented sum takes log2 OMEGA steps: shuffles where a
 * tile's work-items are within a subgroup, else local memory with a barrier for each. Only shuffles
 * and barriers order the work-items. The flags of the sum are the descriptor's seg_offset: a
 * work-item adds the head `distance` work-items further only if all work-items between them have no
 * row start. The paper's difference of prefix sums (Algorithm 6) is for benchmarks only.
 *
 * With FAST_TRACK a tile in one row tests its first flag only. Its segmented sum is already a plain
 * sum for the work-item that stores the row (section 3.2): the others take their steps beside it.
 *
 * The tail is a tile like the others, except that its nonzeros are in CSR order and some are
 * missing.
 *
 * Bits: green segments, and blue segments of two work-items, have the bits of a CPU with equal
 * omega and sigma. Rows in more work-items, or in several tiles, are added in another order here.
 */
#include "../prelude/simt.h"
#include "../common/layout_columns.h"
#include "../common/simt_scale.h"
#include "../common/simt_reduce.h"
#include "layout_classic.h"
#include "layout_fields.h"
#include "simt_classic.h"
#include "simt_groups.h"
#include "simt_prefix_difference.h"
#include "simt_steps.h"
#include "simt_tile_info.h"

enum {
    IN_SUBGROUP = SUBGROUP_SIZE > 1 && OMEGA <= SUBGROUP_SIZE,     /* is a tile? */
    OVERHANG_TURN = OVERHANG_STEPS - 1,    /* of an overhang, loaded at once behind the first */
    SLOTS = OMEGA * (SIGMA ? SIGMA : S) + 1,
    PARTS = IN_SUBGROUP ? 1 : 2 * WORK_GROUP_SIZE
};

/* Returns the sum of the shares of a tile's work-items to each of these work-items. All work-items
 * of the subgroup call this. For a tile within one subgroup: */
DEVICE real sum_shares_in_subgroup(i32 item, i32 index, real share)
{
    return r_shuffle(subgroup_sum(share, OMEGA), item % SUBGROUP_SIZE - index);
}

/* The same for a tile in several subgroups. All work-items of the group call this; part has room
 * for two values of each. */
DEVICE real sum_shares_in_group(LOCAL real *part, i32 item, i32 index, real share)
{
    const real sum = neighbour_sum(share, part, item, OMEGA);

    if (index == 0)
        part[WORK_GROUP_SIZE + item] = sum;
    group_barrier();
    return part[WORK_GROUP_SIZE + item - index];
}

/* The segmented sum: returns the following work-items' part of the segment that this work-item
 * leaves open. Each work-item passes its head and `reach`, the number of following work-items whose
 * heads belong to the same row. All work-items of the subgroup call this. For a tile within one
 * subgroup: */
DEVICE real sum_after_in_subgroup(i32 index, real head, i32 reach)
{
    real after;

    for (i32 distance = 1; distance < OMEGA; distance *= 2) {
        const real further = r_shuffle_down(head, distance);
        head = distance <= reach ? head + further : head;
    }
    after = r_shuffle_down(head, 1);
    return index + 1 < OMEGA ? after : 0;
}

/* The same for a tile in several subgroups. All work-items of the group call this; part has room
 * for two values of each. */
DEVICE real sum_after_in_group(LOCAL real *part, i32 item, i32 index, real head, i32 reach)
{
    i32 from = 0;

    part[item] = head;
    group_barrier();
    for (i32 distance = 1; distance < OMEGA; distance *= 2) {
        const i32 to = WORK_GROUP_SIZE - from;

        if (distance <= reach)
            head = head + part[from + item + distance];
        part[to + item] = head;
        group_barrier();
        from = to;
    }
    return index + 1 < OMEGA ? part[from + item + 1] : 0;
}

/* Waits for the work-items of the tile: their writes to slots can then be read. All work-items of
 * the group call this. */
DEVICE void tile_barrier(void)
{
    if (IN_SUBGROUP)
        subgroup_barrier();
    else
        group_barrier();
}

KERNEL void csr5_tiles(LENGTH("tiles + 1") GLOBAL const u32 *RESTRICT tile_ptr,
                       LENGTH("tiles") GLOBAL const u32 *RESTRICT tile_info,
                       LENGTH("tiles * words * omega") GLOBAL const u32 *RESTRICT tile_desc,
                       LENGTH("complete_tiles + 1") GLOBAL const u64 *RESTRICT tile_columns,
                       LENGTH("wide_tiles * omega * sigma + tail")
                       GLOBAL const i32 *RESTRICT col_idx,
                       LENGTH("narrow_tiles * omega * sigma") GLOBAL const u16 *RESTRICT col_offset,
                       LENGTH("nnz") GLOBAL const real *RESTRICT val,
                       LENGTH("tiles + 1, or 0") GLOBAL const i64 *RESTRICT empty_ptr,
                       LENGTH("segments, or 0") GLOBAL const i32 *RESTRICT empty_offset,
                       LENGTH("empty_rows") GLOBAL const i32 *RESTRICT empty_row,
                       LENGTH("cols") GLOBAL const real *RESTRICT x,
                       LENGTH("rows") GLOBAL real *RESTRICT y,
                       LENGTH("2 * tiles, or 0") GLOBAL real *RESTRICT carry,
                       real alpha, real beta, i32 base, i64 nnz, i64 complete_tiles, i64 tiles,
                       i64 wide_tiles, i64 empty_rows, i32 sigma)
{
    LOCAL_MEMORY real slots[GROUP_TILES * SLOTS];
    LOCAL_MEMORY real part[PARTS];
    const i32 item = item_index();
    const i32 index = (i32)((u32)item % OMEGA);
    const i64 tile_groups = i64_ceil_div(tiles, GROUP_TILES);
    const i64 tile = group_index() * GROUP_TILES + item / OMEGA;
    const bool is_tile = tile < tiles;
    LOCAL real *slot = slots + item / OMEGA * SLOTS;
    LOCAL real *first_slot = slot;
    GLOBAL const real *xb = x_rebase(x, base);
    const tile_shape shape = shape_of(SIGMA ? SIGMA : sigma);
    lane_state lane;
    u32 row_word = 0;
    u32 info = 0;
    i32 seg_offset = 0;
    real share = 0;              /* of the overhang */

    /* The groups after the groups of tiles store empty rows. They do not return early, and no
     * barrier stands in a branch, even one that the whole group takes: some OpenCL drivers execute
     * the code after such a barrier for the wrong work-items. */
    if (!is_tile && group_index() >= tile_groups) {
        const i64 i = (group_index() - tile_groups) * WORK_GROUP_SIZE + item;
        if (i < empty_rows)
            y_store(y, empty_row[i], 0, alpha, beta);
    }

    lane.flags = 0;
    lane.slot = slot;
    lane.sum = 0;
    if (is_tile) {
        const bool is_complete = tile < complete_tiles;
        const i64 begin = tile * shape.size;
        GLOBAL const u32 *desc = tile_desc + tile * shape.words * OMEGA + index;
        const u64 own = tile_columns[tile];
        const u64 next = tile_columns[i64_min(tile + 1, complete_tiles)];
        const u32 word = desc[0];
        const u32 second = shape.words > 1 ? desc[OMEGA] : 0;
        const u32 third = shape.words > 2 ? desc[2 * OMEGA] : 0;
        overhang_entry entry = {0, 0};
        real value[AHEAD];

        row_word = tile_ptr[tile];
        info = tile_info[tile];
        if (is_complete)
            load_first_values(value, val + begin + index * VALUE_WIDTH, shape.sigma);

        /* A compiler that does not know sigma would wait for the descriptor's words before it loads
         * the values. */
        if (SIGMA == 0 && OMEGA == SUBGROUP_SIZE)
            loads_first();
        lane.flags = lane_flags(&shape, word, second, third);
        seg_offset = lane_seg_offset(&shape, word);
        first_slot = slot + lane_y_offset(&shape, word);
        lane.slot = first_slot;

        const i32 overhang = info_overhang(info);
        const next_tile further = {next, col_idx, col_offset, val + begin + shape.size, xb,
                                   tile + 1 < complete_tiles};

        /* Where every tile is narrow, the place of the columns is known before the tile's word
         * arrives. */
        if (!is_complete) {
            const i32 step = index * shape.sigma;
            tail_steps(&lane, val + begin + step,
                       col_idx + columns_begin(own, shape.size) + step, xb,
                       i64_min(nnz - begin - step, (i64)shape.sigma));
        } else if (wide_tiles == 0) {
            tile_steps(&lane, NARROW_ONLY, own, info, col_idx, col_offset + begin, val + begin,
                       value, &shape, index, &entry, &further);
        } else if (word_is_narrow(own)) {
            tile_steps(&lane, NARROW, own, info, col_idx,
                       col_offset + columns_begin(own, shape.size), val + begin, value, &shape,
                       index, &entry, &further);
        } else {
            tile_steps(&lane, WIDE, own, info, col_idx + columns_begin(own, shape.size), col_offset,
                       val + begin, value, &shape, index, &entry, &further);
        }
        share = r_fma(entry.value, entry.x, share);
        for (i32 k = OMEGA; k < overhang; k += OVERHANG_TURN * OMEGA) {
            i32 column[OVERHANG_TURN];
            real more[OVERHANG_TURN];
            real b[OVERHANG_TURN];

            UNROLL
            for (i32 i = 0; i < OVERHANG_TURN; i++) {
                const bool is_there = index + k + i * OMEGA < overhang;

                column[i] = is_there ? overhang_column(&further, &shape, index, k + i * OMEGA) : 0;
                more[i] = is_there ? overhang_value(&further, &shape, index, k + i * OMEGA) : 0;
            }
            UNROLL
            for (i32 i = 0; i < OVERHANG_TURN; i++)
                b[i] = index + k + i * OMEGA < overhang ? overhang_x(&further, column[i]) : 0;
            UNROLL
            for (i32 i = 0; i < OVERHANG_TURN; i++)
                share = r_fma(more[i], b[i], share);
        }
    }
    const real overhang_sum = IN_SUBGROUP ? sum_shares_in_subgroup(item, index, share)
                                          : sum_shares_in_group(part, item, index, share);

    /* Without a row start the whole sum is a head, which continues to the next row start. */
    const bool has_start = lane.slot != first_slot;
    const bool is_last = index + seg_offset + 1 >= OMEGA;
    const i32 following = is_last ? OMEGA - 1 - index : seg_offset + 1;
    const real head = has_start ? first_slot[0] : lane.sum;
    const real after = SEGMENTED_SUM == PREFIX_DIFFERENCE
        ? (IN_SUBGROUP ? difference_in_subgroup(item, index, head, following)
                       : difference_in_group(part, item, index, head, following))
        : (IN_SUBGROUP ? sum_after_in_subgroup(index, head, has_start ? 0 : following)
                       : sum_after_in_group(part, item, index, head, has_start ? 0 : following));
    const i32 segments = info_segments(info);
    const i32 first = info_first(info);

    tile_barrier();              /* all heads are read: sums may overwrite them */
    if (has_start) {
        const real sum = lane.sum + after;

        if (is_last && info_is_open(info))
            carry[2 * tile + (segments > 1 || first == FIRST_OWN ? 1 : 0)] = sum;
        else
            lane.slot[0] = is_last && info_overhang(info) > 0 ? sum + overhang_sum : sum;
    }
    tile_barrier();

    const i32 end = segments - (info_is_open(info) ? 1 : 0);
    if (first == FIRST_CARRIED && index == 0 && end > 0)
        carry[2 * tile] = slot[1];
    for (i32 j = index + (first == FIRST_OWN ? 0 : 1); j < end; j += OMEGA) {
        const i32 row = tile_has_empty_rows(row_word) ? empty_offset[empty_ptr[tile] + j] : j;
        y_store(y, tile_row(row_word) + row, slot[j + 1], alpha, beta);
    }
}

/* A row that lies in several tiles. */
typedef struct open_row {
    i64 tile, last;              /* the first and the last of them */
    i32 row;
} open_row;

DEVICE open_row open_row_of(GLOBAL const offset *row_ptr, GLOBAL const u32 *tile_ptr, i64 tile,
                            i32 base, i32 size)
{
    open_row r;
    r.tile = tile;
    r.row = tile_row(tile_ptr[tile + 1]);
    r.last = ((i64)row_ptr[r.row + 1] - base - 1) / size;
    return r;
}

/* Adds the parts of rows that lie in several tiles, in the order of tiles. The first groups have
 * one row in few tiles for each work-item. A row in many tiles has a group: the first work-item has
 * its first part; the others are distributed cyclically. */
KERNEL void csr5_open_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                           LENGTH("tiles + 1") GLOBAL const u32 *RESTRICT tile_ptr,
                           LENGTH("short_rows + long_rows") GLOBAL const i64 *RESTRICT open_tile,
                           LENGTH("rows") GLOBAL real *RESTRICT y,
                           LENGTH("2 * tiles") GLOBAL const real *RESTRICT carry,
                           real alpha, real beta, i32 base, i64 short_rows, i32 sigma)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 size = OMEGA * (SIGMA ? SIGMA : sigma);
    const i64 short_groups = i64_ceil_div(short_rows, WORK_GROUP_SIZE);
    const bool is_long = group_index() >= short_groups;
    const i64 place = is_long ? short_rows + group_index() - short_groups
                              : group_index() * WORK_GROUP_SIZE + item;
    const bool has_row = is_long || place < short_rows;
    open_row r = {0, 0, 0};
    real sum = 0;

    if (has_row) {
        r = open_row_of(row_ptr, tile_ptr, open_tile[place], base, size);
        if (!is_long || item == 0)
            sum = carry[2 * r.tile + 1];
        for (i64 t = r.tile + 1 + (is_long ? item : 0); t <= r.last;
             t += is_long ? WORK_GROUP_SIZE : 1)
            sum = sum + carry[2 * t];
    }

    const real group = group_sum(sum, part, item);
    if (has_row && (!is_long || item == 0))
        y_store(y, r.row, is_long ? group : sum, alpha, beta);
}
