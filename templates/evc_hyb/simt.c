/* EVC-HYB (Guo, Gropp & Olson, IJHPCA 2016) on work-items.
 *
 * The host code draws the arrays and divides the work.
 *
 *   ELL part    a work-item has a row of a slice, and its neighbours have the neighbouring
 *               rows, so the entries of a column that they read are contiguous. The
 *               shorter the rows, the more of them a work-item adds, each from another
 *               slice: ROWS_PER_ITEM at length 1, half as many at length 2, ..., one if
 *               rows are longer than half of ROWS_PER_ITEM. So there are always about as
 *               many independent loads. With ROWS_BY_LONGEST (the paper), it adds one row
 *               if rows are longer than half of the longest, two if they are longer than a
 *               quarter, ..., ROWS_PER_ITEM of them side by side.
 *   vCSR part   ITEMS_PER_ROW work-items share a row, fewer if each would add less than
 *               NONZEROS_PER_ITEM entries, but at least LEAST_ITEMS_PER_ROW (the paper:
 *               at most 256, for 8 entries each). A group adds as many rows as its
 *               work-items suffice for. A row of more than SPLIT_AT entries is cut into
 *               parts, which evc_parts adds.
 *
 * Unlike the paper: y in the order of rows, by a scatter, unless the setting permuted_y leaves it
 * sorted; true lengths instead of products with padding, so that an Inf in x cannot meet a stored
 * zero; and the order of additions, which depends on the matrix and the parameters only. (In the
 * paper's Listing 2 some work-items never reach a barrier; here all work-items of a group reach the
 * same barriers.)
 *
 * The sums have the same bits as on CPUs if LANES = ITEMS_PER_ROW there, NONZEROS_PER_ITEM = 1,
 * the other parameters are equal, and a multiply-add is rounded once: rows of the ELL part are
 * added one entry after the other; in the vCSR part, where n work-items share a row, every n-th
 * entry, and these sums by halving; parts in order or, of a row of more than FEW_PARTS parts, every
 * WORK_GROUP_SIZE-th part and these sums by halving.
 */
#include "../prelude/simt.h"
#include "../common/layout_columns.h"
#include "../common/simt_item_sum.h"
#include "../common/simt_reduce.h"
#include "../common/simt_scale.h"
#include "../common/simt_wide_load.h"
#include "layout_constant.h"
#include "layout_parts.h"
#include "layout_vcsr.h"
#include "simt_ell.h"
#include "simt_groups.h"
#include "simt_passes.h"

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
                row[r] = find_row(a, to, slice + r * GROUP_SLICES, group->first, group->end, lane);
                sum[r] = 0;
            }
            for (i32 k = 0; k < row[0].columns; k++) {
                i32 column[ROWS_PER_ITEM];
                real value[ROWS_PER_ITEM];
                real x[ROWS_PER_ITEM];

                UNROLL
                for (i32 r = 0; r < rows; r++) {
                    const i32 at = lane + (k < row[r].columns
                                               ? k * (ELL_STORAGE ? row[r].stride : ALIGNMENT) : 0);
                    column[r] = X_IS_ONE ? 0 : i32_stream(a->col, row[r].at + at);
                    value[r] = A_IS_ONE ? (real)1 : r_stream(a->val, row[r].entry + at);
                }
                UNROLL
                for (i32 r = 0; r < rows; r++)
                    x[r] = x_value(a->xb, column[r]);
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
        const ell_row row = find_row(a, to, slice, group->first, group->end, lane);

        if (row.length > 0)
            y_store(to->y, row.y,
                    NARROW_SPAN > 0 && row.is_narrow ? ell_sum_of_kind(true, a, &row, lane)
                                                 : ell_sum_of_kind(false, a, &row, lane),
                    to->alpha, to->beta);
    }
}

/* ---- the vCSR part -------------------------------------------------------------------------- */

/* The share of work-item `lane` of `lanes` in the sum of a piece: entries [begin, end). word: that
 * of its columns. */
DEVICE real piece_sum(u64 word, GLOBAL const i32 *col, GLOBAL const u16 *narrow,
                      GLOBAL const real *val, GLOBAL const real *xb, i64 begin, i64 end, i32 lane,
                      i32 lanes)
{
    const i32 count = (i32)(end - begin);
    column_source from = {col + begin, narrow, xb};

    if (NARROW_SPAN)
        from = columns_at(word, col, narrow, xb, COLUMN_UNIT);
    if (NARROW_SPAN > 0 && word_is_narrow(word))
        return sum_in_passes(true, 0, &from, val + begin, lane, count, lanes);
    return sum_in_passes(false, 0, &from, val + begin, lane, count, lanes);
}

/* ---- groups -------------------------------------------------------------------------------- */

KERNEL void evc_groups(LENGTH("groups") GLOBAL const evc_group *RESTRICT group,
                       LENGTH("rows") GLOBAL const i32 *RESTRICT row_of,
                       LENGTH("ell_rows / ALIGNMENT") GLOBAL const evc_slice *RESTRICT ell_slice,
                       LENGTH("mixed * ALIGNMENT") GLOBAL const i32 *RESTRICT ell_length,
                       LENGTH("entries of wide slices") GLOBAL const i32 *RESTRICT ell_col,
                       LENGTH("entries of narrow slices") GLOBAL const u16 *RESTRICT ell_narrow,
                       LENGTH("ell_entries") GLOBAL const real *RESTRICT ell_val,
                       LENGTH("vcsr_rows + 1") GLOBAL const offset *RESTRICT vcsr_ptr,
                       LENGTH("entries of wide pieces") GLOBAL const i32 *RESTRICT vcsr_col,
                       LENGTH("entries of narrow pieces") GLOBAL const u16 *RESTRICT vcsr_narrow,
                       LENGTH("vcsr_entries") GLOBAL const real *RESTRICT vcsr_val,
                       LENGTH("slices + pieces, or 0") GLOBAL const u64 *RESTRICT column_words,
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
    const i32 piece = (i32)((u32)item >> own.item_bits);
    const i64 i = (i64)own.first + piece;
    const bool is_shared = own.kind == GROUP_OF_PARTS || own.kind == GROUP_OF_ROWS;
    const evc_result to = {row_of, y, alpha, beta, permuted};
    GLOBAL const real *xb = x_rebase(x, base);
    i32 row = 0;
    real sum = 0;

    if (own.kind == GROUP_OF_SLICES) {
        const ell_part a = {ell_slice, column_words, ell_length, ell_col,
                            ell_narrow, ell_val, xb, vcsr_rows};
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
        sum = piece_sum(NARROW_SPAN ? column_words[own.word + piece] : 0, vcsr_col,
                        vcsr_narrow, vcsr_val, xb, begin, end, lane, own.items);
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
