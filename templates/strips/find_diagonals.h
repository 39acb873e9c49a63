/* find_diagonals.h: finds the diagonals of a slice of rows. */
#ifndef SPMV_STRIPS_FIND_DIAGONALS_H
#define SPMV_STRIPS_FIND_DIAGONALS_H

#include "find_rows.h"
#include "layout_diagonals.h"

enum {
    NO_DIAGONAL = 2147483647,
    DIAGONAL_RANGE = 2048,       /* diagonals that are found together */
    SCAN_GROUP = 32              /* diagonals that are skipped at once if they have no entry */
};

/* Finds the diagonals of a slice, DIAGONAL_RANGE neighbours at a time. The columns of a row ascend,
 * so its entries within one range follow those within the range before. */
typedef struct diagonal_finder {
    const csr_source *a;
    i32 lanes;                   /* rows of the slice */
    i64 from[DIAGONAL_ROWS];     /* each lane's first entry within the range */
    i64 at[DIAGONAL_ROWS];       /* each lane's first entry after the range */
    i64 end[DIAGONAL_ROWS];      /* end of each lane's row */
    i32 first;                   /* first diagonal of the range, as column - lane */
    i32 next;                    /* least diagonal after the range, or NO_DIAGONAL */
    i32 reached;                 /* end of the diagonals with entries, relative to `first` */
    i32 count;                   /* number of diagonals of the range with entries */
    u16 found[DIAGONAL_RANGE];   /* these diagonals, relative to `first` */
    u16 mask[DIAGONAL_RANGE];    /* lanes with an entry on each diagonal of the range */
    u16 value[DIAGONAL_RANGE];   /* place of each diagonal's next value, relative to the first value
                                    of the range */
} diagonal_finder;

/* Prepares a finder for any number of slices of any strips. */
static void begin_finder(const csr_source *a, diagonal_finder *f)
{
    f->a = a;
    for (i32 p = 0; p < DIAGONAL_RANGE; p++)
        f->mask[p] = 0;
}

/* Whether the columns of all rows of the slice ascend. All descents are counted, except from the
 * last entry of a row to the first entry of the next row. */
static bool has_ascending_rows(const diagonal_finder *f)
{
    const i32 *col = f->a->col_idx;
    const i64 end = f->end[f->lanes - 1];
    i64 descents = 0;

    for (i64 k = f->at[0]; k + 1 < end; k++)
        descents += col[k] >= col[k + 1];
    for (i32 i = 1; i < f->lanes; i++)
        if (f->at[i] > f->at[0] && f->at[i] < f->end[i])
            descents -= col[f->at[i] - 1] >= col[f->at[i]];
    return descents == 0;
}

/* Begins the slice whose first row is row `row` of the strip. Returns false if the slice cannot be
 * stored as diagonals: x is shorter than a vector of x, or columns do not ascend. */
static bool begin_slice(const strip_rows *r, i32 row, diagonal_finder *f)
{
    f->lanes = slice_row_count(r->count, row);
    f->next = NO_DIAGONAL;
    for (i32 i = 0; i < f->lanes; i++) {
        f->at[i] = row_begin(&f->a->row_ptr, r->first + row + i);
        f->end[i] = row_begin(&f->a->row_ptr, r->first + row + i + 1);
        if (f->at[i] == f->end[i])
            continue;
        const i64 column = (i64)f->a->col_idx[f->at[i]] - f->a->base;
        if (column < 0 || (i64)f->a->col_idx[f->end[i] - 1] - f->a->base >= f->a->cols)
            return false;
        f->next = (i32)i64_min(f->next, column - i);
    }
    return f->a->cols >= DIAGONAL_ROWS && has_ascending_rows(f);
}

/* Puts the entries of a lane within the range into the masks. */
static void mark_lane(diagonal_finder *f, i32 lane)
{
    const u32 zero = (u32)f->a->base + (u32)lane + (u32)f->first;
    const i32 *col = f->a->col_idx;
    const i64 end = f->end[lane];
    i64 k = f->at[lane];

    f->from[lane] = k;
    if (k < end && (u32)col[end - 1] - zero < DIAGONAL_RANGE)
        for (; k < end; k++)
            f->mask[(u32)col[k] - zero] |= (u16)(1 << lane);
    for (; k < end; k++) {
        const u32 relative = (u32)col[k] - zero;
        if (relative >= DIAGONAL_RANGE) {
            f->next = (i32)i64_min(f->next, (i64)relative + f->first);
            break;
        }
        f->mask[relative] |= (u16)(1 << lane);
    }
    if (k > f->from[lane])
        f->reached = (i32)i64_max(f->reached, (i64)((u32)col[k - 1] - zero) + 1);
    f->at[lane] = k;
}

/* Lists the diagonals of the range. Skips groups without entries, since most of the range is
 * empty. */
static void collect_diagonals(diagonal_finder *f)
{
    i32 count = 0;

    for (i32 group = 0; group < f->reached; group += SCAN_GROUP) {
        u16 any = 0;
        for (i32 p = group; p < group + SCAN_GROUP; p++)
            any = (u16)(any | f->mask[p]);
        for (i32 p = group; any && p < group + SCAN_GROUP; p++) {
            f->found[count] = (u16)p;
            count += f->mask[p] != 0;
        }
    }
    f->count = count;
}

/* Finds the next diagonals of the slice; returns false if there are no more. The masks are valid
 * until forget_diagonals. */
static bool find_diagonals(diagonal_finder *f)
{
    if (f->next == NO_DIAGONAL)
        return false;
    f->first = f->next;
    f->next = NO_DIAGONAL;
    f->reached = 0;
    for (i32 i = 0; i < f->lanes; i++)
        mark_lane(f, i);
    collect_diagonals(f);
    return true;
}

/* Whether a vector of x on one of these diagonals begins before x or ends after it. */
static bool leaves_x(const diagonal_finder *f)
{
    return (i64)f->first + f->found[0] < 0 ||
           (i64)f->first + f->found[f->count - 1] > f->a->cols - DIAGONAL_ROWS;
}

static void forget_diagonals(diagonal_finder *f)
{
    for (i32 i = 0; i < f->count; i++)
        f->mask[f->found[i]] = 0;
}

/* The number of diagonals of a slice of DIAGONAL_ROWS rows, if all of them are full, that is, if
 * each row has the columns of the row before plus 1; else 0. */
static i32 count_full_diagonals(const csr_source *a, const strip_rows *r, i32 row)
{
    if (row + DIAGONAL_ROWS > r->count)
        return 0;
    const i64 begin = row_begin(&a->row_ptr, r->first + row);
    const i64 length = row_begin(&a->row_ptr, r->first + row + 1) - begin;
    const i32 *col = a->col_idx + begin;
    u32 differs = 0;

    for (i32 i = 1; i < DIAGONAL_ROWS; i++)
        if (row_begin(&a->row_ptr, r->first + row + i + 1) - begin != (i + 1) * length)
            return 0;
    /* Slices without this property mostly lack it in the first column. The rows are contiguous in
     * memory, so one loop compares all of them. */
    if (length == 0 || (DIAGONAL_ROWS > 1 && (u32)col[0] + 1 != (u32)col[length]))
        return 0;
    for (i64 k = 0; k < (DIAGONAL_ROWS - 1) * length; k++)
        differs |= ((u32)col[k] + 1) ^ (u32)col[k + length];
    return differs ? 0 : (i32)length;
}

/* Whether the slice in the middle of a strip has only full diagonals. */
static bool looks_like_stencil(const csr_source *a, const strip_rows *r)
{
    return count_full_diagonals(a, r, r->count / 2 / DIAGONAL_ROWS * DIAGONAL_ROWS) > 0;
}

#endif
