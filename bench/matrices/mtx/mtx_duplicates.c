/* mtx_duplicates.c: see mtx_duplicates.h.
 *
 * Most rows of real files have increasing columns and so no duplicates. Each other row is sorted by
 * keys (column, position in the row), so that equal columns become neighbours, in their order. The
 * scratch holds two keys for each entry of the longest sorted row: at most 16 bytes an entry beside
 * the 12 of the finished arrays, when the entries in file order are already freed.
 */
#include "bench/matrices/mtx/mtx_duplicates.h"

#include <inttypes.h>
#include <string.h>

/* Positions in rows of fewer entries fit a key. */
#define ROW_MAX UINT32_MAX

enum { RUN = 16, DROPPED = -1 };

static bool is_increasing(const int32_t *col, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (col[i] <= col[i - 1])
            return false;
    return true;
}

/* ---- sorting --------------------------------------------------------------------------------- */

static void run_sort(uint64_t *key, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        uint64_t moving = key[i];
        int64_t at = i;
        for (; at > 0 && key[at - 1] > moving; at--)
            key[at] = key[at - 1];
        key[at] = moving;
    }
}

static void runs_merge(const uint64_t *a, int64_t a_count, const uint64_t *b, int64_t b_count,
                       uint64_t *out)
{
    const uint64_t *a_end = a + a_count, *b_end = b + b_count;
    while (a < a_end && b < b_end)
        *out++ = *a < *b ? *a++ : *b++;
    while (a < a_end)
        *out++ = *a++;
    while (b < b_end)
        *out++ = *b++;
}

/* Sorts `count` keys by radix, with `other` as scratch. Returns the array that holds the result. */
static uint64_t *keys_sort(uint64_t *key, uint64_t *other, int64_t count)
{
    for (int64_t i = 0; i < count; i += RUN)
        run_sort(key + i, count - i < RUN ? count - i : RUN);
    for (int64_t width = RUN; width < count; width *= 2) {
        for (int64_t i = 0; i < count; i += 2 * width) {
            int64_t a_count = count - i < width ? count - i : width;
            int64_t rest = count - i - a_count;
            runs_merge(key + i, a_count, key + i + a_count, rest < width ? rest : width, other + i);
        }
        uint64_t *sorted = other;
        other = key;
        key = sorted;
    }
    return key;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* In a symmetric matrix each duplicate off the diagonal occurs twice; only duplicates on or below
 * the diagonal are counted. */
static int64_t row_find(int64_t row, int32_t *col, double *val, int64_t count, bool is_mirrored,
                        bool sum, uint64_t *scratch)
{
    for (int64_t i = 0; i < count; i++)
        scratch[i] = (uint64_t)(uint32_t)col[i] << 32 | (uint64_t)i;
    const uint64_t *key = keys_sort(scratch, scratch + count, count);
    int64_t found = 0, leader = 0;
    for (int64_t i = 1; i < count; i++) {
        if (key[i] >> 32 != key[leader] >> 32) {
            leader = i;
            continue;
        }
        found += !is_mirrored || (int64_t)(key[i] >> 32) <= row;
        if (sum) {
            val[(uint32_t)key[leader]] += val[(uint32_t)key[i]];
            col[(uint32_t)key[i]] = DROPPED;
        }
    }
    return found;
}

static void rows_close_up(mtx_memory *memory, mtx_matrix *matrix)
{
    int64_t to = 0, from = 0;
    for (int64_t r = 0; r < matrix->rows; r++) {
        for (; from < matrix->row_ptr[r + 1]; from++) {
            if (matrix->col_idx[from] == DROPPED)
                continue;
            matrix->col_idx[to] = matrix->col_idx[from];
            matrix->val[to++] = matrix->val[from];
        }
        matrix->row_ptr[r + 1] = to;
    }
    uint64_t nnz = (uint64_t)matrix->nnz, new_nnz = (uint64_t)to;
    matrix->col_idx = mtx_memory_shrink(memory, matrix->col_idx, nnz, new_nnz, sizeof(int32_t));
    matrix->val = mtx_memory_shrink(memory, matrix->val, nnz, new_nnz, sizeof(double));
    matrix->nnz = to;
}

mtx_status mtx_duplicates_find(mtx_memory *memory, const mtx_report *report, bool sum,
                               mtx_matrix *matrix)
{
    const int64_t *row_ptr = matrix->row_ptr;
    int64_t longest = 0;
    for (int64_t r = 0; r < matrix->rows; r++) {
        int64_t count = row_ptr[r + 1] - row_ptr[r];
        if (count > longest && !is_increasing(matrix->col_idx + row_ptr[r], count))
            longest = count;
    }
    if (longest == 0)
        return MTX_OK;
    if (longest > (int64_t)ROW_MAX)
        return mtx_report_fail(report, MTX_UNREPRESENTABLE, 0,
                               "a row of %" PRId64 " entries, expected fewer than 2^32; sum its "
                               "duplicates before", longest);
    uint64_t keys = 2 * (uint64_t)longest;
    uint64_t *scratch = mtx_memory_alloc(memory, keys, sizeof *scratch);
    if (!scratch)
        return mtx_memory_fail(memory, report, "the search for duplicates");
    for (int64_t r = 0; r < matrix->rows; r++) {
        int64_t count = row_ptr[r + 1] - row_ptr[r];
        int32_t *col = matrix->col_idx + row_ptr[r];
        if (count > 1 && !is_increasing(col, count))
            matrix->duplicates += row_find(r, col, matrix->val + row_ptr[r], count,
                                           matrix->symmetry != MTX_GENERAL, sum, scratch);
    }
    mtx_memory_free(memory, scratch, keys, sizeof *scratch);
    if (sum && matrix->duplicates > 0)
        rows_close_up(memory, matrix);
    return MTX_OK;
}
