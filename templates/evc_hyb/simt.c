/* EVC-HYB (Guo & Gropp, IJHPCA 2016) on work-items.
 *
 * The host code draws the arrays and divides the work.
 *
 *   ELL part    a work-item has a row of a slice, and its neighbours have the neighbouring rows, so
 *               the entries of a column that they read are contiguous. The shorter the rows, the
 *               more of them a work-item adds, each from another slice: ROWS_PER_ITEM at length 1,
 *               half as many at length 2, ..., one if rows are longer than half of ROWS_PER_ITEM.
 *               So there are always about as many independent loads. With ROWS_BY_LONGEST (the
 *               paper), it adds one row if rows are longer than half of the longest, two if they
 *               are longer than a quarter, ..., ROWS_PER_ITEM of them side by side.
 *   vCSR part   ITEMS_PER_ROW work-items share a row, fewer if each would add less than
 *               NONZEROS_PER_ITEM entries, but at least LEAST_ITEMS_PER_ROW (the paper: 16 to 256,
 *               for 8 entries each). A group adds as many rows as its work-items suffice for. A
 *               row of more than CHUNK_WEIGHT entries is cut into parts, which evc_parts adds.
 *
 * Gaps of the paper closed here: alpha and beta; y in the order of rows, by a scatter, unless the
 * setting permuted_y leaves it sorted; true lengths instead of products with padding, so that an
 * Inf in x cannot meet a stored zero; rows without entries; long rows; and the order of additions,
 * which depends on the matrix and the parameters only. (In the paper's Listing 2 some work-items
 * never reach a barrier; here all work-items of a group reach the same barriers.)
 *
 * The sums have the same bits as on CPUs if LANES = ITEMS_PER_ROW there, NONZEROS_PER_ITEM = 1,
 * the other parameters are equal, and a multiply-add is rounded once: rows of the ELL part are
 * added one entry after the other; in the vCSR part, where n work-items share a row, every n-th
 * entry, and these sums by halving; parts in order or, of a row of more than FEW_PARTS parts, every
 * WORK_GROUP_SIZE-th part and these sums by halving.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_item_sum.h"
#include "../common/simt_reduce.h"
#include "layout_bin.h"
#include "layout_slice.h"
#include "layout_vcsr.h"
#include "simt_groups.h"
#include "layout_parts.h"

/* The destination of results. */
typedef struct evc_result {
    GLOBAL const i32 *row_of;
    GLOBAL real *y;
    real alpha, beta;
    i32 permuted;                /* y is in the order of positions */
} evc_result;

/* The ELL part as kernels read it. */
typedef struct ell_part {
    GLOBAL const evc_slice *slice;
    GLOBAL const i32 *length;    /* lengths of rows in slices of several lengths */
    GLOBAL const i32 *col;
    GLOBAL const real *val;
    GLOBAL const real *xb;
    i32 position;                /* position of its first row */
} ell_part;

/* Index in y of the row at a position. */
DEVICE i32 y_index(const evc_result *to, i32 position)
{
    return to->permuted ? position : to->row_of[position];
}

/* ---- the ELL part -------------------------------------------------------------------------- */

/* A row of a slice. */
typedef struct ell_row {
    i64 entry;                   /* start of the slice; the row begins `lane` entries further */
    i32 columns;                 /* columns of the slice */
    i32 length;                  /* 0: there is no such row */
    i32 y;                       /* index in y */
} ell_row;

/* Row `lane` of a slice, if slice < end. */
DEVICE ell_row find_row(const ell_part *a, const evc_result *to, i64 slice, i32 end, i32 lane)
{
    ell_row row = {0, 0, 0, 0};

    if (slice < end) {
        const evc_slice own = a->slice[slice];

        row.columns = own.columns;
        row.length = own.columns;
        row.entry = own.entry;
        if (own.mixed != PURE)
            row.length = a->length[own.mixed * ALIGNMENT + lane];
        row.y = y_index(to, (i32)(a->position + slice * ALIGNMENT + lane));
    }
    return row;
}

/* Number of grouped columns of a slice in a group whose work-items add one row at a time. Shorter
 * slices of the group may be stored for several rows, but not with ROWS_BY_LONGEST. */
DEVICE i32 grouped_of_one_row(i32 columns)
{
    return grouped_columns(ROWS_BY_LONGEST ? 1 : rows_of_item(columns, ROWS_PER_ITEM), columns);
}

/* Loads LOAD_WIDTH entries of a row from column k on. col and val: the row's first entries. */
DEVICE void load_group(i32 *column, real *value, GLOBAL const i32 *col, GLOBAL const real *val,
                       i32 k)
{
    if (LOAD_WIDTH == 4)
        i32_load4(column, col + k * ALIGNMENT);
    else if (LOAD_WIDTH == 2)
        i32_load2(column, col + k * ALIGNMENT);
    UNROLL
    for (i32 i = 0; i < LOAD_WIDTH; i += VALUE_WIDTH) {
        if (VALUE_WIDTH == 4)
            r_load4(value + i, val + (k + i) * ALIGNMENT);
        else if (VALUE_WIDTH == 2)
            r_load2(value + i, val + (k + i) * ALIGNMENT);
        else
            value[i] = r_stream(val, (k + i) * ALIGNMENT);
    }
}

/* Loads the columns from k on, fewer than LOAD_WIDTH, that are stored one by one at the end of a
 * slice. The last one takes the place of those that are not there. */
DEVICE void load_rest(i32 *column, real *value, const ell_part *a, const ell_row *row, i32 k,
                      i32 lane)
{
    UNROLL
    for (i32 i = 0; i < LOAD_WIDTH; i++) {
        const i32 at = (k + i < row->columns ? k + i : row->columns - 1) * ALIGNMENT + lane;

        column[i] = i32_stream(a->col, row->entry + at);
        value[i] = r_stream(a->val, row->entry + at);
    }
}

/* The sum of a row, for a work-item with one row. TURNS turns of LOAD_WIDTH entries are under way:
 * the place of a turn is loaded again as soon as its entries were added. Padding may be loaded, but
 * is not added; in place of its columns the first entry of x is read. */
DEVICE real ell_row_sum_in_turns(const ell_part *a, const ell_row *row, i32 lane)
{
    GLOBAL const i32 *col = a->col + row->entry + lane * LOAD_WIDTH;
    GLOBAL const real *val = a->val + row->entry + lane * VALUE_WIDTH;
    const i32 columns = row->columns;
    const i32 grouped = grouped_of_one_row(columns);
    i32 column[TURNS][LOAD_WIDTH];
    real value[TURNS][LOAD_WIDTH];
    real sum = 0;

    UNROLL
    for (i32 t = 0; t < TURNS; t++) {
        if (t * LOAD_WIDTH < grouped)
            load_group(column[t], value[t], col, val, t * LOAD_WIDTH);
        else if (t * LOAD_WIDTH < columns)
            load_rest(column[t], value[t], a, row, t * LOAD_WIDTH, lane);

        /* Compilers do not see that the place of a turn without entries is never read. */
        UNROLL
        for (i32 i = 0; i < LOAD_WIDTH; i++) {
            if (t * LOAD_WIDTH >= columns) {
                column[t][i] = 0;
                value[t][i] = 0;
            }
        }
    }
    for (i32 first = 0; first < columns; first += TURNS * LOAD_WIDTH) {
        UNROLL
        for (i32 t = 0; t < TURNS; t++) {
            const i32 k = first + t * LOAD_WIDTH;

            if (k < columns) {
                real x[LOAD_WIDTH];

                UNROLL
                for (i32 i = 0; i < LOAD_WIDTH; i++)
                    x[i] = x_read(a->xb, column[t][i]);
                UNROLL
                for (i32 i = 0; i < LOAD_WIDTH; i++)
                    sum = k + i < row->length ? r_fma(value[t][i], x[i], sum) : sum;
                if (k + TURNS * LOAD_WIDTH < grouped)
                    load_group(column[t], value[t], col, val, k + TURNS * LOAD_WIDTH);
                else if (k + TURNS * LOAD_WIDTH < columns)
                    load_rest(column[t], value[t], a, row, k + TURNS * LOAD_WIDTH, lane);
            }
        }
    }
    return sum;
}

/* The sum of a row, for a work-item with one row. Entries of a wide load after the end of the row
 * are padding and are not added. */
DEVICE real ell_row_sum(const ell_part *a, const ell_row *row, i32 lane)
{
    GLOBAL const i32 *col = a->col + row->entry;
    GLOBAL const real *val = a->val + row->entry;
    real sum = 0;
    i32 k = 0;

    if (LOAD_WIDTH > 1) {
        const i32 grouped = grouped_of_one_row(row->columns);

        for (; k < grouped && k < row->length; k += LOAD_WIDTH) {
            i32 column[LOAD_WIDTH];
            real value[LOAD_WIDTH];
            real x[LOAD_WIDTH];

            load_group(column, value, col + lane * LOAD_WIDTH, val + lane * VALUE_WIDTH, k);
            UNROLL
            for (i32 i = 0; i < LOAD_WIDTH; i++)
                x[i] = x_read(a->xb, column[i]);
            UNROLL
            for (i32 i = 0; i < LOAD_WIDTH; i++)
                sum = k + i < row->length ? r_fma(value[i], x[i], sum) : sum;
        }
    }
    return sum_products(sum, col + lane, val + lane, a->xb, k * ALIGNMENT, row->length * ALIGNMENT,
                        ALIGNMENT);
}

/* ---- the vCSR part -------------------------------------------------------------------------- */

/* Loads entries k, k + stride, ..., LOADS of them; entry k in place of those from `end` on. */
DEVICE void load_pass(i32 *column, real *value, GLOBAL const i32 *col, GLOBAL const real *val,
                      i32 k, i32 end, i32 stride)
{
    UNROLL
    for (i32 i = 0; i < LOADS; i++) {
        const i32 at = k + i * stride < end ? k + i * stride : k;

        column[i] = i32_stream(col, at);
        value[i] = r_stream(val, at);
    }
}

/* sum_products with two passes of loads under way. */
DEVICE real sum_products_in_turns(GLOBAL const i32 *col, GLOBAL const real *val,
                                  GLOBAL const real *xb, i32 k, i32 end, i32 stride)
{
    const i32 pass = LOADS * stride;
    i32 column[2][LOADS];
    real value[2][LOADS];
    real sum = 0;

    UNROLL
    for (i32 t = 0; t < 2; t++) {
        if (k + t * pass < end)
            load_pass(column[t], value[t], col, val, k + t * pass, end, stride);

        /* Compilers do not see that the place of a turn without entries is never read. */
        UNROLL
        for (i32 i = 0; i < LOADS; i++) {
            if (k + t * pass >= end) {
                column[t][i] = 0;
                value[t][i] = 0;
            }
        }
    }
    for (; k < end; k += 2 * pass) {
        UNROLL
        for (i32 t = 0; t < 2; t++) {
            const i32 first = k + t * pass;

            if (first < end) {
                real x[LOADS];

                UNROLL
                for (i32 i = 0; i < LOADS; i++)
                    x[i] = x_read(xb, column[t][i]);
                UNROLL
                for (i32 i = 0; i < LOADS; i++)
                    sum = first + i * stride < end ? r_fma(value[t][i], x[i], sum) : sum;
                if (first + 2 * pass < end)
                    load_pass(column[t], value[t], col, val, first + 2 * pass, end, stride);
            }
        }
    }
    return sum;
}

/* ---- slices --------------------------------------------------------------------------------- */

/* Adds the slices of a group from `first` on, group->rows * GROUP_SLICES of them. */
DEVICE void add_slices(const ell_part *a, const evc_result *to, const evc_group *group, i64 first,
                       i32 item)
{
    const i32 lane = item % ALIGNMENT;
    const i64 slice = first + item / ALIGNMENT;

    /* Several rows at once, column by column. The first slice is the longest, since lengths fall.
     * If a slice lacks a column, its first one is read again and not added, and neither is padding:
     * so no load waits for the length of a row. */
    UNROLL
    for (i32 rows = ROWS_PER_ITEM; rows > 1; rows /= 2) {
        if (group->rows == rows) {
            ell_row row[ROWS_PER_ITEM];
            real sum[ROWS_PER_ITEM];

            UNROLL
            for (i32 r = 0; r < rows; r++) {
                row[r] = find_row(a, to, slice + r * GROUP_SLICES, group->end, lane);
                sum[r] = 0;
            }
            for (i32 k = 0; k < row[0].columns; k++) {
                i32 column[ROWS_PER_ITEM];
                real value[ROWS_PER_ITEM];
                real x[ROWS_PER_ITEM];

                UNROLL
                for (i32 r = 0; r < rows; r++) {
                    const i64 at = row[r].entry + lane + (k < row[r].columns ? k * ALIGNMENT : 0);
                    column[r] = i32_stream(a->col, at);
                    value[r] = r_stream(a->val, at);
                }
                UNROLL
                for (i32 r = 0; r < rows; r++)
                    x[r] = x_read(a->xb, column[r]);
                UNROLL
                for (i32 r = 0; r < rows; r++)
                    sum[r] = k < row[r].length ? r_fma(value[r], x[r], sum[r]) : sum[r];
            }
            UNROLL
            for (i32 r = 0; r < rows; r++) {
                if (row[r].length > 0)
                    y_store(to->y, row[r].y, sum[r], to->alpha, to->beta);
            }
        }
    }
    if (group->rows == 1) {
        const ell_row row = find_row(a, to, slice, group->end, lane);

        if (row.length > 0)
            y_store(to->y, row.y,
                    LOAD_WIDTH > 1 && TURNS > 1 ? ell_row_sum_in_turns(a, &row, lane)
                                                : ell_row_sum(a, &row, lane),
                    to->alpha, to->beta);
    }
}

/* ---- groups -------------------------------------------------------------------------------- */

KERNEL void evc_groups(LENGTH("groups") GLOBAL const evc_group *RESTRICT group,
                       LENGTH("rows") GLOBAL const i32 *RESTRICT row_of,
                       LENGTH("ell_rows / ALIGNMENT") GLOBAL const evc_slice *RESTRICT ell_slice,
                       LENGTH("mixed * ALIGNMENT") GLOBAL const i32 *RESTRICT ell_length,
                       LENGTH("ell_entries") GLOBAL const i32 *RESTRICT ell_col,
                       LENGTH("ell_entries") GLOBAL const real *RESTRICT ell_val,
                       LENGTH("vcsr_rows + 1") GLOBAL const offset *RESTRICT vcsr_ptr,
                       LENGTH("vcsr_entries") GLOBAL const i32 *RESTRICT vcsr_col,
                       LENGTH("vcsr_entries") GLOBAL const real *RESTRICT vcsr_val,
                       LENGTH("parts + 1") GLOBAL const i64 *RESTRICT part_begin,
                       LENGTH("parts") GLOBAL real *RESTRICT part_sum,
                       LENGTH("cols") GLOBAL const real *RESTRICT x,
                       LENGTH("rows") GLOBAL real *RESTRICT y,
                       real alpha, real beta, i32 base, i32 vcsr_rows, i32 permuted)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const evc_group own = group[group_index()];
    const i32 item = item_index();
    const i32 lane = item & (own.items - 1);
    const i64 i = (i64)own.first + item / own.items;
    const bool is_shared = own.kind == GROUP_OF_PARTS || own.kind == GROUP_OF_ROWS;
    const evc_result to = {row_of, y, alpha, beta, permuted};
    GLOBAL const real *xb = x_rebase(x, base);
    i32 row = 0;
    real sum = 0;

    if (own.kind == GROUP_OF_SLICES) {
        const ell_part a = {ell_slice, ell_length, ell_col, ell_val, xb, vcsr_rows};
        if (ROWS_BY_LONGEST) {
            for (i64 first = own.first; first < own.end; first += (i64)own.rows * GROUP_SLICES)
                add_slices(&a, &to, &own, first, item);
        } else {
            add_slices(&a, &to, &own, own.first, item);
        }
    } else if (own.kind == GROUP_OF_EMPTY) {
        for (i64 p = (i64)own.first + item; p < own.end; p += WORK_GROUP_SIZE)
            y_store(y, y_index(&to, (i32)p), 0, alpha, beta);
    } else if (i < own.end) {
        i64 begin = own.kind == GROUP_OF_PARTS ? part_begin[i] : (i64)vcsr_ptr[i];
        const i64 end = own.kind == GROUP_OF_PARTS ? part_begin[i + 1] : (i64)vcsr_ptr[i + 1];
        if (VCSR_ALIGNMENT > 1)
            begin = aligned_entry(begin);
        if (own.kind == GROUP_OF_ROWS)
            row = y_index(&to, (i32)i);
        sum = TURNS > 1 ? sum_products_in_turns(vcsr_col + begin, vcsr_val + begin, xb, lane,
                                                (i32)(end - begin), own.items)
                        : sum_products(0, vcsr_col + begin, vcsr_val + begin, xb, lane,
                                       (i32)(end - begin), own.items);
    }

    /* All groups reach these barriers, whatever their kind: some OpenCL drivers mishandle a barrier
     * in a branch, even if the whole group takes it. */
    sum = SUBGROUP_SIZE > 1 && ITEMS_PER_ROW <= SUBGROUP_SIZE
              ? subgroup_sum(sum, own.items) : neighbour_sum(sum, part, item, own.items);
    if (is_shared && i < own.end && lane == 0) {
        if (own.kind == GROUP_OF_PARTS)
            part_sum[i] = sum;
        else
            y_store(y, row, sum, alpha, beta);
    }
}

/* Adds the parts of split rows: the first many_part_rows rows by a group each, the others by a
 * work-item each. */
KERNEL void evc_parts(LENGTH("rows") GLOBAL const i32 *RESTRICT row_of,
                      LENGTH("split_rows + 1") GLOBAL const i64 *RESTRICT part_ptr,
                      LENGTH("parts") GLOBAL const real *RESTRICT part_sum,
                      LENGTH("rows") GLOBAL real *RESTRICT y,
                      real alpha, real beta, i32 split_rows, i32 many_part_rows, i32 permuted)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const evc_result to = {row_of, y, alpha, beta, permuted};
    const i64 group = group_index();
    const i32 item = item_index();
    const i32 items = group < many_part_rows ? WORK_GROUP_SIZE : 1;
    const i64 p = group < many_part_rows
                      ? group : many_part_rows + (group - many_part_rows) * WORK_GROUP_SIZE + item;
    const i32 lane = item & (items - 1);
    real sum = 0;

    if (p < split_rows)
        sum = sum_values(part_sum, part_ptr[p] + lane, part_ptr[p + 1], items);
    sum = neighbour_sum(sum, part, item, items);
    if (p < split_rows && lane == 0)
        y_store(y, y_index(&to, (i32)p), sum, alpha, beta);
}
