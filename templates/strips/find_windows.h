/* find_windows.h: finds the windows of columns that cover a row. */
#ifndef SPMV_STRIPS_FIND_WINDOWS_H
#define SPMV_STRIPS_FIND_WINDOWS_H

#include "find_rows.h"
#include "layout_runs.h"

enum {
    WINDOW_BATCH = 64,           /* entries whose windows a window_finder finds at once */
    ENTRY_UNIT = 16              /* unit of the number of entries in a word, above the mask */
};

/* A window of RUN_WIDTH columns, with a mask of the columns that the row has. */
typedef struct run_window {
    i32 first;                   /* first column */
    u32 mask;
    i32 entries;                 /* set bits of the mask */
} run_window;

/* The first column of the window for a column: the column itself, or less near the end of x, so
 * that the window ends within x. */
static i32 window_begin(const csr_source *a, i32 col)
{
    return (i32)i64_min((i64)col - a->base, (i64)a->cols - RUN_WIDTH);
}

/* The window that begins with entry k of a row that ends at `end`, in a matrix of RUN_WIDTH columns
 * or more. The loop has no branch, because the end of most runs would be mispredicted: entries
 * after the row's end are read as column col[0], which does not ascend and so ends the window. */
static void find_one_window(const csr_source *a, i64 k, i64 end, run_window *w)
{
    const i32 *col = a->col_idx + k;
    const i64 left = end - k;
    const i32 first = window_begin(a, col[0]);
    const u32 lane = (u32)(col[0] - a->base - first) % RUN_WIDTH;
    u32 last = 0;                /* the column before, as a distance from col[0] */
    u32 takes = left > 0;        /* whether all columns so far belong to the window */
    u32 mask = takes;
    i32 entries = (i32)takes;

    UNROLL
    for (i32 i = 1; i < RUN_WIDTH; i++) {
        const u32 next = (u32)col[i < left ? i : 0] - (u32)col[0];
        takes &= (u32)(next > last) & (u32)(next < RUN_WIDTH - lane);
        mask |= takes << (next % RUN_WIDTH);
        entries += (i32)takes;
        last = next;
    }
    w->first = first;
    w->mask = mask << lane;
    w->entries = entries;
}

/* Finds windows faster. The start of a window is known only after the window before it. But the
 * window that would begin with a given entry depends on no other window, so a batch finds these
 * windows for many entries at once, by vectors. */
typedef struct window_finder {
    const csr_source *a;
    i64 first;                   /* the batch's first entry */
    u32 word[WINDOW_BATCH];      /* the window of each entry: its mask, from the entry's column on,
                                    plus ENTRY_UNIT times its number of entries */
} window_finder;

static window_finder window_finder_of(const csr_source *a)
{
    window_finder f;
    f.a = a;
    f.first = -WINDOW_BATCH;
    return f;
}

/* The windows of a batch of entries from k on, as if the row did not end. */
static void find_batch(window_finder *f, i64 k)
{
    const i32 *col = f->a->col_idx + k;
    u32 *word = f->word;

    for (i32 e = 0; e < WINDOW_BATCH; e++) {
        u32 last = 0;
        u32 takes = 1;
        u32 found = ENTRY_UNIT + 1;
        UNROLL
        for (i32 i = 1; i < RUN_WIDTH; i++) {
            const u32 next = (u32)col[e + i] - (u32)col[e];
            takes &= (u32)(next > last) & (u32)(next < RUN_WIDTH);
            /* The term is 1 << next for next from 1 to 3: not all vector units shift each lane by
             * its own count. */
            found += (0 - takes) & (ENTRY_UNIT + 2 * next + 2 * (u32)(next == 3));
            last = next;
        }
        word[e] = found;
    }
    f->first = k;
}

/* As find_one_window. */
HOST void find_window(window_finder *f, i64 k, i64 end, run_window *w)
{
    const csr_source *a = f->a;
    const bool is_near_end = k + WINDOW_BATCH + RUN_WIDTH > a->nnz;

    if (!is_near_end && (k < f->first || k >= f->first + WINDOW_BATCH))
        find_batch(f, k);
    const u32 word = is_near_end ? 0 : f->word[k - f->first];
    const i32 entries = (i32)(word / ENTRY_UNIT);

    /* Rare: rows have many windows, and only the last one can reach beyond the row. */
    if (is_near_end || k + entries > end) {
        find_one_window(a, k, end, w);
        return;
    }
    w->first = window_begin(a, a->col_idx[k]);
    w->mask = word % ENTRY_UNIT << ((u32)(a->col_idx[k] - a->base - w->first) % RUN_WIDTH);
    w->entries = entries;
}

/* Number of windows that cover entries [begin, end). */
static i64 count_windows(window_finder *f, i64 begin, i64 end)
{
    i64 windows = 0;

    for (i64 k = begin; k < end; windows++) {
        run_window w;
        find_window(f, k, end, &w);
        k += w.entries;
    }
    return windows;
}

/* Whether a row has the columns of the row before. */
static bool has_same_columns(const csr_source *a, i32 row)
{
    const i64 length = row_length(&a->row_ptr, row);
    const i32 *col = a->col_idx + row_begin(&a->row_ptr, row);
    u32 differs = 0;

    /* Rows that differ mostly differ in the first or the last column. */
    if (row_length(&a->row_ptr, row - 1) != length ||
        (length > 0 && (col[0] != col[-length] || col[length - 1] != col[-1])))
        return false;
    for (i64 k = 0; k < length; k++)
        differs |= (u32)col[k] ^ (u32)col[k - length];
    return !differs;
}

#endif
