/* build_sizes.h: sizes of the arrays of EVC-HYB, and the bins of its ELL part. Both follow from the
 * number of rows of each length.
 */
#ifndef SPMV_EVC_HYB_BUILD_SIZES_H
#define SPMV_EVC_HYB_BUILD_SIZES_H

#include "build_sort.h"
#include "build_windows.h"
#include "layout.h"

/* ---- bins ---------------------------------------------------------------------------------- */

/* Counts bins and slices, while lengths are processed in falling order. */
typedef struct bin_counter {
    i32 bins, mixed;
    i32 longest;                 /* length of the longest row so far */
    ell_bin end;                 /* end of the bins so far */
    i32 open_length;             /* length of the first row of the slice that is not full yet */
    i64 rows;                    /* rows of the ELL part so far, including that slice's */
} bin_counter;

static void add_bin(bin_counter *cut, ell_bin *bin, i32 length, i64 slices, bool is_mixed)
{
    cut->end.length = length;
    cut->end.mixed = is_mixed ? cut->mixed : PURE;
    if (bin)
        bin[cut->bins] = cut->end;
    cut->bins++;
    cut->longest = length > cut->longest ? length : cut->longest;
    cut->mixed += is_mixed;
    cut->end.entry += slices * length * ALIGNMENT;
    cut->end.weight += slices * (length + 1) * ALIGNMENT;
    cut->end.slice += (i32)slices;
}

/* Adds `count` rows of a length; lengths fall from call to call. bin: array to fill, or NULL. */
static void add_rows_of_length(bin_counter *cut, ell_bin *bin, i32 length, i64 count)
{
    const i64 before = cut->rows;
    const i64 full = (before + count) / ALIGNMENT;

    cut->rows += count;
    if (cut->end.slice < full && before % ALIGNMENT)
        add_bin(cut, bin, cut->open_length, 1, true);
    if (cut->end.slice < full)
        add_bin(cut, bin, length, full - cut->end.slice, false);
    if ((i64)cut->end.slice * ALIGNMENT >= before && count)
        cut->open_length = length;
}

/* ---- sizes --------------------------------------------------------------------------------- */

static i64 parts_of(i64 length)
{
    return i64_ceil_div(length, CHUNK_WEIGHT);
}

/* Totals of the vCSR part. */
typedef struct vcsr_totals {
    i64 rows, nnz, entries, split_rows, split_entries, parts;
} vcsr_totals;

static void add_vcsr_rows(vcsr_totals *sum, i64 length, i64 count)
{
    sum->rows += count;
    sum->nnz += count * length;
    sum->entries += count * (VCSR_ALIGNMENT > 1 ? aligned_entry(length) : length);
    if (length > SPLIT_AT) {
        sum->split_rows += count;
        sum->split_entries += count * (VCSR_ALIGNMENT > 1 ? aligned_entry(length) : length);
        sum->parts += count * parts_of(length);
    }
}

/* Counts rows of each length of the ELL part and adds longer rows to the vCSR part. Returns the
 * number of rows that the ELL part may have. */
static i64 count_lengths(const spmv_layout *layout, i64 *count, vcsr_totals *vcsr)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i32 longest = longest_ell_row(&layout->csr);
    i64 rows = 0;

    for (i32 length = 0; length <= BOUNDARY; length++)
        count[length] = 0;
    for (i64 r = 0; r < layout->csr.rows; r++) {
        const i64 length = row_length(&row_ptr, r);
        if (length <= longest)
            count[length]++;
        else
            add_vcsr_rows(vcsr, length, 1);
    }
    for (i32 length = 1; length <= BOUNDARY; length++)
        rows += count[length];
    return rows;
}

static void set_numbers(spmv_layout *layout, const vcsr_totals *vcsr, const bin_counter *cut)
{
    const i64 empty = layout->csr.rows - vcsr->rows - cut->rows;
    /* vcsr_chunk_begin counts the padding before a row, this sum counts the padding behind it. In
     * both cases every row begins below this weight. */
    const i64 weight = vcsr->rows - vcsr->split_rows + vcsr->entries - vcsr->split_entries;

    layout->number[NUMBER_VCSR_ROWS] = vcsr->rows;
    layout->number[NUMBER_VCSR_NNZ] = vcsr->nnz;
    layout->number[NUMBER_VCSR_ENTRIES] = vcsr->entries;
    layout->number[NUMBER_ELL_ROWS] = cut->rows;
    layout->number[NUMBER_ELL_ENTRIES] = cut->end.entry;
    layout->number[NUMBER_ELL_LONGEST] = cut->longest;
    layout->number[NUMBER_BINS] = cut->bins;
    layout->number[NUMBER_MIXED] = cut->mixed;
    layout->number[NUMBER_SPLIT_ROWS] = vcsr->split_rows;
    layout->number[NUMBER_PARTS] = vcsr->parts;
    layout->number[NUMBER_VCSR_CHUNKS] = i64_ceil_div(weight, CHUNK_WEIGHT);
    layout->number[NUMBER_ELL_CHUNKS] = i64_ceil_div(cut->end.weight, CHUNK_WEIGHT);
    layout->number[NUMBER_EMPTY_CHUNKS] = i64_ceil_div(empty, CHUNK_WEIGHT);
}

static spmv_status set_arrays(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 *number = layout->number;
    const i64 bins = number[NUMBER_BINS] ? number[NUMBER_BINS] + 1 : 0;
    const i64 splits = number[NUMBER_SPLIT_ROWS] ? number[NUMBER_SPLIT_ROWS] + 1 : 0;
    spmv_status status;

    /* vcsr_ptr has the width of the caller's row pointers, which may hold the nonzeros but not the
     * padding, too. */
    if (VCSR_ALIGNMENT > 1 && csr->offset_type == SPMV_I32 &&
        number[NUMBER_VCSR_ENTRIES] > 2147483647)
        return SPMV_UNSUPPORTED;
    layout->array_count = ARRAY_COUNT;
    status = set_array(layout, ROW_OF, "row_of", layout->csr.rows, sizeof(i32));
    if (!status)
        status = set_array(layout, ELL_BIN, "ell_bin", bins, sizeof(ell_bin));
    if (!status)
        status = set_array(layout, ELL_LENGTH, "ell_length", number[NUMBER_MIXED] * ALIGNMENT,
                           sizeof(i32));
    if (!status)
        status = set_array(layout, ELL_COL, "ell_col", number[NUMBER_ELL_ENTRIES], sizeof(i32));
    if (!status)
        status = set_array(layout, ELL_VAL, "ell_val", number[NUMBER_ELL_ENTRIES],
                           value_bytes(csr));
    if (!status)
        status = set_array(layout, VCSR_PTR, "vcsr_ptr", number[NUMBER_VCSR_ROWS] + 1,
                           offset_bytes(csr));
    if (!status)
        status = set_array(layout, VCSR_COL, "vcsr_col", number[NUMBER_VCSR_ENTRIES], sizeof(i32));
    if (!status)
        status = set_array(layout, VCSR_VAL, "vcsr_val", number[NUMBER_VCSR_ENTRIES],
                           value_bytes(csr));
    if (!status)
        status = set_array(layout, PART_PTR, "part_ptr", splits, sizeof(i64));
    if (!status)
        status = set_workspace(layout, number[NUMBER_PARTS], value_bytes(csr));
    return status;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    i64 *count = (i64 *)layout->scratch;     /* [BOUNDARY + 1] */
    vcsr_totals vcsr = {0};
    bin_counter cut = {0};
    i64 left = count_lengths(layout, count, &vcsr) % ALIGNMENT;

    if (SORT_WINDOW) {
        ell_reader windows = counted_ell_reader(csr, count, left);
        for (i32 length = BOUNDARY; length > 0; length--) {
            const i64 moved = i64_min(left, count[length]);
            add_vcsr_rows(&vcsr, length, moved);
            left -= moved;
        }
        while (count_window(&windows, count) > 0)
            for (i32 length = BOUNDARY; length > 0; length--)
                add_rows_of_length(&cut, NULL, length, count[length]);
    }
    for (i32 length = SORT_WINDOW ? 0 : BOUNDARY; length > 0; length--) {
        const i64 moved = i64_min(left, count[length]);
        add_vcsr_rows(&vcsr, length, moved);
        add_rows_of_length(&cut, NULL, length, count[length] - moved);
        left -= moved;
    }
    if (ELL_STORAGE && cut.end.entry + 16 * cut.rows > 2147483647)
        return SPMV_UNSUPPORTED;         /* work-items count entries of one length in an i32 */
    set_numbers(layout, &vcsr, &cut);
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->permutes_y = layout->setting[SETTING_PERMUTED_Y] ? ROW_OF + 1 : 0;
    if (layout->csr.rows == layout->csr.cols)
        layout->permutes_x = layout->setting[SETTING_PERMUTED_X] ? ROW_OF + 1 : 0;

    /* Bytes of the arrays, x and y, each once; a mispredicted row end for each row of the vCSR
     * part, and a store to another cache line for each row of the ELL part. */
    layout->cost = (f64)(layout->number[NUMBER_ELL_ENTRIES] + vcsr.nnz) *
                       entry_bytes(csr) +
                   (f64)csr->rows * entry_bytes(csr) +
                   (f64)vcsr.rows * 64 + (f64)cut.rows * 16 +
                   (f64)csr->cols * value_bytes(csr);
    layout->build_cost = (f64)layout->csr.nnz * 150 + (f64)layout->csr.rows * 800;

    const spmv_status status = set_sort_scratch(layout);
    return status ? status : set_arrays(layout);
}

#endif
