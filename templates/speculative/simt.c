/* Speculative segmented sum (Liu & Vinter, Parallel Computing 2015) on work-items.
 *
 * The layout has the first row of each tile; or, if borders is kernel, a bunch begins by searching
 * for the rows at its S + 1 borders. The host code draws the workspace. Gaps of the paper are
 * closed as on CPUs: empty rows, alpha and beta, an incomplete last tile. A bunch of T work-items
 * processes its S tiles from left to right, W nonzeros for each work-item. The steps of the first
 * stage, for each tile:
 *
 *   load       neighbouring work-items read neighbouring nonzeros, with W independent
 *              loads each, and the row pointers of the tile. The products go to local
 *              memory, where a work-item's products are contiguous
 *   describe   each row of the tile marks its last nonzero
 *   scan       each work-item adds its products in registers, starting from 0 after each
 *              row end; then a segmented scan over the T work-items joins the sums that
 *              they leave open, in log2 T steps: shuffles where a bunch is within a
 *              subgroup, else local memory
 *   compact    the sums of segments are compacted in local memory, and stored from there
 *              to consecutive rows of y, as if none of them were empty. For the second
 *              stage, a dirty tile is marked, or if repair is records its sums go to the
 *              records instead. If repair is device or beta is not 0, the bunch repairs a
 *              dirty tile at once: it leaves the sums at the ends of their segments, and
 *              each row takes its own
 *
 * Algorithm 1 of the paper has no barrier between the work-items of a bunch, whose size is the SIMD
 * width. Here shuffles and barriers order them: the bunches of a group reach the same ones,
 * whatever their rows are, and a bunch or tile after the end of the matrix has no rows and no
 * products. Marks need no atomic operations: no two nonempty rows end with the same nonzero. The
 * dirty counter is atomic, but nothing depends on the order of arrival.
 *
 * The second stage adds rows that span bunches and, unless repair is device, moves the sums of
 * dirty tiles to their rows. If repair is host, the CPU does both in y, in the module's host step.
 * If it is records, the CPU does both with the transferred sums, and a kernel here stores the rows
 * that it finished.
 *
 * No kernel has a barrier in a branch, even one that the whole group takes: some OpenCL drivers
 * execute the code after such a barrier for the wrong work-items.
 *
 * Compact sums of a dirty tile go to y only if the CPU moves them: there one thread goes from the
 * last row to the first, while of several work-items one could overwrite a sum before another one
 * has read it.
 *
 * Bits: all devices give the same bits. They differ from the bits of a CPU with equal T, W and S
 * for rows in several work-items (added one after the other there, by a scan here; a row within the
 * W nonzeros of one work-item has the same bits), and for rows in many bunches if repair is device.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_reduce.h"
#include "layout_bunch.h"
#include "simt_repair.h"

/* ---- local memory -------------------------------------------------------------------------- */

/* The product of nonzero k of a tile is stored at k + k / BANK_ROW, so that work-items access
 * different banks, both when they write neighbouring products and when each reads its W products.
 * T, W and BANK_ROW are powers of two, so the place of i * T + lane, or of lane * W + step, is the
 * sum of the places of both terms, one of which is a constant. */
enum {
    BANK_ROW = 128 / (i32)sizeof(real),
    PADDED_TILE = TILE + TILE / BANK_ROW
};

DEVICE i32 padded_place(i32 k)
{
    return k + k / BANK_ROW;
}

/* A bunch's part of local memory. */
typedef struct bunch_memory {
    LOCAL real *sum;             /* [PADDED_TILE]: products at padded_place, then compact sums */
    LOCAL u8 *end;               /* [W][T]: 1 if a row ends with that nonzero of that work-item */
} bunch_memory;

/* The scan in local memory reads from one buffer and writes to another, so each array of open sums
 * and of counts has two buffers, this far apart. */
enum { BUFFER_SIZE = B * T };

/* Waits for the work-items of the bunch, which alone access its memory: for the subgroup if the
 * bunch is within one, else for the group. All work-items of the group call this. */
DEVICE void bunch_barrier(void)
{
    if (T <= SUBGROUP_SIZE)
        subgroup_barrier();
    else
        group_barrier();
}

/* ---- steps of the first stage -------------------------------------------------------------- */

/* The products of nonzeros begin + lane, begin + T + lane, ... of a complete tile, with W
 * independent loads. col and val point to the first of them. */
DEVICE void load_products(real *product, GLOBAL const i32 *col, GLOBAL const real *val,
                          GLOBAL const real *xb)
{
    UNROLL
    for (i32 i = 0; i < W; i++)
        product[i] = r_mul(r_stream(val, i * T), x_read(xb, i32_stream(col, i * T)));
}

/* Stores the products to local memory; sum points to the place of this work-item's first
 * product. */
DEVICE void store_products(LOCAL real *sum, const real *product)
{
    UNROLL
    for (i32 i = 0; i < W; i++)
        sum[padded_place(i * T)] = product[i];
}

/* Loads and stores the products of an incomplete tile, which has `count` nonzeros from col and val
 * on; missing products are 0. */
DEVICE void store_some_products(LOCAL real *sum, GLOBAL const i32 *col, GLOBAL const real *val,
                                GLOBAL const real *xb, i64 count)
{
    for (i32 i = 0; i < W; i++)
        sum[padded_place(i * T)] = i * T < count ? r_mul(val[i * T], x_read(xb, col[i * T])) : 0;
}

/* Marks the last nonzero of a row, unless the row is empty. The low 32 bits of row pointers
 * suffice: only the first row of a tile may have more nonzeros than a tile, and it is not empty,
 * except in tile 0. */
DEVICE void mark_end(bunch_memory m, u32 origin, u32 row_begin, u32 row_end, bool is_first)
{
    if (is_first || row_begin != row_end) {
        const i32 k = (i32)(row_end - origin - 1);
        m.end[k % W * T + k / W] = 1;
    }
}

/* Running sums of a work-item's products, which start from `sum` and, after each row end, from 0.
 * Returns a bit for each step that ends a row; *open is the sum after the last end, *segments the
 * number of ends. Clears the marks for the next tile. */
DEVICE u32 scan_item(bunch_memory m, i32 lane, real sum, real *value, real *open, i32 *segments)
{
    u32 ends = 0;
    i32 count = 0;

    UNROLL
    for (i32 step = 0; step < W; step++) {
        const u32 is_end = m.end[step * T + lane];
        m.end[step * T + lane] = 0;
        sum = sum + m.sum[padded_place(lane * W) + padded_place(step)];
        value[step] = sum;
        sum = is_end ? 0 : sum;
        ends |= is_end << step;
        count += (i32)is_end;
    }
    *open = sum;
    *segments = count;
    return ends;
}

/* Results of the segmented scan over the bunch: the open sum and the number of row ends before the
 * work-item, and the same at the end of the bunch. */
typedef struct bunch_scan {
    real before, open;
    i32 segments_before, segments;
} bunch_scan;

/* The scan by shuffles, for a bunch within a subgroup. All work-items of the subgroup call this. */
DEVICE bunch_scan scan_in_subgroup(i32 item, i32 lane, real open, i32 segments)
{
    const i32 last = (item | (T - 1)) % SUBGROUP_SIZE;
    bunch_scan scan;

    for (i32 distance = 1; distance < T; distance *= 2) {
        const real open_before = r_shuffle_up(open, distance);
        const i32 segments_before = i32_shuffle_up(segments, distance);

        if (lane >= distance) {
            if (segments == 0)
                open = open_before + open;
            segments += segments_before;
        }
    }
    scan.before = r_shuffle_up(open, 1);
    scan.segments_before = i32_shuffle_up(segments, 1);
    if (lane == 0) {
        scan.before = 0;
        scan.segments_before = 0;
    }
    scan.open = r_shuffle(open, last);
    scan.segments = i32_shuffle(segments, last);
    return scan;
}

/* The scan through local memory; part and count belong to the bunch. All work-items of the group
 * call this. */
DEVICE bunch_scan scan_in_group(LOCAL real *part, LOCAL i32 *count, i32 lane, real open,
                                i32 segments)
{
    bunch_scan scan;
    i32 from = 0;

    part[lane] = open;
    count[lane] = segments;
    group_barrier();
    for (i32 distance = 1; distance < T; distance *= 2) {
        const i32 to = BUFFER_SIZE - from;

        if (lane >= distance) {
            if (segments == 0)
                open = part[from + lane - distance] + open;
            segments += count[from + lane - distance];
        }
        part[to + lane] = open;
        count[to + lane] = segments;
        group_barrier();
        from = to;
    }
    scan.before = lane ? part[from + lane - 1] : 0;
    scan.segments_before = lane ? count[from + lane - 1] : 0;
    scan.open = part[from + T - 1];
    scan.segments = count[from + T - 1];
    return scan;
}

/* Stores the sums of rows that end in the work-item contiguously, from `at` on. `before`, the sum
 * of the work-items before, is part of the first of them. */
DEVICE void compact(bunch_memory m, u32 ends, const real *value, i32 at, real before)
{
    UNROLL
    for (i32 step = 0; step < W; step++) {
        if (ends >> step & 1) {
            m.sum[at] = value[step] + before;
            before = 0;
            at++;
        }
    }
}

/* In place of compact, for a dirty tile: stores each sum at the place of its last nonzero, from
 * which its row takes it. */
DEVICE void spread(bunch_memory m, u32 ends, const real *value, i32 lane, real before)
{
    UNROLL
    for (i32 step = 0; step < W; step++) {
        if (ends >> step & 1) {
            m.sum[padded_place(lane * W) + padded_place(step)] = value[step] + before;
            before = 0;
        }
    }
}

/* ---- the first stage ----------------------------------------------------------------------- */

/* The dirty counter, before the first stage. */
KERNEL void speculative_clear(LENGTH("1") GLOBAL i32 *RESTRICT dirty_counter)
{
    if (group_index() == 0 && item_index() == 0)
        dirty_counter[0] = 0;
}

KERNEL void speculative_tiles(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                              LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                              LENGTH("nnz") GLOBAL const real *RESTRICT val,
                              LENGTH("cols") GLOBAL const real *RESTRICT x,
                              LENGTH("rows") GLOBAL real *RESTRICT y,
                              LENGTH("group_tiles + 1, or 0") GLOBAL const i32 *RESTRICT tile_row,
                              LENGTH("dirty_tiles") GLOBAL const i64 *RESTRICT dirty_tile,
                              LENGTH("dirty_tiles + 1") GLOBAL const i64 *RESTRICT record_ptr,
                              LENGTH("2 * bunches") GLOBAL real *RESTRICT sum,
                              LENGTH("bunches") GLOBAL i32 *RESTRICT open_row,
                              LENGTH("bunches, or 0") GLOBAL u64 *RESTRICT dirty,
                              LENGTH("1, or 0") GLOBAL i32 *RESTRICT dirty_counter,
                              LENGTH("tiles, or 0") GLOBAL i32 *RESTRICT speculator,
                              LENGTH("records") GLOBAL real *RESTRICT record,
                              real alpha, real beta, i32 base, i32 rows, i64 nnz, i64 dirty_tiles)
{
    LOCAL_MEMORY real sums[B * PADDED_TILE];
    LOCAL_MEMORY real parts[2 * B * T];
    LOCAL_MEMORY i32 counts[2 * B * T];
    LOCAL_MEMORY u8 ends[B * TILE];
    LOCAL_MEMORY i32 borders[B * (S + 1)];
    const i32 item = item_index();
    const i32 lane = item % T;
    const i64 b = group_index() * B + item / T;
    const i64 bunches = i64_ceil_div(nnz, BUNCH);
    GLOBAL const real *xb = x_rebase(x, base);
    const i64 first_tile = b * S;
    if (BORDERS == BY_KERNEL) {
        for (i32 s = lane; s <= S; s += T)
            borders[item / T * (S + 1) + s] =
                row_at_border(row_ptr, base, rows, (first_tile + s) * TILE);
        bunch_barrier();
    }
    i32 row = BORDERS == BY_KERNEL ? borders[item / T * (S + 1)] : tile_row[first_tile];
    bool is_foreign = row_begins_before(row_ptr, base, rows, row, first_tile * TILE);
    bunch_memory m;
    u64 dirty_bits = 0;
    i64 listed = -1;             /* next entry of the list for this bunch; -1 before the search */
    real carry = 0;              /* sum of the bunch's part of the next tile's first row so far */

    m.sum = sums + item / T * PADDED_TILE;
    m.end = ends + item / T * TILE;

    UNROLL
    for (i32 step = 0; step < W; step++)
        m.end[step * T + lane] = 0;

    for (i32 s = 0; s < S; s++) {
        const i64 begin = (first_tile + s) * TILE;
        const i32 next_row = BORDERS == BY_KERNEL ? borders[item / T * (S + 1) + s + 1]
                                                  : tile_row[first_tile + s + 1];
        const bool is_complete = begin + TILE <= nnz;
        const u32 origin = (u32)begin + (u32)base;
        real value[W];
        real open = 0;
        i32 segments = 0;

        /* These loads overlap with each other and with the stores of the last tile's sums. Row
         * pointers do not wait for next_row: a row that the tile does not own is ignored later. */
        const i32 own_row = lane < rows - row ? row + lane : rows - 1;
        const u32 own_begin = (u32)row_ptr[own_row];
        const u32 own_end = (u32)row_ptr[own_row + 1];
        if (is_complete)
            load_products(value, col_idx + begin + lane, val + begin + lane, xb);
        bunch_barrier();
        if (is_complete)
            store_products(m.sum + padded_place(lane), value);
        else
            store_some_products(m.sum + padded_place(lane), col_idx + begin + lane,
                                val + begin + lane, xb, nnz - begin - lane);
        if (lane < next_row - row)
            mark_end(m, origin, own_begin, own_end, begin > 0 && lane == 0);
        for (i64 r = (i64)row + lane + T; r < next_row; r += T)
            mark_end(m, origin, (u32)row_ptr[r], (u32)row_ptr[r + 1], false);
        bunch_barrier();

        const u32 ends_here = scan_item(m, lane, lane == 0 ? carry : 0, value, &open, &segments);
        if (T <= SUBGROUP_SIZE)
            subgroup_barrier();  /* the products are read: sums may overwrite them */
        const bunch_scan scan =
            T <= SUBGROUP_SIZE ? scan_in_subgroup(item, lane, open, segments)
                               : scan_in_group(parts + item / T * T, counts + item / T * T, lane,
                                               open, segments);

        segments = scan.segments;
        carry = scan.open;

        /* Compact sums must not go to y if beta is not 0: later rows of the tile need the old y. */
        const bool is_dirty = segments < next_row - row;
        const bool repairs_at_once =
            is_dirty && (REPAIR == BY_DEVICE || (REPAIR == BY_HOST && beta != 0));

        if (repairs_at_once)
            spread(m, ends_here, value, lane, scan.before);
        else
            compact(m, ends_here, value, scan.segments_before, scan.before);
        bunch_barrier();

        /* The first sum of a bunch that continues a row goes to the synchronizer. */
        const i32 first = is_foreign && segments ? 1 : 0;

        if (repairs_at_once) {
            for (i64 r = (i64)row + lane; r < next_row; r += T) {
                const i64 end = row_ptr[r + 1];
                const real own = row_ptr[r] == end
                                     ? 0 : m.sum[padded_place((i32)(end - base - begin - 1))];

                if (first && r == row)
                    sum[2 * b] = own;
                else
                    y_store(y, (i32)r, own, alpha, beta);
            }
        } else {
            if (first && lane == 0)
                sum[2 * b] = m.sum[0];
            if (REPAIR == BY_HOST && is_dirty) {
                dirty_bits |= (u64)1 << s;
                if (DIRTY_COUNTER && lane == 0)
                    i32_atomic_add(dirty_counter, 1);
                for (i32 j = first + lane; j < segments; j += T)
                    y[row + j] = m.sum[j];
            } else if (REPAIR == BY_RECORDS && is_dirty) {
                if (listed < 0)
                    listed = first_dirty_at_or_after(dirty_tile, dirty_tiles, first_tile + s);
                for (i32 j = first + lane; j < segments; j += T)
                    record[record_ptr[listed] + j] = m.sum[j];
                listed++;
            } else {
                for (i32 j = first + lane; j < segments; j += T)
                    y_store(y, row + j, m.sum[j], alpha, beta);
            }
        }
        if (BORDERS == BY_KERNEL && REPAIR == BY_HOST && lane == 0 && begin < nnz)
            speculator[first_tile + s] = row;
        is_foreign = is_foreign && !segments;
        row = next_row;
    }

    if (lane == 0 && b < bunches) {
        const bool is_open =
            !is_foreign && row_begins_before(row_ptr, base, rows, row, (b + 1) * BUNCH);

        if (is_foreign)
            sum[2 * b] = carry;
        if (is_open)
            sum[2 * b + 1] = carry;
        open_row[b] = is_open ? row : ROW_NONE;
        if (REPAIR == BY_HOST)
            dirty[b] = dirty_bits;
    }
}

/* ---- the second stage ---------------------------------------------------------------------- */

/* The synchronizer: adds rows that span bunches. A group adds the rows that begin in OPEN_BUNCHES
 * bunches: a work-item each row of few bunches, in their order, and the whole group the row of more
 * than OPEN_BUNCHES bunches, of which at most one begins there. */
KERNEL void speculative_open_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                  LENGTH("rows") GLOBAL real *RESTRICT y,
                                  LENGTH("2 * bunches") GLOBAL const real *RESTRICT sum,
                                  LENGTH("bunches") GLOBAL const i32 *RESTRICT open_row,
                                  real alpha, real beta, i32 base, i64 nnz)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    LOCAL_MEMORY i64 long_bunch[1];
    const i32 item = item_index();
    const i64 first = group_index() * OPEN_BUNCHES;
    const i64 end = i64_min(first + OPEN_BUNCHES, i64_ceil_div(nnz, BUNCH));
    real total = 0;

    if (item == 0)
        long_bunch[0] = -1;
    group_barrier();
    for (i64 b = first + item; b < end; b += WORK_GROUP_SIZE) {
        const i32 row = open_row[b];

        if (row != ROW_NONE) {
            const i64 last = (row_ptr[row + 1] - base - 1) / BUNCH;

            if (last - b > OPEN_BUNCHES) {
                long_bunch[0] = b;
            } else {
                real few = sum[2 * b + 1];
                for (i64 c = b + 1; c <= last; c++)
                    few = few + sum[2 * c];
                y_store(y, row, few, alpha, beta);
            }
        }
    }
    group_barrier();

    const i64 b = long_bunch[0];
    if (b >= 0) {
        const i64 last = (row_ptr[open_row[b] + 1] - base - 1) / BUNCH;

        total = item == 0 ? sum[2 * b + 1] : 0;
        for (i64 c = b + 1 + item; c <= last; c += WORK_GROUP_SIZE)
            total = total + sum[2 * c];
    }
    total = group_sum(total, part, item);
    if (item == 0 && b >= 0)
        y_store(y, open_row[b], total, alpha, beta);
}

/* If repair is records: stores the rows that the CPU finished. */
KERNEL void speculative_patch(LENGTH("patches") GLOBAL const i32 *RESTRICT patch_row,
                              LENGTH("patches") GLOBAL const real *RESTRICT patch,
                              LENGTH("rows") GLOBAL real *RESTRICT y, real alpha, real beta,
                              i64 patches)
{
    const i64 i = group_index() * WORK_GROUP_SIZE + item_index();

    if (i < patches && patch_row[i] != ROW_NONE)
        y_store(y, patch_row[i], patch[i], alpha, beta);
}
