/* EVC-HYB: host code of the kernels. Beside 16-bit columns, the layout has three more arrays than
 * on a CPU, so that the device need not search:
 *
 *   group          evc_group[groups]: the work of each work-group
 *   ell_slice      evc_slice[slices]: where each slice is
 *   part_begin     i64[parts + 1]: the end of the part of a split row before this one in vcsr_col
 *                  and vcsr_val. Split rows come first, so the part begins there, or at the next
 *                  multiple of VCSR_ALIGNMENT
 *   part_sum       real[parts], of the workspace: the sum of each part
 */
#include "../prelude/host.h"
#include "../common/host_scale.h"
#include "build.h"
#include "build_columns.h"
#include "build_sizes.h"
#include "build_windows.h"
#include "layout.h"
#include "layout_chunks.h"
#include "layout_parts.h"
#include "layout_stats.h"
#include "simt_groups.h"

enum {                           /* spmv_layout.array */
    GROUPS = NARROW_ARRAYS_END,
    ELL_SLICE,
    PART_BEGIN,
    DEVICE_ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_PERMUTED = NUMBER_EMPTY_CHUNKS + 1,
    NUMBER_GROUPS,
    NUMBER_MANY_PART_ROWS,       /* rows of more than FEW_PARTS parts */
    NUMBER_COUNT
};

static const c8 *const number_names[NUMBER_COUNT] = {
    "vcsr_rows", "vcsr_nnz", "vcsr_entries", "ell_rows", "ell_entries", "ell_longest", "bins",
    "mixed", "split_rows", "parts", "vcsr_chunks", "ell_chunks", "empty_chunks", "permuted",
    "groups", "many_part_rows",
};

enum { MOST_PARTS = 2147483647 };        /* the number of a part is an i32 */

/* ---- capacity of a group --------------------------------------------------------------------- */

/* Work-items of a row of the vCSR part. With NONZEROS_PER_ITEM = 1, more work-items would give the
 * same sum. The paper has up to 256 work-items, each for up to 8 entries. */
static i32 items_of_row(i64 length)
{
    i32 items = LEAST_ITEMS_PER_ROW;

    while (items < ITEMS_PER_ROW && items * NONZEROS_PER_ITEM < length)
        items *= 2;
    return items;
}

static i32 row_capacity(i64 length)
{
    return WORK_GROUP_SIZE / items_of_row(length);
}

/* most: entries_of_item. */
static i64 slice_capacity(i64 length, i64 most)
{
    return (i64)rows_of_item(length, most) * GROUP_SLICES;
}

/* ---- number of groups ---------------------------------------------------------------------- */

/* Counts groups, while lengths are processed in falling order. The capacity of a group follows from
 * its longest row. */
typedef struct group_counter {
    i64 groups;
    i64 room;                    /* remaining capacity of the last group */
} group_counter;

static void add_groups(group_counter *cut, i64 count, i64 capacity)
{
    const i64 more = i64_ceil_div(i64_max(count - cut->room, 0), capacity);

    cut->groups += more;
    cut->room += more * capacity - count;
}

enum { CLASSES = 11 };           /* rows of the vCSR part by work-items: 1, 2, 4, ..., 1024 */

/* Numbers of rows by length, from which the number of groups follows. */
typedef struct length_count {
    window_spans windows;        /* with NARROW_SPAN */
    i64 many_part_rows;
    i64 ell[BOUNDARY + 1];
    i64 vcsr[CLASSES];           /* rows that are not split */
    i64 moved;                   /* short rows of the vCSR part */
} length_count;

static void add_vcsr_length(length_count *count, i64 length, i64 rows)
{
    if (length > SPLIT_AT)
        count->many_part_rows += parts_of(length) > FEW_PARTS ? rows : 0;
    else
        count->vcsr[u32_trailing_zeros((u32)items_of_row(length))] += rows;
}

static void count_by_length(const spmv_layout *layout, length_count *count)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i32 longest = longest_ell_row(&layout->csr);
    i64 left = layout->number[NUMBER_VCSR_ROWS];

    count->many_part_rows = 0;
    for (i32 length = 0; length <= BOUNDARY; length++)
        count->ell[length] = 0;
    for (i32 c = 0; c < CLASSES; c++)
        count->vcsr[c] = 0;
    for (i64 r = 0; r < layout->csr.rows; r++) {
        const i64 length = row_length(&row_ptr, r);
        if (length <= longest) {
            count->ell[length]++;
        } else {
            add_vcsr_length(count, length, 1);
            left--;
        }
    }
    count->moved = left;
}

/* The longest rows that did not fill a slice are in the vCSR part. */
static void move_lengths(length_count *count)
{
    i64 left = count->moved;

    for (i32 length = BOUNDARY; length > 0 && left > 0; length--) {
        const i64 moved = i64_min(left, count->ell[length]);
        add_vcsr_length(count, length, moved);
        count->ell[length] -= moved;
        left -= moved;
    }
}

/* Groups of slices whose rows are counted by length. */
static i64 slice_group_count(const i64 *ell, i64 most)
{
    group_counter cut = {0};
    i64 rows = 0;

    for (i32 length = BOUNDARY; length > 0; length--) {
        const i64 before = i64_ceil_div(rows, ALIGNMENT);
        rows += ell[length];
        if (ROWS_BY_LONGEST && rows_of_item(length, most) != rows_of_item(length + 1, most))
            cut.room = 0;        /* no group has slices of two numbers of rows */
        add_groups(&cut, i64_ceil_div(rows, ALIGNMENT) - before, slice_capacity(length, most));
    }
    return cut.groups;
}

/* Groups of all slices; moves the vCSR part's rows there. */
static i64 all_slice_groups(const spmv_layout *layout, length_count *count)
{
    const i64 most = entries_of_item(layout);

    if (SORT_WINDOW) {
        ell_reader windows = counted_ell_reader(&layout->csr, count->ell, count->moved);
        i64 groups = 0;

        move_lengths(count);
        while (count_window(&windows, count->ell) > 0)
            groups += slice_group_count(count->ell, most);
        return groups;
    }
    move_lengths(count);
    return slice_group_count(count->ell, most);
}

static i64 group_count(const spmv_layout *layout, length_count *count)
{
    const i64 *number = layout->number;
    const i64 empty =
        layout->csr.rows - number[NUMBER_VCSR_ROWS] - number[NUMBER_ELL_ROWS];
    const i64 slice_groups = all_slice_groups(layout, count);
    group_counter vcsr = {0};

    for (i32 c = CLASSES - 1; c >= 0; c--) {
        if (NONZEROS_PER_ITEM > 1)
            vcsr.room = 0;       /* no group has rows of two classes */
        add_groups(&vcsr, count->vcsr[c], i64_max(WORK_GROUP_SIZE >> c, 1));
    }
    return i64_ceil_div(number[NUMBER_PARTS], row_capacity(CHUNK_WEIGHT)) + vcsr.groups +
           slice_groups + i64_ceil_div(empty, EMPTY_ROWS);
}

static spmv_status device_layout_size(spmv_layout *layout)
{
    i64 *number = layout->number;
    spmv_status status = layout_size(layout);
    const i64 parts = number[NUMBER_PARTS];

    if (status)
        return status;
    if (parts > MOST_PARTS)
        return SPMV_OVERFLOW;
    length_count *count = (length_count *)layout->scratch;

    count_by_length(layout, count);
    if (NARROW_SPAN) {
        const ell_reader reader = counted_ell_reader(&layout->csr, count->ell, count->moved);
        status = set_column_arrays(layout, reader, &count->windows);
    } else {
        set_array(layout, ELL_NARROW, "ell_narrow", 0, sizeof(u16));
        set_array(layout, VCSR_NARROW, "vcsr_narrow", 0, sizeof(u16));
        set_array(layout, COLUMN_WORDS, "column_words", 0, sizeof(u64));
    }
    if (status)
        return status;
    number[NUMBER_PERMUTED] = layout->permutes_y != 0;
    number[NUMBER_GROUPS] = group_count(layout, count);
    number[NUMBER_MANY_PART_ROWS] = count->many_part_rows;
    layout->array_count = DEVICE_ARRAY_COUNT;
    layout->value_arrays = 1 << ELL_VAL | 1 << VCSR_VAL;
    layout->workspace_bytes = 0;
    status = set_array(layout, GROUPS, "group", number[NUMBER_GROUPS], sizeof(evc_group));
    if (!status)
        status = set_array(layout, ELL_SLICE, "ell_slice", number[NUMBER_ELL_ROWS] / ALIGNMENT,
                           sizeof(evc_slice));
    if (!status)
        status = set_array(layout, PART_BEGIN, "part_begin", parts ? parts + 1 : 0, sizeof(i64));
    if (!status)
        status = add_part(layout, "part_sum", parts, value_bytes(&layout->csr), 0);
    return status;
}

/* ---- groups -------------------------------------------------------------------------------- */

static evc_group make_group(i32 kind, i64 first, i64 count, i64 end)
{
    evc_group group = {0};

    group.kind = kind;
    group.items = 1;
    group.first = (i32)first;
    group.end = (i32)i64_min(first + count, end);
    return group;
}

/* Rows from this position on that have the same number of work-items, at most a group's. */
static i64 rows_of_one_width(const evc_matrix *a, i32 position)
{
    const i64 length = vcsr_length(a, position);
    const i64 most = i64_min(row_capacity(length), a->vcsr_rows - position);
    i64 rows = 1;

    while (rows < most && items_of_row(vcsr_length(a, position + rows)) == items_of_row(length))
        rows++;
    return rows;
}

/* Fills the groups of the vCSR part from `group` on; returns the next group. */
static evc_group *build_row_groups(const evc_matrix *a, evc_group *group)
{
    const i32 capacity = row_capacity(CHUNK_WEIGHT);

    for (i64 part = 0; part < a->parts; part += capacity, group++) {
        *group = make_group(GROUP_OF_PARTS, part, capacity, a->parts);
        group->items = WORK_GROUP_SIZE / capacity;
        group->item_bits = u32_trailing_zeros((u32)group->items);
        group->word = (i32)(part_word(a) + part);
    }
    for (i32 p = a->split_rows; p < a->vcsr_rows; p = group->end, group++) {
        const i64 length = vcsr_length(a, p);
        const i64 rows = NONZEROS_PER_ITEM > 1 ? rows_of_one_width(a, p) : row_capacity(length);
        *group = make_group(GROUP_OF_ROWS, p, rows, a->vcsr_rows);
        group->items = items_of_row(length);
        group->item_bits = u32_trailing_zeros((u32)group->items);
        group->word = (i32)row_word(a, p);
    }
    return group;
}

/* The place as evc_slice has it with ELL_STORAGE. */
static i64 packed_place(slice_place place)
{
    return place.stride << 32 | place.entry;
}

static void build_slices(const evc_matrix *a, evc_slice *slice)
{
    for (i32 b = 0; b < a->bins; b++)
        for (i32 s = a->bin[b].slice; s < a->bin[b + 1].slice; s++) {
            slice[s].entry = ELL_STORAGE ? packed_place(place_in_columns(a, b, s))
                                         : slice_entry(&a->bin[b], s);
            slice[s].columns = a->bin[b].length;
            slice[s].mixed = a->bin[b].mixed;
        }
}

/* End of the slices from `first` on, before `end`, whose work-items add as many rows. */
static i64 end_of_equal_rows(const evc_slice *slice, i64 first, i64 end, i64 most)
{
    const i32 rows = rows_of_item(slice[first].columns, most);
    i64 s = first + 1;

    while (s < end && rows_of_item(slice[s].columns, most) == rows)
        s++;
    return s;
}

/* Fills the groups of long or of other slices from `group` on; returns the next group. most:
 * entries_of_item. */
static evc_group *build_slice_groups(const evc_slice *slice, i32 slices, i64 most, bool of_long,
                                     evc_group *group)
{
    const i64 window_slices = SORT_WINDOW ? SORT_WINDOW / ALIGNMENT : slices;

    for (i64 window = 0; window < slices; window += window_slices) {
        const i64 end = i64_min(window + window_slices, slices);
        i64 next = window;
        for (i64 s = window; s < end; s = next) {
            const i32 columns = slice[s].columns;
            next = i64_min(s + slice_capacity(columns, most), end);
            if (ROWS_BY_LONGEST)
                next = end_of_equal_rows(slice, s, next, most);
            if ((columns > LONG_COLUMNS) != of_long)
                continue;
            *group = make_group(GROUP_OF_SLICES, s, next - s, end);
            group->rows = rows_side_by_side(columns, most);
            group++;
        }
    }
    return group;
}

/* Reverses the order of groups [first, end). */
static void reverse_groups(evc_group *first, evc_group *end)
{
    for (end--; first < end; first++, end--) {
        const evc_group moved = *first;
        *first = *end;
        *end = moved;
    }
}

static void build_groups(const spmv_job *job)
{
    const evc_matrix a = evc_view(job->layout);
    const i32 slices = a.ell_rows / ALIGNMENT;
    const i64 most = entries_of_item(job->layout);
    evc_slice *slice = (evc_slice *)job->layout->array[ELL_SLICE].data;
    evc_group *group = build_row_groups(&a, (evc_group *)job->layout->array[GROUPS].data);

    build_slices(&a, slice);
    group = build_slice_groups(slice, slices, most, true, group);
    group = build_slice_groups(slice, slices, most, false, group);
    for (i64 p = a.vcsr_rows + a.ell_rows; p < a.rows; p += EMPTY_ROWS, group++)
        *group = make_group(GROUP_OF_EMPTY, p, EMPTY_ROWS, a.rows);
    if (FIRST_GROUPS)
        reverse_groups((evc_group *)job->layout->array[GROUPS].data, group);
}

static void build_parts(const spmv_job *job)
{
    const evc_matrix a = evc_view(job->layout);
    i64 *part_begin = (i64 *)job->layout->array[PART_BEGIN].data;

    for (i32 p = 0; p < a.split_rows; p++)
        for (i64 part = a.part_ptr[p]; part < a.part_ptr[p + 1]; part++)
            part_begin[part + 1] =
                i64_min(vcsr_begin(&a, p) + (part + 1 - a.part_ptr[p]) * CHUNK_WEIGHT,
                        vcsr_end(&a, p));
    if (a.parts)
        part_begin[0] = 0;
}

static void build_work(const spmv_job *job, i64 first, i64 last)
{
    (void)first;
    (void)last;
    build_groups(job);
    build_parts(job);
}

static i32 device_build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i32 n = build_steps(layout, step);
    return add_step(step, n, "build_work", build_work, layout->csr.rows ? 1 : 0);
}

/* ---- launches ------------------------------------------------------------------------------ */

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 *number = job->layout->number;
    const i64 few = number[NUMBER_SPLIT_ROWS] - number[NUMBER_MANY_PART_ROWS];
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "evc_groups", number[NUMBER_GROUPS]);
    if (number[NUMBER_SPLIT_ROWS])
        n = add_kernel(step, n, "evc_parts",
                       number[NUMBER_MANY_PART_ROWS] + i64_ceil_div(few, WORK_GROUP_SIZE));
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = device_layout_size,
    .build_steps = device_build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .settings = settings,
    .setting_count = sizeof settings / sizeof settings[0],
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
    .converts = 1,
    .sizing_bytes = sizeof(length_count),
};
