/* test_evc_hyb.c: plans of EVC-HYB with the parameters of its paper: the rows of a work-item in the
 * ELL part, the work-items of a row in the vCSR part, and where rows begin there. The rules stand
 * here as the paper has them, not as the template computes them.
 *
 * A variant of tests/kernels/meson.build fixes the parameters that the paper does not.
 */
#include "tests/kernels/evc_hyb_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/random.h"
#include "tests/tap.h"

/* ---- the paper's rules --------------------------------------------------------------------- */

/* Rows of a work-item: 2^i for lengths in (longest / 2^(i+1), longest / 2^i]. */
static i32 paper_rows(i32 length, i32 longest)
{
    i32 i = 0;

    while (length * (2 << i) <= longest || length * (1 << i) > longest)
        i++;
    return 1 << i;
}

/* Work-items of a row: 2^i for rows of up to 8 * 2^i nonzeros, 16 to 256. */
static i32 paper_items(i64 length)
{
    i32 items = 16;

    for (i64 most = 128; most < length && items < 256; most += most)
        items += items;
    return items;
}

/* Where a row begins that follows this many entries. */
static i64 paper_start(i64 entries)
{
    return (entries + 31) / 32 * 32;
}

/* ---- the ELL part -------------------------------------------------------------------------- */

/* The length of the longest row of the ELL part. */
static i32 longest_of(const plan *p)
{
    const i32 begin = (i32)p->layout.number[NUMBER_VCSR_ROWS];
    i32 longest = 0;

    for (i32 i = begin; i < begin + p->layout.number[NUMBER_ELL_ROWS]; i++)
        longest = length_of(p, i) > longest ? length_of(p, i) : longest;
    return longest;
}

/* A window's slices, so many that no group has slices of two windows; without windows, all. */
static i32 window_of(i32 slice)
{
    return SORT_WINDOW ? slice * ALIGNMENT / (SORT_WINDOW ? SORT_WINDOW : 1) : 0;
}

/* A group of slices has as many rows for each work-item as the rule says, for all its slices. It
 * is full, unless the next slice has another number of rows, or another window. */
static bool slice_group_follows_rule(const plan *p, const evc_group *g, i32 longest)
{
    const i32 slices = (i32)(p->layout.number[NUMBER_ELL_ROWS] / ALIGNMENT);
    const i32 rows = paper_rows(p->slice[g->first].columns, longest);
    const i32 most = rows * (256 / 32);
    bool follows = g->rows == (rows < ROWS_PER_ITEM ? rows : ROWS_PER_ITEM) &&
                   g->end > g->first && g->end - g->first <= most;

    for (i32 s = g->first; s < g->end; s++)
        follows = follows && paper_rows(p->slice[s].columns, longest) == rows;
    if (g->end < slices && g->end - g->first < most)
        follows = follows && (paper_rows(p->slice[g->end].columns, longest) != rows ||
                              window_of(g->end) != window_of(g->first));
    return follows;
}

/* Group i in falling order of lengths. */
static const evc_group *group_at(const plan *p, i64 i)
{
    return &p->group[FIRST_GROUPS ? p->layout.number[NUMBER_GROUPS] - 1 - i : i];
}

/* The length of the first row or slice of a group, which is its longest. */
static i64 longest_of_group(const plan *p, const evc_group *g)
{
    return g->kind == GROUP_OF_EMPTY    ? 0
           : g->kind == GROUP_OF_SLICES ? p->slice[g->first].columns
           : g->kind == GROUP_OF_ROWS   ? length_of(p, g->first)
                                        : (i64)1 << 31;
}

/* Groups start by rising lengths with FIRST_GROUPS, else those of the vCSR part are first. */
static bool groups_are_in_order(const plan *p)
{
    const i64 groups = p->layout.number[NUMBER_GROUPS];
    bool in_order = true;

    for (i64 i = 1; FIRST_GROUPS && i < groups; i++)
        in_order = in_order && longest_of_group(p, &p->group[i - 1]) <=
                                   longest_of_group(p, &p->group[i]);
    if (!FIRST_GROUPS && groups && p->layout.number[NUMBER_VCSR_ROWS])
        in_order = p->group[0].kind == GROUP_OF_PARTS || p->group[0].kind == GROUP_OF_ROWS;
    return in_order;
}

/* Each slice is in one group. Sets the bit of each number of rows that occurs. */
static bool slices_follow_rule(const plan *p, u32 *seen)
{
    const i32 slices = (i32)(p->layout.number[NUMBER_ELL_ROWS] / ALIGNMENT);
    const i32 longest = longest_of(p);
    i32 *groups = (i32 *)calloc(slices + 1, sizeof *groups);
    bool follow = groups != NULL;

    for (i64 i = 0; follow && i < p->layout.number[NUMBER_GROUPS]; i++) {
        const evc_group *g = &p->group[i];
        if (g->kind != GROUP_OF_SLICES)
            continue;
        follow = g->first >= 0 && g->end <= slices && slice_group_follows_rule(p, g, longest);
        for (i32 s = g->first; follow && s < g->end; s++)
            groups[s]++;
        if (follow)
            *seen |= (u32)paper_rows(p->slice[g->first].columns, longest);
    }
    for (i32 s = 0; follow && s < slices; s++)
        follow = groups[s] == 1;
    free(groups);
    return follow;
}

/* Each length is one array of columns (2.1): column k of its rows follows column k - 1, and is as
 * long as there are slices of that length, 32 rows each. work-items find the same places. */
static bool lengths_are_columns(const plan *p)
{
    const i32 *col = (const i32 *)p->layout.array[ELL_COL].data;
    const real *val = (const real *)p->layout.array[ELL_VAL].data;
    const i32 first = (i32)p->layout.number[NUMBER_VCSR_ROWS];
    const i32 slices = (i32)(p->layout.number[NUMBER_ELL_ROWS] / ALIGNMENT);
    i64 begin = 0;
    bool right = true;

    for (i32 s = 0, end = 0; right && s < slices; s = end) {
        const i32 columns = p->slice[s].columns;
        for (end = s; end < slices && p->slice[end].columns == columns; end++)
            ;
        for (i32 r = 0; right && r < (end - s) * ALIGNMENT; r++) {
            const i32 csr = p->row_ptr[p->row_of[first + s * ALIGNMENT + r]] - 1;
            const evc_slice *own = &p->slice[s + r / ALIGNMENT];

            right = own->entry >> 32 == (end - s) * ALIGNMENT &&
                    (own->entry & 0x7fffffff) == begin + r / ALIGNMENT * ALIGNMENT;
            for (i32 k = 0; k < length_of(p, first + s * ALIGNMENT + r); k++) {
                const i64 at = begin + (i64)k * (end - s) * ALIGNMENT + r;
                right = right && col[at] == p->col_idx[csr + k] && val[at] == p->val[csr + k];
            }
        }
        begin += (i64)columns * (end - s) * ALIGNMENT;
    }
    return right && begin == p->layout.number[NUMBER_ELL_ENTRIES];
}

/* ---- the vCSR part ------------------------------------------------------------------------- */

/* Groups have rows of one width, the paper's, and together each row that is not split, in order. */
static bool widths_follow_rule(const plan *p, u32 *seen)
{
    i32 next = (i32)p->layout.number[NUMBER_SPLIT_ROWS];
    bool follow = true;

    for (i64 i = 0; i < p->layout.number[NUMBER_GROUPS]; i++) {
        const evc_group *g = group_at(p, i);
        if (g->kind != GROUP_OF_ROWS)
            continue;
        follow = follow && g->first == next && g->end > g->first &&
                 (g->end - g->first) * g->items <= 256;
        for (i32 r = g->first; follow && r < g->end; r++)
            follow = paper_items(length_of(p, r)) == g->items;
        *seen |= (u32)g->items;
        next = g->end;
    }
    return follow && next == p->layout.number[NUMBER_VCSR_ROWS];
}

/* Each row has its values from a multiple of 32 on, and zeros behind them. With columns of 32 bits
 * only, so do its columns, with column 0 behind them. */
static bool rows_are_aligned(const plan *p)
{
    const i32 *col = (const i32 *)p->layout.array[VCSR_COL].data;
    const real *val = (const real *)p->layout.array[VCSR_VAL].data;
    i64 entries = 0;
    bool aligned = true;

    for (i32 r = 0; r < p->layout.number[NUMBER_VCSR_ROWS]; r++) {
        const i32 length = length_of(p, r);
        const i32 csr = p->row_ptr[p->row_of[r]] - 1;
        i64 k = paper_start(entries);

        aligned = aligned && p->vcsr_ptr[r + 1] == k + length &&
                  (NARROW_SPAN > 0 || !memcmp(col + k, p->col_idx + csr, length * sizeof *col)) &&
                  !memcmp(val + k, p->val + csr, length * sizeof *val);
        entries = k + length;
        for (k = entries; k < paper_start(entries); k++)
            aligned = aligned && (NARROW_SPAN > 0 || col[k] == 1) && val[k] == 0;
    }
    return aligned &&
           (NARROW_SPAN > 0 ||
            p->layout.array[VCSR_COL].bytes == paper_start(entries) * sizeof *col) &&
           p->layout.array[VCSR_VAL].bytes == paper_start(entries) * sizeof *val;
}

/* ---- columns of 16 bits -------------------------------------------------------------------- */

/* Whether entries [begin, end) of the row at a position fit 16 bits, by a plain search. */
static bool fits_16_bits(const plan *p, i32 position, i64 begin, i64 end)
{
    const i32 *col = p->col_idx + p->row_ptr[p->row_of[position]] - 1;
    i32 least = col[begin];
    i32 most = least;

    if (p->layout.csr.cols <= NARROW_SPAN)
        return true;
    if (SORT_WINDOW == 0)
        return false;
    for (i64 k = begin; k < end; k++) {
        least = col[k] < least ? col[k] : least;
        most = col[k] > most ? col[k] : most;
    }
    return most - least < NARROW_SPAN;
}

/* Whether a piece has the kind of columns that fits, and its columns. Adds its units. */
static bool piece_is_right(const plan *p, u64 word, i32 position, i64 begin, i64 end, i64 *units)
{
    const i32 *col = p->col_idx + p->row_ptr[p->row_of[position]] - 1 + begin;
    const bool narrow = fits_16_bits(p, position, begin, end);
    const i64 at = columns_begin(word, 16);
    const u16 *narrow_col = (const u16 *)p->layout.array[VCSR_NARROW].data;
    const i32 *wide_col = (const i32 *)p->layout.array[VCSR_COL].data;
    bool right = word_is_narrow(word) == narrow && at == 16 * units[narrow];

    for (i64 k = 0; right && k < end - begin; k++)
        right = (narrow ? first_column(word) + narrow_col[at + k] : wide_col[at + k]) == col[k];
    units[narrow] += (end - begin + 15) / 16;
    return right;
}

/* Each piece of the vCSR part has the kind of columns that fits, and its columns; the arrays
 * of both kinds have no more room. */
static bool pieces_have_columns(const plan *p, i64 *narrow_pieces)
{
    const u64 *word = (const u64 *)p->layout.array[COLUMN_WORDS].data;
    i64 next = p->layout.number[NUMBER_ELL_ROWS] / ALIGNMENT;
    i64 units[2] = {0, 0};
    bool right = true;

    for (i32 r = 0; r < p->layout.number[NUMBER_VCSR_ROWS]; r++)
        for (i64 k = 0, end = 0; k < length_of(p, r); k = end, next++) {
            end = length_of(p, r);
            if (end > SPLIT_AT && k + CHUNK_WEIGHT < end)
                end = k + CHUNK_WEIGHT;
            right = right && piece_is_right(p, word[next], r, k, end, units);
            *narrow_pieces += word_is_narrow(word[next]);
        }
    return right && p->layout.array[COLUMN_WORDS].bytes == next * sizeof *word &&
           p->layout.array[VCSR_COL].bytes == 16 * units[0] * sizeof(i32) &&
           p->layout.array[VCSR_NARROW].bytes == 16 * units[1] * sizeof(u16);
}

/* The same of slices: one is narrow if all its rows are, together, and a work-item adds one row. */
static bool slices_have_columns(const plan *p, i64 *narrow_slices)
{
    const u64 *word = (const u64 *)p->layout.array[COLUMN_WORDS].data;
    const i32 first = (i32)p->layout.number[NUMBER_VCSR_ROWS];
    i64 units[2] = {0, 0};
    bool right = true;

    for (i32 s = 0; s < p->layout.number[NUMBER_ELL_ROWS] / ALIGNMENT; s++) {
        const i32 columns = p->slice[s].columns;
        i32 least = 1 << 30;
        i32 most = 0;
        bool narrow;

        for (i32 r = first + s * ALIGNMENT; r < first + (s + 1) * ALIGNMENT; r++)
            for (i32 k = 0; k < length_of(p, r); k++) {
                const i32 col = p->col_idx[p->row_ptr[p->row_of[r]] - 1 + k];
                least = col < least ? col : least;
                most = col > most ? col : most;
            }
        narrow = p->layout.csr.cols <= NARROW_SPAN ||
                 (SORT_WINDOW > 0 && most - least < NARROW_SPAN);
        narrow = narrow && (ROWS_PER_ITEM == 1 || paper_rows(columns, longest_of(p)) == 1);
        right = right && word_is_narrow(word[s]) == narrow &&
                columns_begin(word[s], ALIGNMENT) == ALIGNMENT * units[narrow] &&
                (!narrow || SORT_WINDOW == 0 || first_column(word[s]) == least);
        units[narrow] += columns;
        *narrow_slices += narrow;
    }
    return right && p->layout.array[ELL_COL].bytes == ALIGNMENT * units[0] * sizeof(i32) &&
           p->layout.array[ELL_NARROW].bytes == ALIGNMENT * units[1] * sizeof(u16);
}

/* Rows of more than SPLIT_AT entries are split. Each part but the last has CHUNK_WEIGHT entries. */
static bool parts_are_aligned(const plan *p)
{
    const i64 *begin = (const i64 *)p->layout.array[PART_BEGIN].data;
    i64 part = 0;
    bool right = true;

    for (i32 r = 0; r < p->layout.number[NUMBER_VCSR_ROWS]; r++)
        right = right && (r < p->layout.number[NUMBER_SPLIT_ROWS]) == (length_of(p, r) > SPLIT_AT);
    for (i32 r = 0; r < p->layout.number[NUMBER_SPLIT_ROWS]; r++) {
        const i64 end = p->vcsr_ptr[r + 1];
        for (i64 k = end - length_of(p, r); k < end; k += CHUNK_WEIGHT, part++)
            right = right && paper_start(begin[part]) == k &&
                    begin[part + 1] == (k + CHUNK_WEIGHT < end ? k + CHUNK_WEIGHT : end);
    }
    return right && part == p->layout.number[NUMBER_PARTS];
}

/* The share of entries of the vCSR part that are padding, in percent. */
static f64 expected_padding(const plan *p)
{
    f64 entries = 0;
    f64 nnz = 0;

    for (i32 r = 0; r < p->layout.number[NUMBER_VCSR_ROWS]; r++) {
        nnz += length_of(p, r);
        entries += (f64)paper_start(length_of(p, r));
    }
    return entries > 0 ? 100 * (entries - nnz) / entries : 0;
}

static f64 figure_named(const plan *p, const char *name)
{
    spmv_figure figure[SPMV_MAX_FIGURES];
    const i32 count = method_ops.figures(&p->layout, figure);

    for (i32 i = 0; i < count; i++)
        if (strcmp(figure[i].name, name) == 0)
            return figure[i].value;
    return NAN;
}

/* ---- conversion back, and new values -------------------------------------------------------- */

static bool restores_csr(plan *p)
{
    const i64 nnz = p->layout.csr.nnz;
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = {0};
    bool same;

    job.layout = &p->layout;
    for (i64 k = 0; k < nnz; k++)
        p->val[k] = (real)(3 * k - 1);
    run(&job, step, method_ops.update_steps(&p->layout, step));
    job.col_idx_out = (i32 *)memory((size_t)nnz * sizeof(i32));
    job.val_out = memory((size_t)nnz * sizeof(real));
    run(&job, step, method_ops.restore_steps(&job, step));
    same = !memcmp(job.col_idx_out, p->col_idx, (size_t)nnz * sizeof(i32)) &&
           !memcmp(job.val_out, p->val, (size_t)nnz * sizeof(real));
    free(job.col_idx_out);
    free(job.val_out);
    return same;
}

/* ---- cases --------------------------------------------------------------------------------- */

enum { MOST_ROWS = 6000 };

/* Bits of the numbers of rows of a work-item and of the widths of rows that occurred. */
typedef struct occurred {
    u32 rows, items;
    i64 narrow;                  /* slices and pieces with columns of 16 bits */
} occurred;

static occurred check_plan(const char *name, const i32 *length, i32 rows, bench_random *random)
{
    occurred seen = {0, 0, 0};
    plan p;

    plan_create(&p, length, rows, random);
    ok(slices_follow_rule(&p, &seen.rows), "%s: rows of a work-item by the longest row", name);
    ok(widths_follow_rule(&p, &seen.items), "%s: work-items of a row by its length", name);
    ok(rows_are_aligned(&p), "%s: rows of the vCSR part begin at multiples of 32", name);
    ok(parts_are_aligned(&p), "%s: so do parts of split rows, those of more than %d", name,
       SPLIT_AT);
    ok(groups_are_in_order(&p), "%s: groups start in the order of lengths", name);
    ok(fabs(figure_named(&p, "padding of the vCSR part") - expected_padding(&p)) < 1e-9,
       "%s: %.2f %% of the vCSR part is padding, as figures say", name, expected_padding(&p));
    if (ELL_STORAGE)
        ok(lengths_are_columns(&p), "%s: each length is one array of columns", name);
    if (NARROW_SPAN) {
        ok(slices_have_columns(&p, &seen.narrow),
           "%s: slices have columns of 16 bits where these fit", name);
        ok(pieces_have_columns(&p, &seen.narrow), "%s: so do pieces of the vCSR part", name);
    }
    ok(restores_csr(&p), "%s: CSR is restored, with new values", name);
    plan_destroy(&p);
    return seen;
}

/* Rows at both sides of each limit of the two rules. */
static void test_planted(bench_random *random)
{
    static const i32 lengths[] = {
        1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 127, 128,
        129, 255, 256, 257, 512, 513, 1024, 1025, 2048, 2049, 5000, 40000
    };
    i32 length[MOST_ROWS];
    occurred seen;
    i32 rows = 0;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        /* One row of 128 is left after whole slices, and goes to the vCSR part. */
        const i32 count = lengths[i] > 128 ? 3 : lengths[i] == 128 ? 161 : 160;
        for (i32 k = 0; k < count; k++)
            length[rows++] = lengths[i];
    }
    length[rows++] = 0;
    seen = check_plan("every limit", length, rows, random);
    if (NARROW_SPAN)
        ok(seen.narrow > 0, "every limit: %d columns of 16 bits occur", (int)seen.narrow);
    ok(seen.rows == 255, "every limit: 1 to 128 rows of a work-item occur");
    ok(seen.items == 2 * (u32)paper_items(SPLIT_AT) - 16,
       "every limit: 16 to %d work-items of a row occur", paper_items(SPLIT_AT));
}

/* LRmax is the longest row that is there, not the boundary. */
static void test_short_rows(bench_random *random)
{
    i32 length[MOST_ROWS];
    occurred seen;
    i32 rows = 0;

    for (; rows < 640; rows++)
        length[rows] = rows < 320 ? 5 : 2;
    seen = check_plan("rows of 5 and 2", length, rows, random);
    ok(seen.rows == 3, "rows of 5 and 2: one row of 5, two rows of 2");
    seen = check_plan("no row", length, 0, random);
    ok(seen.rows == 0 && seen.items == 0, "no row: no group");
}

static void test_random(bench_random *random)
{
    i32 length[MOST_ROWS];

    for (i32 i = 0; i < 20; i++) {
        const i32 rows = (i32)bench_random_below(random, MOST_ROWS);
        const i32 limit = 1 + (i32)bench_random_below(random, 200);
        char name[32];

        for (i32 r = 0; r < rows; r++)
            length[r] = (i32)(bench_random_below(random, 100) ? bench_random_below(random, limit)
                                                              : bench_random_below(random, 3000));
        snprintf(name, sizeof name, "random %d", i);
        check_plan(name, length, rows, random);
    }
}

int main(void)
{
    bench_random random = {29};

    test_planted(&random);
    test_short_rows(&random);
    test_random(&random);
    return tap_done();
}
