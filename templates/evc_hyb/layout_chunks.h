/* layout_chunks.h: cuts the work on the layout of EVC-HYB into chunks.
 *
 * Chunk c of the vCSR part or of the ELL part owns the rows or slices for which the weight before
 * them lies in [c, c + 1) * CHUNK_WEIGHT. A row weighs one plus its entries and the padding before
 * them. Boundaries depend on the matrix and the parameters only.
 */
#ifndef SPMV_EVC_HYB_LAYOUT_CHUNKS_H
#define SPMV_EVC_HYB_LAYOUT_CHUNKS_H

#include "../common/layout_row_chunks.h"
#include "layout.h"

/* Number of chunks: parts, then chunks of the vCSR part, of the ELL part, and of empty rows. */
DEVICE i64 chunk_count(const evc_matrix *a)
{
    return a->parts + a->vcsr_chunks + a->ell_chunks + a->empty_chunks;
}

/* ---- parts of split rows ------------------------------------------------------------------- */

/* Entries [begin, end) of the row at a position, counted from the row's first entry. */
typedef struct part_range {
    i32 position;
    i64 begin, end;
} part_range;

DEVICE part_range part_entries(const evc_matrix *a, i64 part)
{
    part_range range;
    i32 high = a->split_rows - 1;

    /* Finds the last row whose first part is at or before this part. */
    range.position = 0;
    while (range.position < high) {
        const i32 middle = high - (high - range.position) / 2;
        if (a->part_ptr[middle] <= part)
            range.position = middle;
        else
            high = middle - 1;
    }
    range.begin = (part - a->part_ptr[range.position]) * CHUNK_WEIGHT;
    range.end = i64_min(range.begin + CHUNK_WEIGHT, vcsr_length(a, range.position));
    return range;
}

/* ---- rows of the vCSR part ----------------------------------------------------------------- */

/* First position of a chunk of the vCSR part; for the number of chunks, the end. */
DEVICE i32 vcsr_chunk_begin(const evc_matrix *a, i64 chunk)
{
    const row_offsets rows = row_offsets_from(&a->vcsr_ptr, a->split_rows);
    return a->split_rows + row_at_weight(&rows, a->vcsr_rows - a->split_rows, chunk * CHUNK_WEIGHT);
}

/* ---- slices -------------------------------------------------------------------------------- */

/* The rows of a slice. */
DEVICE const i32 *slice_rows(const evc_matrix *a, i32 slice)
{
    return a->row_of + a->vcsr_rows + slice * ALIGNMENT;
}

/* Start of the entries of a slice of this bin. */
DEVICE i64 slice_entry(const ell_bin *bin, i32 slice)
{
    return bin->entry + (i64)(slice - bin->slice) * bin->length * ALIGNMENT;
}

/* Where the entries of a slice are: those of its first column, and the distance of columns. */
typedef struct slice_place {
    i64 entry;
    i64 stride;
} slice_place;

/* With ELL_STORAGE: of a slice of bin b. Bins of one length share their columns. */
DEVICE slice_place place_in_columns(const evc_matrix *a, i32 b, i32 slice)
{
    i32 first = b;
    i32 end = b + 1;
    slice_place place;

    while (first > 0 && a->bin[first - 1].length == a->bin[b].length)
        first--;
    while (end < a->bins && a->bin[end].length == a->bin[b].length)
        end++;
    place.entry = a->bin[first].entry + (i64)(slice - a->bin[first].slice) * ALIGNMENT;
    place.stride = (i64)(a->bin[end].slice - a->bin[first].slice) * ALIGNMENT;
    return place;
}

/* The last bin, or the end, with at most this weight before it. */
DEVICE i32 bin_at_weight(const evc_matrix *a, i64 weight)
{
    i32 low = 0;
    i32 high = a->bins;

    while (low < high) {
        const i32 middle = high - (high - low) / 2;
        if (a->bin[middle].weight <= weight)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* First slice of a chunk of the ELL part; for the number of chunks, the end. */
DEVICE i32 ell_chunk_begin(const evc_matrix *a, i64 chunk)
{
    const i64 weight = chunk * CHUNK_WEIGHT;
    const ell_bin *bin = a->bin + bin_at_weight(a, weight);
    const i64 slice_weight = (i64)(bin->length + 1) * ALIGNMENT;
    const i64 slice = bin->slice + i64_ceil_div(weight - bin->weight, slice_weight);

    return (i32)i64_min(slice, a->ell_rows / ALIGNMENT);
}

/* ---- ranges of chunks ---------------------------------------------------------------------- */

/* The work of a range of chunks. */
typedef struct chunk_ranges {
    i64 part, part_end;
    i32 vcsr, vcsr_end;          /* positions of the vCSR part */
    i32 bin;                     /* bin of the first slice, or a bin before it */
    i32 slice, slice_end;
    i32 empty, empty_end;        /* positions of empty rows */
} chunk_ranges;

/* Index of a chunk among the `count` chunks of a kind, the first of which is chunk `begin` of all;
 * clamped to [0, count]. */
DEVICE i64 chunk_within(i64 chunk, i64 begin, i64 count)
{
    return i64_min(i64_max(chunk - begin, 0), count);
}

DEVICE chunk_ranges ranges_of(const evc_matrix *a, i64 first, i64 last)
{
    const i64 vcsr = a->parts;
    const i64 ell = vcsr + a->vcsr_chunks;
    const i64 empty = ell + a->ell_chunks;
    const i64 empty_rows = a->vcsr_rows + a->ell_rows;
    chunk_ranges range = {0};
    i64 begin = chunk_within(first, vcsr, a->vcsr_chunks);
    i64 end = chunk_within(last, vcsr, a->vcsr_chunks);

    range.part = chunk_within(first, 0, a->parts);
    range.part_end = chunk_within(last, 0, a->parts);
    if (begin < end) {
        range.vcsr = vcsr_chunk_begin(a, begin);
        range.vcsr_end = vcsr_chunk_begin(a, end);
    }
    begin = chunk_within(first, ell, a->ell_chunks);
    end = chunk_within(last, ell, a->ell_chunks);
    if (begin < end) {
        range.bin = bin_at_weight(a, begin * CHUNK_WEIGHT);
        range.slice = ell_chunk_begin(a, begin);
        range.slice_end = ell_chunk_begin(a, end);
    }
    begin = empty_rows + chunk_within(first, empty, a->empty_chunks) * CHUNK_WEIGHT;
    end = empty_rows + chunk_within(last, empty, a->empty_chunks) * CHUNK_WEIGHT;
    range.empty = (i32)i64_min(begin, a->rows);
    range.empty_end = (i32)i64_min(end, a->rows);
    return range;
}

#endif
