/* find_groups.h: finds groups of rows with the same columns, and windows that cover these. */
#ifndef SPMV_SYMMETRIC_FIND_GROUPS_H
#define SPMV_SYMMETRIC_FIND_GROUPS_H

#include "layout_runs.h"

/* The caller's matrix, and a block of it. */
typedef struct block_rows {
    const i32 *col_idx;
    row_offsets row_ptr;
    block_place place;
    i64 begin, end;
    i32 base;                    /* of col_idx */
} block_rows;

static block_rows rows_of(const spmv_csr *csr, const half_matrix *a, i64 b)
{
    const i64 segment = ((b + 1) * a->segments - 1) / a->blocks;
    const i64 place = (b - segment_block(a, segment)) * BLOCK_ROWS % ring_rows(a->reach);
    block_rows rows;

    rows.col_idx = csr->col_idx;
    rows.row_ptr = row_offsets_of(csr);
    rows.place = place_of(a, b, place);
    rows.begin = b * BLOCK_ROWS;
    rows.end = i64_min(a->rows, rows.begin + BLOCK_ROWS);
    rows.base = csr->base;
    return rows;
}

/* The first entry from k on, of a row that ends at `end`, whose column is `col` or more. */
static i64 find_mirror_column(const block_rows *a, i64 k, i64 end, i64 col)
{
    i64 count = end - k;

    while (count > 0) {
        const i64 half = count / 2;
        const bool is_less = a->col_idx[k + half] - a->base < col;

        k = is_less ? k + half + 1 : k;
        count = is_less ? count - half - 1 : half;
    }
    return k;
}

/* Rows of the upper triangle. */
typedef struct row_group {
    i64 row, rows;
    i64 first[MOST_GROUP_ROWS];  /* the first entry of each row after the corner */
    i64 length;                  /* number of these entries in a row */
    i64 lower;                   /* number of entries before the corner, in the last row */
    bool has_diagonal;
} row_group;

/* An upper row: its entries on and above the main diagonal. */
typedef struct upper_row {
    i64 begin, first, end;       /* begin: of the whole row */
} upper_row;

/* Row `row`. Most rows have as many entries before the main diagonal as the row before, `lower`, or
 * one more: these places are tried before a search. */
static upper_row find_upper(const block_rows *a, i64 row, i64 lower)
{
    upper_row u;

    u.begin = row_begin(&a->row_ptr, row);
    u.end = row_begin(&a->row_ptr, row + 1);
    for (i64 first = u.begin + lower; first <= u.begin + lower + 1 && first < u.end; first++)
        if (a->col_idx[first] - a->base == row) {
            u.first = first;
            return u;
        }
    u.first = find_mirror_column(a, u.begin, u.end, row);
    return u;
}

static bool begins_with(const block_rows *a, const upper_row *u, i64 count, i64 col)
{
    return u->end - u->first >= count && a->col_idx[u->first + count - 1] - a->base == col;
}

/* Whether the next row has the row's columns but the first, and both have a whole corner. */
static bool share_columns(const block_rows *a, i64 row, const upper_row *u, const upper_row *next)
{
    const i64 count = next->end - next->first;
    i32 differ = 0;

    if (u->end - u->first != count + 1 || !begins_with(a, u, 1, row) ||
        !begins_with(a, next, 1, row + 1))
        return false;
    for (i64 i = 0; i < count; i++)
        differ |= a->col_idx[u->first + 1 + i] ^ a->col_idx[next->first + i];
    return differ == 0;
}

/* Finds the group that begins at `row`; g is the group before, or has no rows. Four rows that share
 * columns become two groups of two. */
static void find_group(const block_rows *a, i64 row, row_group *g)
{
    upper_row u[MOST_GROUP_ROWS + 2];
    i64 rows = 1;

    u[0] = find_upper(a, row, g->lower);
    for (; row + rows < a->end && rows < MOST_GROUP_ROWS + 2; rows++) {
        u[rows] = find_upper(a, row + rows, u[rows - 1].first - u[rows - 1].begin);
        if (!share_columns(a, row + rows - 1, &u[rows - 1], &u[rows]))
            break;
    }
    g->row = row;
    g->rows = rows == 4 ? 2 : i64_min(rows, MOST_GROUP_ROWS);
    g->has_diagonal = begins_with(a, &u[0], 1, row);
    for (i64 i = 0; i < g->rows; i++)
        g->first[i] = u[i].first + (g->has_diagonal ? g->rows - i : 0);
    g->length = u[0].end - g->first[0];
    g->lower = u[g->rows - 1].first - u[g->rows - 1].begin;
}

/* ---- windows -------------------------------------------------------------------------------- */

/* A vector of windows. Behind the last entry, windows repeat the one before. */
typedef struct run_vector {
    i64 begin[RUN_WINDOWS];      /* the first column of each window */
    u32 mask;
    i64 end;                     /* the entry after the vector's */
} run_vector;

/* The vector that begins with entry k. rows: of the matrix, since windows end within x. */
static void find_vector(const block_rows *a, i64 rows, i64 k, i64 end, run_vector *v)
{
    const i32 last = (i32)(rows - RUN_WIDTH) + a->base;
    i32 begin = last;
    u32 mask = 0;

    for (i64 i = 0; i < RUN_WINDOWS; i++) {
        if (k < end)
            begin = a->col_idx[k] < last ? a->col_idx[k] : last;
        for (i64 to = i64_min(k + RUN_WIDTH, end);
             k < to && a->col_idx[k] - begin < RUN_WIDTH; k++)
            mask |= (u32)1 << (i * RUN_WIDTH + a->col_idx[k] - begin);
        v->begin[i] = begin - a->base;
    }
    v->mask = mask;
    v->end = k;
}

#endif
