/* test_strips_padding.c: tests strips of diagonals whose padded values do not fit, in the template
 * itself. A sample of a strip's slices decides whether to pad. Here the other slices differ from
 * the sampled ones, so the strip is written again: as diagonals without padding, or as lanes. */
#include "strips_template.h"

#include "../tap.h"
#include "bench/matrices/random.h"

enum {
    ROWS = 8192,
    LENGTH = 8,                  /* entries of each row */
    NNZ = ROWS * LENGTH,
    GAP = 3,                     /* columns from one entry of a row to the next, at least */
    LISTS = 2 * RECENT_LISTS,    /* lists of scattered diagonals: too many to be shared */
    COLS = ROWS + LENGTH * DIAGONAL_ROWS * GAP + LISTS
};

/* The diagonals of a slice. All rows have as many entries, so strips have the same rows. */
typedef enum slice_pattern {
    FULL,                        /* the same in all rows */
    HALVED,                      /* others in every second row: masks have half of their bits */
    SCATTERED,                   /* others in each row: their lists exceed the strip's space */
    PATTERNS
} slice_pattern;

static i32 row_ptr[ROWS + 1], col_idx[NNZ];
static real val[NNZ], x[COLS], y[ROWS], expected[ROWS];
static const spmv_csr csr = {
    .row_ptr = row_ptr, .col_idx = col_idx, .val = val, .rows = ROWS, .cols = COLS, .nnz = NNZ,
    .offset_type = SPMV_I32, .value_type = SPMV_F64,
};

static void set_row(i32 row, slice_pattern pattern)
{
    const i32 lane = row % DIAGONAL_ROWS;
    const i32 list = row / DIAGONAL_ROWS % LISTS;

    for (i32 k = 0; k < LENGTH; k++)
        col_idx[row * LENGTH + k] =
            row + (pattern == SCATTERED ? (k * DIAGONAL_ROWS + lane) * GAP + list
                                        : k * GAP + (pattern == HALVED ? lane % 2 : 0));
}

/* ---- values -------------------------------------------------------------------------------- */

static void set_equal(void)
{
    for (i32 k = 0; k < NNZ; k++)
        val[k] = 3;
}

static void set_random(void)
{
    bench_random random = { 5 };

    bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, val, NNZ);
}

/* Products of these are exact, and so are their sums. */
static void set_integers(void)
{
    for (i32 k = 0; k < NNZ; k++)
        val[k] = k * 7 % 1001;
    for (i32 j = 0; j < COLS; j++)
        x[j] = j * 5 % 997;
}

/* ---- strips -------------------------------------------------------------------------------- */

static slice_pattern pattern_of(i64 s)
{
    return (slice_pattern)(s % PATTERNS);
}

/* Gives the strips of the layout their patterns, and full diagonals to the slices that are sampled.
 * They are sampled from the first slice on, at a distance. */
static void set_patterns(const spmv_layout *layout)
{
    const strips_matrix a = strips_view(layout);

    for (i64 s = 0; s < a.strip_count; s++) {
        const i32 first = a.strips[s].row, rows = a.strips[s + 1].row - first;
        const i32 stride =
            DIAGONAL_ROWS * sample_stride(rows / DIAGONAL_ROWS, (i64)rows * LENGTH);

        for (i32 i = 0; i < rows; i++)
            set_row(first + i, i % stride < DIAGONAL_ROWS ? FULL : pattern_of(s));
    }
}

/* Whether diagonals with padding are chosen for every strip. */
static bool chooses_padding(const spmv_layout *layout)
{
    const csr_source a = source_of(layout);
    strip_scratch *scratch = zeros(sizeof *scratch);
    bool is_chosen = layout->number[NUMBER_PADDING];

    begin_finder(&a, &scratch->finder);
    for (i64 s = 0; s < layout->number[NUMBER_STRIPS]; s++) {
        find_strip_rows(&a, s, &scratch->rows);
        const strip_choice choice = choose_kind(&a, &scratch->rows, &scratch->finder);
        is_chosen = is_chosen && is_padded_choice(&choice);
    }
    free(scratch);
    return is_chosen;
}

/* Whether the strips of a pattern have this storage. */
static bool is_stored(const spmv_layout *layout, slice_pattern pattern, i32 kind, bool is_padded)
{
    const strips_matrix a = strips_view(layout);
    i64 strips = 0;
    bool is_right = true;

    for (i64 s = 0; s < a.strip_count; s++)
        if (pattern_of(s) == pattern) {
            strips++;
            is_right = is_right && a.strips[s].kind == kind && !a.strips[s].is_padded == !is_padded;
        }
    return strips > 0 && is_right;
}

/* ---- tests --------------------------------------------------------------------------------- */

/* A plan whose strips are not padded. */
static void build_without_padding(spmv_layout *layout)
{
    size_layout(layout, &csr, 0, true);
    layout->number[NUMBER_PADDING] = 0;
    fill_layout(layout);
}

static bool has_expected_bits(const spmv_layout *layout)
{
    multiply(layout, x, y);
    return !memcmp(y, expected, sizeof y) && restores(&csr, layout);
}

static void test_storage(void)
{
    spmv_layout layout;

    set_random();
    build(&layout, &csr, false);
    ok(chooses_padding(&layout), "samples of all strips choose padded diagonals");
    ok(is_stored(&layout, FULL, STRIP_DIAGONALS, true), "strips like their samples are padded");
    ok(is_stored(&layout, HALVED, STRIP_DIAGONALS, false),
       "strips of diagonals with many holes are not padded");
    ok(is_stored(&layout, SCATTERED, STRIP_LANES, false),
       "strips of too many diagonals become lanes");
    discard(&layout);
}

/* alpha is that of multiply. */
static void test_results(void)
{
    spmv_layout layout;

    set_integers();
    for (i32 row = 0; row < ROWS; row++) {
        real sum = 0;

        for (i32 k = row_ptr[row]; k < row_ptr[row + 1]; k++)
            sum += val[k] * x[col_idx[k]];
        expected[row] = 0.7 * sum;
    }
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        build(&layout, &csr, is_wide);
        ok(has_expected_bits(&layout), "%s values: products are exact, and CSR is restored",
           is_wide ? "wide" : "narrow");
        discard(&layout);
    }
}

static void test_bits(void)
{
    bench_random random = { 9 };
    spmv_layout layout, narrow, plain;

    bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, x, COLS);
    set_equal();
    build(&narrow, &csr, false);
    ok(is_stored(&narrow, FULL, STRIP_DIAGONALS, true) &&
           is_stored(&narrow, HALVED, STRIP_DIAGONALS, false),
       "narrow values: the strips that have no room for wide padded ones are known");
    set_random();
    build_without_padding(&plain);
    build(&layout, &csr, false);
    multiply(&plain, x, expected);
    ok(has_expected_bits(&layout), "the bits are those without padding");
    update(&narrow, val);
    ok(has_expected_bits(&narrow), "and so they are after an update from narrow values");
    discard(&plain);
    discard(&layout);
    discard(&narrow);
}

int main(void)
{
    spmv_layout layout;

    for (i32 row = 0; row < ROWS; row++) {
        row_ptr[row + 1] = (row + 1) * LENGTH;
        set_row(row, FULL);
    }
    set_random();
    build(&layout, &csr, false);
    set_patterns(&layout);
    discard(&layout);
    test_storage();
    test_results();
    test_bits();
    return tap_done();
}
