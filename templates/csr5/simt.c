/* CSR5 (Liu & Vinter, ICS 2015) on work-items: OMEGA work-items process a tile, and a work-group
 * WORK_GROUP_SIZE / OMEGA tiles.
 *
 * The host code draws the arrays and the lists. In the paper's colours: a green segment begins and
 * ends within the sigma nonzeros of one work-item, which stores it at once. A blue segment spans
 * several work-items; a segmented sum over OMEGA of them collects its parts, and the work-item in
 * which it begins stores it. The red segment continues the row of the tile before. The tile in
 * which a row begins also adds the row's overhang into the next tile, if that is short
 * (overhang_limit): then most matrices need no other kernel, and a few nonzeros are read twice. A
 * tile stores to `carry` its parts of rows that continue further. Further kernels, the paper's
 * calibration, add these parts: one work-item for each row, in the order of tiles, or a work-group
 * for a row in many tiles.
 *
 * The values of a step, or of LOAD_WIDTH steps, are contiguous, so that loads coalesce, and a
 * work-item has LOADS loads in flight. The segmented sum takes log2 OMEGA steps: shuffles where a
 * tile's work-items are within a subgroup, else local memory with a barrier for each. Only shuffles
 * and barriers order the work-items. The flags of the sum are the descriptor's seg_offset: a
 * work-item adds the head `distance` work-items further only if all work-items between them have no
 * row start. The paper's difference of prefix sums, which spreads an Inf over the tile, is not
 * offered here.
 *
 * The tail is a tile like the others, except that its nonzeros are in CSR order and some are
 * missing.
 *
 * Bits: green segments, and blue segments of two work-items, have the bits of a CPU with equal
 * omega and sigma. Rows in more work-items, or in several tiles, are added in another order here.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_reduce.h"
#include "../common/simt_wide_load.h"
#include "layout_fields.h"
#include "layout_columns.h"
#include "simt_groups.h"

enum { LOADS = 4 };              /* a multiple of LOAD_WIDTH */

/* A tile as its work-items see it. */
typedef struct tile_view {
    GLOBAL const u32 *desc;      /* this work-item's words, OMEGA apart */
    GLOBAL const i32 *row_offset;    /* of each segment, in tiles with empty rows */
    GLOBAL real *y;
    GLOBAL real *carry;          /* for the tile's part of a first row that is FIRST_CARRIED */
    real alpha, beta;
    i32 row;                     /* of the tile's first nonzero */
    i32 first;                   /* who adds that row: FIRST_... */
    bool has_empty_rows;
} tile_view;

enum {
    FIRST_OWN,                   /* this tile: the row begins with it */
    FIRST_TAKEN,                 /* the tile before, which also adds this tile's part */
    FIRST_CARRIED                /* another kernel */
};

/* State of a work-item while it processes its nonzeros. */
typedef struct lane_state {
    u32 flags;                   /* remaining flags of a word, the next one in the highest bit */
    i32 flags_left;              /* number of remaining flags */
    i32 word;                    /* index of that word */
    i32 next;                    /* the segment that begins with the next flag */
    i32 first;                   /* the segment that begins with the work-item's first flag */
    real head;                   /* the sum before the first flag */
    real sum;                    /* the sum since the last flag */
} lane_state;

DEVICE i32 segment_row(tile_view v, i32 segment)
{
    return v.row + (v.has_empty_rows ? v.row_offset[segment] : segment);
}

/* Who adds `row`, in which the tile's first nonzero lies: FIRST_... */
DEVICE i32 first_row_role(GLOBAL const offset *row_ptr, i32 row, i32 base, i64 tile_begin,
                          i32 tile_size)
{
    const i64 begin = (i64)row_ptr[row] - base;
    const i64 end = (i64)row_ptr[row + 1] - base;

    if (begin == tile_begin)
        return FIRST_OWN;
    return begin >= tile_begin - tile_size && end <= tile_begin + overhang_limit(tile_size)
               ? FIRST_TAKEN : FIRST_CARRIED;
}

/* Number of nonzeros of the next tile that this tile adds; next_row: the row of the next tile's
 * first nonzero. */
DEVICE i32 overhang_of(GLOBAL const offset *row_ptr, i32 next_row, i32 base, i64 tile_begin,
                       i32 tile_size)
{
    const i64 tile_end = tile_begin + tile_size;
    const i64 begin = (i64)row_ptr[next_row] - base;
    const i64 overhang = (i64)row_ptr[next_row + 1] - base - tile_end;

    return begin >= tile_begin && begin < tile_end && overhang <= overhang_limit(tile_size)
               ? (i32)overhang : 0;
}

/* Stores the sum of a segment that is followed by another segment of the tile. */
DEVICE void store_segment(tile_view v, i32 segment, real sum)
{
    if (segment > 0 || v.first == FIRST_OWN)
        y_store(v.y, segment_row(v, segment), sum, v.alpha, v.beta);
    else if (v.first == FIRST_CARRIED)
        v.carry[0] = sum;
}

/* Called before each nonzero: if a row begins there, ends the segment before it. */
DEVICE void visit_flag(tile_view v, lane_state *lane)
{
    if (lane->flags_left == 0) {
        lane->word++;
        lane->flags = v.desc[lane->word * OMEGA];
        lane->flags_left = 32;
    }
    if (lane->flags >> 31) {
        if (lane->next == lane->first)
            lane->head = lane->sum;
        else
            store_segment(v, lane->next - 1, lane->sum);
        lane->sum = 0;
        lane->next++;
    }
    lane->flags <<= 1;
    lane->flags_left--;
}

/* Loads LOADS nonzeros of a lane from `step` on. The complete tile begins at columns and val. */
DEVICE void load_steps(i32 *column, real *value, step_columns columns, bool narrow,
                       GLOBAL const real *val, i32 step, i32 index)
{
    UNROLL
    for (i32 i = 0; i < LOADS; i += LOAD_WIDTH) {
        const i32 at = (step + i) * OMEGA + index * LOAD_WIDTH;
        if (narrow)
            load_narrow_entries(column + i, value + i, columns.narrow + at, val + at);
        else
            load_entries(column + i, value + i, columns.wide + at, val + at);
    }
}

/* Processes the nonzeros of work-item `index` of a complete tile that begins at columns and val. */
DEVICE void tile_steps(tile_view v, lane_state *lane, step_columns columns, bool narrow,
                       GLOBAL const real *val, i32 sigma, i32 index)
{
    i32 s = 0;

    for (; s + LOADS <= sigma; s += LOADS) {
        i32 column[LOADS];
        real a[LOADS];
        real b[LOADS];

        load_steps(column, a, columns, narrow, val, s, index);
        UNROLL
        for (i32 i = 0; i < LOADS; i++)
            b[i] = x_read(columns.xb, column[i]);
        UNROLL
        for (i32 i = 0; i < LOADS; i++) {
            visit_flag(v, lane);
            lane->sum = r_fma(a[i], b[i], lane->sum);
        }
    }
    for (; s < sigma; s++) {
        const i32 at = place_in_tile(sigma, s, index);
        const i32 column = narrow ? u16_stream(columns.narrow, at) : i32_stream(columns.wide, at);
        visit_flag(v, lane);
        lane->sum = r_fma(r_stream(val, at), x_read(columns.xb, column), lane->sum);
    }
}

/* Processes the `count` nonzeros of this work-item in the tail. */
DEVICE void tail_steps(tile_view v, lane_state *lane, GLOBAL const real *val,
                       GLOBAL const i32 *col, GLOBAL const real *xb, i64 count)
{
    for (i32 s = 0; s < count; s++) {
        visit_flag(v, lane);
        lane->sum = r_fma(val[s], x_read(xb, col[s]), lane->sum);
    }
}

/* Sum of a work-item's share of the overhang: the first `overhang` nonzeros of the next tile, which
 * begins at columns and val. The loads may stay in caches, since the next tile reads them too. */
DEVICE real overhang_share(step_columns columns, bool narrow, GLOBAL const real *val, i32 overhang,
                           bool is_complete, i32 sigma, i32 index)
{
    real sum = 0;

    for (i32 k = index; k < overhang; k += OMEGA) {
        const i32 at = is_complete ? place_in_tile(sigma, k % sigma, k / sigma) : k;
        const i32 column = narrow ? columns.narrow[at] : columns.wide[at];
        sum = r_fma(val[at], x_read(columns.xb, column), sum);
    }
    return sum;
}

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

KERNEL void csr5_tiles(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                       LENGTH("tiles + 1") GLOBAL const u32 *RESTRICT tile_ptr,
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
                       i64 empty_rows, i32 sigma)
{
    LOCAL_MEMORY real part[2 * WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 index = item % OMEGA;
    const i64 tile_groups = i64_ceil_div(tiles, GROUP_TILES);
    const i64 tile = group_index() * GROUP_TILES + item / OMEGA;
    const bool is_tile = tile < tiles;
    GLOBAL const real *xb = x_rebase(x, base);
    const tile_shape shape = shape_of(SIGMA ? SIGMA : sigma);
    tile_view v;
    lane_state lane;
    i32 seg_offset = 0;
    i32 next_row = 0;            /* of the next tile's first nonzero */
    i32 overhang = 0;            /* nonzeros of the next tile that this tile adds */
    real share = 0;

    /* The groups after the groups of tiles store empty rows. They do not return early, and no
     * barrier stands in a branch, even one that the whole group takes: some OpenCL drivers execute
     * the code after such a barrier for the wrong work-items. */
    if (group_index() >= tile_groups) {
        const i64 i = (group_index() - tile_groups) * WORK_GROUP_SIZE + item;
        if (i < empty_rows)
            y_store(y, empty_row[i], 0, alpha, beta);
    }

    lane.head = 0;
    lane.sum = 0;
    lane.next = 0;
    lane.first = 0;
    if (is_tile) {
        const u32 row_word = tile_ptr[tile];
        const i64 begin = tile * shape.size;

        v.row = tile_row(row_word);
        next_row = tile_row(tile_ptr[tile + 1]);
        v.has_empty_rows = tile_has_empty_rows(row_word);
        v.row_offset = v.has_empty_rows ? empty_offset + empty_ptr[tile] : empty_offset;
        v.first = first_row_role(row_ptr, v.row, base, begin, shape.size);
        v.carry = v.first == FIRST_CARRIED ? carry + 2 * tile : carry;
        v.desc = tile_desc + tile * shape.words * OMEGA + index;
        v.y = y;
        v.alpha = alpha;
        v.beta = beta;

        const u32 word = v.desc[0];
        seg_offset = lane_seg_offset(&shape, word);
        lane.word = 0;
        lane.flags = word << (shape.y_bits + shape.seg_bits);
        lane.flags_left = 32 - shape.y_bits - shape.seg_bits;
        lane.next = lane_y_offset(&shape, word);
        lane.first = lane.next;

        const u64 own_columns = tile_columns[tile];
        const step_columns columns = columns_at(own_columns, col_idx, col_offset, xb, shape.size);

        if (tile >= complete_tiles) {
            const i32 step = index * shape.sigma;
            tail_steps(v, &lane, val + begin + step, columns.wide + step, xb,
                       i64_min(nnz - begin - step, (i64)shape.sigma));
        } else if (tile_is_narrow(own_columns)) {
            tile_steps(v, &lane, columns, true, val + begin, shape.sigma, index);
        } else {
            tile_steps(v, &lane, columns, false, val + begin, shape.sigma, index);
        }
        overhang = tile + 1 < tiles ? overhang_of(row_ptr, next_row, base, begin, shape.size) : 0;
        if (overhang > 0) {
            const u64 next = tile_columns[tile + 1];
            share = overhang_share(columns_at(next, col_idx, col_offset, xb, shape.size),
                                   tile_is_narrow(next), val + begin + shape.size, overhang,
                                   tile + 1 < complete_tiles, shape.sigma, index);
        }
    }
    const real overhang_sum = SUBGROUP_SIZE > 1 && OMEGA <= SUBGROUP_SIZE
                              ? sum_shares_in_subgroup(item, index, share)
                              : sum_shares_in_group(part, item, index, share);

    /* Without a row start the whole sum is a head, which continues to the next row start. */
    const bool has_start = lane.next > lane.first;
    const bool is_last = index + seg_offset + 1 >= OMEGA;
    const i32 reach = has_start ? 0 : is_last ? OMEGA - 1 - index : seg_offset + 1;
    const real head = has_start ? lane.head : lane.sum;
    const real after = SUBGROUP_SIZE > 1 && OMEGA <= SUBGROUP_SIZE
                            ? sum_after_in_subgroup(index, head, reach)
                            : sum_after_in_group(part, item, index, head, reach);

    if (is_tile && has_start) {
        const i32 segment = lane.next - 1;
        const real sum = lane.sum + after;

        if (!is_last || segment_row(v, segment) != next_row)
            store_segment(v, segment, sum);
        else if (overhang > 0)
            store_segment(v, segment, sum + overhang_sum);
        else
            carry[2 * tile + (segment > 0 || v.first == FIRST_OWN ? 1 : 0)] = sum;
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

/* Adds the parts of rows that lie in few tiles: one row for each work-item. */
KERNEL void csr5_short_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                            LENGTH("tiles + 1") GLOBAL const u32 *RESTRICT tile_ptr,
                            LENGTH("short_rows + long_rows") GLOBAL const i64 *RESTRICT open_tile,
                            LENGTH("rows") GLOBAL real *RESTRICT y,
                            LENGTH("2 * tiles") GLOBAL const real *RESTRICT carry,
                            real alpha, real beta, i32 base, i64 short_rows, i32 sigma)
{
    const i32 size = OMEGA * (SIGMA ? SIGMA : sigma);
    const i64 i = group_index() * WORK_GROUP_SIZE + item_index();

    if (i < short_rows) {
        const open_row r = open_row_of(row_ptr, tile_ptr, open_tile[i], base, size);
        real sum = carry[2 * r.tile + 1];

        for (i64 t = r.tile + 1; t <= r.last; t++)
            sum = sum + carry[2 * t];
        y_store(y, r.row, sum, alpha, beta);
    }
}

/* Adds the parts of rows that lie in many tiles: one row for each work-group. The first work-item
 * has the first part; the others are distributed cyclically. */
KERNEL void csr5_long_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                           LENGTH("tiles + 1") GLOBAL const u32 *RESTRICT tile_ptr,
                           LENGTH("short_rows + long_rows") GLOBAL const i64 *RESTRICT open_tile,
                           LENGTH("rows") GLOBAL real *RESTRICT y,
                           LENGTH("2 * tiles") GLOBAL const real *RESTRICT carry,
                           real alpha, real beta, i32 base, i64 short_rows, i32 sigma)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 size = OMEGA * (SIGMA ? SIGMA : sigma);
    const open_row r =
        open_row_of(row_ptr, tile_ptr, open_tile[short_rows + group_index()], base, size);
    real sum = item == 0 ? carry[2 * r.tile + 1] : 0;

    for (i64 t = r.tile + 1 + item; t <= r.last; t += WORK_GROUP_SIZE)
        sum = sum + carry[2 * t];
    sum = group_sum(sum, part, item);
    if (item == 0)
        y_store(y, r.row, sum, alpha, beta);
}
