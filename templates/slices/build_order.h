/* build_order.h: sorts the rows of a window. */
#ifndef SPMV_SLICES_BUILD_ORDER_H
#define SPMV_SLICES_BUILD_ORDER_H

#include "layout.h"

typedef enum row_class {         /* in the order of the sort */
    CLASS_DIAGONALS,             /* as many rows as DIAGONAL_ROWS have the same distances */
    CLASS_RUNS,                  /* runs of the window's length, and nothing else */
    CLASS_OTHER
} row_class;

enum { PATTERN_PLACES = 2 * SORT_WINDOW };

/* Scratch memory for the rows of a window: too large for a small stack.
 *
 *     bits of a key    2: class; 18: falling length; 34: of CLASS_DIAGONALS, of the hash of the
 *                      distances; 10: row in the window
 *
 * So keys differ, and their order is that of the rows. */
typedef struct window_order {
    i32 first_row;
    i32 count;                   /* rows, without split ones */
    i32 run;                     /* length of its runs; 1: there are none */
    u64 key[SORT_WINDOW];
    u64 merged[SORT_WINDOW];
    u64 pattern[SORT_WINDOW];    /* hashes of distances; 0: too long */
    u64 seen[PATTERN_PLACES];    /* a table of hashes, and how often each was seen */
    i32 times[PATTERN_PLACES];
    u8 runs[SORT_WINDOW];        /* bit r: the row consists of runs of length r */
} window_order;

enum { LENGTH_BITS = 18, PATTERN_BITS = 34, CLASS_PLACE = 62,
       MOST_LENGTH = (1 << LENGTH_BITS) - 1 };

static i32 key_row(u64 key)
{
    return (i32)(key & ((1u << ROW_BITS) - 1));
}

static i32 key_class(u64 key)
{
    return (i32)(key >> CLASS_PLACE);
}

/* Class, length and pattern of a row without its number. */
static u64 key_group(u64 key)
{
    return key >> ROW_BITS;
}

/* ---- patterns and runs ----------------------------------------------------------------------- */

static u64 mixed(u64 hash, u64 word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Hash of the distances of a row's columns from the main diagonal; 0: diagonals are not for it. */
static u64 row_pattern(const csr_source *a, i32 row)
{
    const i64 begin = row_begin(&a->row_ptr, row);
    const i64 length = row_length(&a->row_ptr, row);
    u64 hash = (u64)length;

    if (length == 0 || length > LANE_ENTRIES)
        return 0;
    for (i64 k = begin; k < begin + length; k++)
        hash = mixed(hash, (u64)(u32)(column_of(a, k) - row));
    return hash ? hash : 1;
}

static bool has_runs(const csr_source *a, i32 row, i32 run)
{
    const i64 begin = row_begin(&a->row_ptr, row);
    const i64 length = row_length(&a->row_ptr, row);

    if (length == 0 || length % run != 0)
        return false;
    for (i64 k = begin; k < begin + length; k += run)
        for (i32 j = 1; j < run; j++)
            if (a->col_idx[k + j] != a->col_idx[k] + j)
                return false;
    return true;
}

/* The place of a hash in the table, or where it belongs. */
static i32 pattern_place(const window_order *o, u64 pattern)
{
    i32 at = (i32)(pattern % PATTERN_PLACES);

    while (o->times[at] && o->seen[at] != pattern)
        at = (at + 1) % PATTERN_PLACES;
    return at;
}

static void count_pattern(window_order *o, u64 pattern)
{
    const i32 at = pattern_place(o, pattern);

    o->seen[at] = pattern;
    o->times[at]++;
}

/* ---- the order ----------------------------------------------------------------------------- */

/* Merges neighbouring sorted runs of `width` keys into `to`. */
static void merge_keys(const u64 *from, u64 *to, i32 count, i32 width)
{
    for (i32 begin = 0; begin < count; begin += 2 * width) {
        const i32 middle = (i32)i64_min(begin + width, count);
        const i32 end = (i32)i64_min(begin + 2 * width, count);
        i32 low = begin;
        i32 high = middle;

        for (i32 i = begin; i < end; i++)
            to[i] = high >= end || (low < middle && from[low] < from[high]) ? from[low++]
                                                                            : from[high++];
    }
}

static void sort_keys(window_order *o)
{
    u64 *from = o->key;
    u64 *to = o->merged;

    for (i32 width = 1; width < o->count; width *= 2) {
        u64 *other = from;
        merge_keys(from, to, o->count, width);
        from = to;
        to = other;
    }
    for (i32 i = 0; from != o->key && i < o->count; i++)
        o->key[i] = from[i];
}

/* The length of runs that has the most entries in the window, in rows that consist of them. */
static i32 choose_run(const csr_source *a, const window_order *o, i32 rows)
{
    i32 chosen = 1;
    i64 most = 0;

    for (i32 run = RUNS; run > 1; run--) {
        i64 entries = 0;
        for (i32 i = 0; i < rows; i++)
            if (o->runs[i] >> run & 1)
                entries += row_length(&a->row_ptr, o->first_row + i);
        if (entries > most) {
            chosen = run;
            most = entries;
        }
    }
    return chosen;
}

static u64 make_key(const window_order *o, i32 i, i64 length)
{
    const bool is_common =
        o->pattern[i] && o->times[pattern_place(o, o->pattern[i])] >= DIAGONAL_ROWS;
    const i32 class_of = is_common ? CLASS_DIAGONALS
                         : o->run > 1 && o->runs[i] >> o->run & 1 ? CLASS_RUNS : CLASS_OTHER;
    const u64 pattern = is_common ? o->pattern[i] >> (64 - PATTERN_BITS) : 0;

    return (((u64)class_of << LENGTH_BITS | (u64)(MOST_LENGTH - length)) << PATTERN_BITS |
            pattern) << ROW_BITS | (u64)i;
}

/* Notes pattern and runs of row i of the window. Split rows have neither. */
static void note_row(const csr_source *a, window_order *o, i32 i)
{
    const i32 row = o->first_row + i;

    o->pattern[i] = 0;
    o->runs[i] = 0;
    if (row_length(&a->row_ptr, row) > SPLIT_AT)
        return;
    if (DIAGONAL_ROWS)
        o->pattern[i] = row_pattern(a, row);
    if (DIAGONAL_ROWS && o->pattern[i])
        count_pattern(o, o->pattern[i]);
    for (i32 run = RUNS; run > 1; run--)
        o->runs[i] = (u8)(o->runs[i] | has_runs(a, row, run) << run);
}

/* Sorts the rows of a window. */
static void order_window(const csr_source *a, i64 window, window_order *o)
{
    const i32 first = (i32)(window * SORT_WINDOW);
    const i32 rows = (i32)i64_min(a->rows - first, SORT_WINDOW);

    o->first_row = first;
    o->count = 0;
    for (i32 i = 0; i < PATTERN_PLACES && DIAGONAL_ROWS; i++)
        o->times[i] = 0;
    for (i32 i = 0; i < rows; i++)
        note_row(a, o, i);
    o->run = RUNS > 1 ? choose_run(a, o, rows) : 1;
    for (i32 i = 0; i < rows; i++) {
        const i64 length = row_length(&a->row_ptr, first + i);
        if (length <= SPLIT_AT)
            o->key[o->count++] = make_key(o, i, length);
    }
    sort_keys(o);
}

#endif
