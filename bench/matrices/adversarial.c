/* adversarial.c: the shapes on which SpMV kernels go wrong; see shapes.h.
 *
 * A tiled method breaks where nonzeros end at, just before or just after the end of a tile, where a
 * row crosses many tiles, and where empty rows are next to such a place. So the size of most shapes
 * is their exact number of nonzeros, and tests use sizes around every tile size.
 */
#include "bench/matrices/shapes.h"

#include "bench/matrices/drawing.h"

/* Values of row_rule.columns: `size` columns, or a number that suits `size` entries. */
enum { SIZE_COLUMNS = -1, SOME_COLUMNS = -2 };

static int64_t columns_for(int64_t columns, int64_t size)
{
    if (columns != SOME_COLUMNS)
        return columns == SIZE_COLUMNS ? size : columns;
    /* More than one vector of x, but few enough for columns to repeat. */
    return size < 64 ? 64 : size < 4096 ? size : 4096;
}

typedef struct row_rule {
    int64_t columns;             /* or SIZE_COLUMNS or SOME_COLUMNS */
    void (*add_rows)(bench_drawing *d, int64_t size);
} row_rule;

static spmv_status build(const void *parameters, int64_t size, uint64_t seed, bench_matrix **out)
{
    const row_rule *rule = parameters;
    const int64_t cols = columns_for(rule->columns, size);
    bench_drawing d = { bench_builder_create(cols), { seed }, cols };

    rule->add_rows(&d, size);
    return bench_builder_finish(d.builder, out);
}

/* ---- no entry, or one ---------------------------------------------------------------------- */

static void no_rows(bench_drawing *d, int64_t size)
{
    (void)d, (void)size;
}

static void no_columns(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, size);
}

static void all_empty(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, size);
}

static void one_entry_first(bench_drawing *d, int64_t size)
{
    bench_draw_row(d, 1);
    bench_draw_empty_rows(d, size - 1);
}

static void one_entry_middle(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, size / 2);
    bench_draw_row(d, 1);
    bench_draw_empty_rows(d, size - size / 2 - 1);
}

static void one_entry_last(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, size - 1);
    bench_draw_row(d, 1);
}

/* ---- one row ------------------------------------------------------------------------------- */

static void one_row(bench_drawing *d, int64_t size)
{
    bench_draw_row(d, size);
}

static void one_row_of_many(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, 37);
    bench_draw_row(d, size);
    bench_draw_empty_rows(d, 91);
}

static void giant_first(bench_drawing *d, int64_t size)
{
    bench_draw_row(d, size);
    bench_draw_short_rows(d, 97, 3);
}

static void giant_middle(bench_drawing *d, int64_t size)
{
    bench_draw_short_rows(d, 53, 3);
    bench_draw_row(d, size);
    bench_draw_short_rows(d, 61, 3);
}

static void giant_last(bench_drawing *d, int64_t size)
{
    bench_draw_short_rows(d, 71, 3);
    bench_draw_row(d, size);
}

/* ---- many rows, exactly `size` entries ----------------------------------------------------- */

static void ones(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++)
        bench_draw_row(d, 1);
}

static void short_rows(bench_drawing *d, int64_t size)
{
    bench_draw_short_rows(d, size, 6);
}

static void leading_empty(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, size / 3 + 1);
    bench_draw_short_rows(d, size, 7);
}

static void inner_empty(bench_drawing *d, int64_t size)
{
    for (int64_t left = size; left > 0;) {
        const int64_t length = left < 5 ? left : 5;
        bench_draw_row(d, length);
        bench_draw_empty_rows(d, 1 + bench_random_below(&d->random, 9));
        left -= length;
    
}
    bench_draw_row(d, 0);
}

static void trailing_empty(bench_drawing *d, int64_t size)
{
    bench_draw_short_rows(d, size, 7);
    bench_draw_empty_rows(d, size / 3 + 1);
}

static void trailing_long_empty(bench_drawing *d, int64_t size)
{
    bench_draw_row(d, size);
    bench_draw_empty_rows(d, 300);
}

static void duplicates(bench_drawing *d, int64_t size)
{
    bench_draw_short_rows(d, size, 40);
}

static void unsorted(bench_drawing *d, int64_t size)
{
    for (int64_t left = size; left > 0;) {
        const int64_t length = left < 33 ? left : 33;
        for (int64_t k = 0; k < length; k++)
            bench_draw_entry(d, (length - k) * (d->cols - 1) / length);
        bench_draw_end(d);
        left -= length;
    }
}

/* The first and the last column of a row do not bound the columns between; 70000 exceeds 16
 * bits. */
static void folded(bench_drawing *d, int64_t size)
{
    enum { LENGTH = 9 };

    for (int64_t left = size; left > 0; left -= LENGTH) {
        const int64_t first = bench_random_below(&d->random, 3);
        const int64_t length = left < LENGTH ? left : LENGTH;
        for (int64_t k = 0; k < length; k++)
            bench_draw_entry(d, k == 0 || k + 1 == length
                                    ? first : bench_random_below(&d->random, d->cols));
        bench_draw_end(d);
    }
}

/* Diagonals that end at the last column, where a whole vector of x no longer fits. */
static void band(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = r; c < r + 6 && c < size; c++)
            bench_draw_entry(d, c);
        bench_draw_end(d);
    }
}

static void one_column(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++)
        bench_draw_row(d, 1);
}

static void skewed(bench_drawing *d, int64_t size)
{
    for (int64_t left = size; left > 0;) {
        /* P(length > n) = 1/n, the heaviest tail of real graphs. */
        int64_t length = (int64_t)(1 / (1 - bench_random_unit(&d->random))) - 1;
        if (length > left)
            length = left;
        bench_draw_row(d, length);
        left -= length;
    }
}

/* ---- rows of exactly `size` entries, or around it ------------------------------------------ */

static void equal_rows(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < 7; r++)
        bench_draw_row(d, size);
}

static void comb(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < 5; r++) {
        bench_draw_row(d, size);
        bench_draw_row(d, 0);
        bench_draw_row(d, 1);
    }
}

/* Empty rows exactly where tiles of `size` entries end. */
static void bordered(bench_drawing *d, int64_t size)
{
    bench_draw_empty_rows(d, 2);
    for (int64_t r = 0; r < 9; r++) {
        bench_draw_row(d, size);
        bench_draw_empty_rows(d, 1 + r % 3);
    }
}

/* More empty rows between two nonzeros than a 16-bit count of a tile's rows can hold. */
static void gap(bench_drawing *d, int64_t size)
{
    bench_draw_short_rows(d, size, 4);
    bench_draw_empty_rows(d, 100000);
    bench_draw_short_rows(d, size, 4);
}

/* Rows that span 65535 columns, the most for 16 bits, and rows that span one more. */
static void far_columns(bench_drawing *d, int64_t size)
{
    for (int64_t run = 0; run < 2 * size; run++) {
        const int64_t span = 65535 + run % 2;
        const int64_t first = run * 7919 % (d->cols - span);

        for (int r = 0; r < 300; r++) {
            bench_draw_entry(d, first);
            for (int k = 0; k < 2; k++) {
                const double value = bench_draw_number(d);
                bench_draw_value(d, first + bench_random_below(&d->random, span), value);
            }
            bench_draw_entry(d, first + span);
            bench_draw_end(d);
        }
    }
}

static void lengths_around(bench_drawing *d, int64_t size)
{
    for (int64_t length = size > 2 ? size - 2 : 0; length <= size + 2; length++) {
        bench_draw_row(d, length);
        bench_draw_row(d, bench_random_below(&d->random, 3));
    }
}

static void powers_of_two(bench_drawing *d, int64_t size)
{
    for (int64_t length = 1; length <= size; length *= 2) {
        bench_draw_row(d, length - 1);
        bench_draw_row(d, length);
        bench_draw_row(d, length + 1);
    }
}

/* About one row of each length, so that no slice of equal rows is full. */
static void one_of_each(bench_drawing *d, int64_t size)
{
    for (int64_t length = size; length > 0; length--)
        bench_draw_row(d, length * 7919 % size + 1);
}

/* Half as many rows of each length as of the length before, so most lengths leave a partial
 * slice. */
static void remainders(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        int64_t length = 0;
        while (length < 9 && (r >> length) % 2)
            length++;
        bench_draw_row(d, length);
    }
}

/* Lengths around a boundary between short and long rows, in random order. */
static void boundary_rows(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < 75; r++) {
        const int64_t length = size - 2 + bench_random_below(&d->random, 5);
        bench_draw_row(d, length > 0 ? length : 0);
    }
}

static void staircase(bench_drawing *d, int64_t size)
{
    for (int64_t length = 0; length <= size; length++)
        bench_draw_row(d, length);
}

/* ---- square, `size` rows ------------------------------------------------------------------- */

static void dense(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = 0; c < size; c++)
            bench_draw_entry(d, c);
        bench_draw_end(d);
    }
}

static void diagonal(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        bench_draw_entry(d, r);
        bench_draw_end(d);
    }
}

static void arrow(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = 0; r == 0 && c < size; c++)
            bench_draw_entry(d, c);
        if (r > 0) {
            bench_draw_entry(d, 0);
            bench_draw_entry(d, r);
        }
        bench_draw_end(d);
    }
}

static void last_column(bench_drawing *d, int64_t size)
{
    for (int64_t r = 0; r < size; r++) {
        bench_draw_entry(d, 999);
        bench_draw_end(d);
    }
}

/* The columns, and the function that adds the rows. */
#define ROWS(columns, add_rows) build, &(const row_rule){ columns, add_rows }

static const bench_shape shapes[] = {
    { "no-rows", "0 x size", 7, 0, 20000, ROWS(SIZE_COLUMNS, no_rows) },
    { "no-columns", "size x 0", 7, 0, 20000, ROWS(0, no_columns) },
    { "all-empty", "size x size without an entry", 100, 0, 20000, ROWS(SIZE_COLUMNS, all_empty) },
    { "one-entry-first", "size rows, one entry in the first", 100, 1, 20000,
      ROWS(SIZE_COLUMNS, one_entry_first) },
    { "one-entry-middle", "size rows, one entry in the middle one", 100, 1, 20000,
      ROWS(SIZE_COLUMNS, one_entry_middle) },
    { "one-entry-last", "size rows, one entry in the last", 100, 1, 20000,
      ROWS(SIZE_COLUMNS, one_entry_last) },
    { "one-row", "a single row of size entries", 1000, 0, 20000, ROWS(SOME_COLUMNS, one_row) },
    { "one-row-of-many", "a row of size entries between empty ones", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, one_row_of_many) },
    { "giant-first", "a row of size entries before short ones", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, giant_first) },
    { "giant-middle", "a row of size entries between short ones", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, giant_middle) },
    { "giant-last", "a row of size entries after short ones", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, giant_last) },
    { "ones", "size rows of one entry", 1000, 0, 20000, ROWS(SOME_COLUMNS, ones) },
    { "short-rows", "rows of 0 to 6, size entries in all", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, short_rows) },
    { "leading-empty", "empty rows, then size entries", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, leading_empty) },
    { "inner-empty", "size entries with runs of empty rows between", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, inner_empty) },
    { "trailing-empty", "size entries, then empty rows", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, trailing_empty) },
    { "trailing-long-empty", "one row of size entries, then 300 empty rows", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, trailing_long_empty) },
    { "duplicates", "size entries in 3 columns", 1000, 0, 20000, ROWS(3, duplicates) },
    { "unsorted", "rows of 33 with falling columns, size entries in all", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, unsorted) },
    { "folded", "rows of 9, the first and the last in one column and the others anywhere, "
      "size entries in all", 1000, 0, 20000, ROWS(70000, folded) },
    { "band", "size rows of up to 6 entries from the diagonal on", 1000, 1, 5000,
      ROWS(SIZE_COLUMNS, band) },
    { "one-column", "size x 1", 1000, 0, 20000, ROWS(1, one_column) },
    { "skewed", "power-law rows, size entries in all", 1000, 0, 20000, ROWS(SOME_COLUMNS, skewed) },
    { "equal-rows", "7 rows of size entries", 100, 0, 4200, ROWS(SOME_COLUMNS, equal_rows) },
    { "comb", "rows of size, 0 and 1 entries in turn", 100, 0, 4200, ROWS(SOME_COLUMNS, comb) },
    { "bordered", "rows of size entries, one to three empty rows behind each", 100, 0, 4200,
      ROWS(SOME_COLUMNS, bordered) },
    { "gap", "size entries, 100000 empty rows, size entries", 100, 0, 2, ROWS(SOME_COLUMNS, gap) },
    { "lengths-around", "rows of size - 2 to size + 2 entries between short ones", 100, 0, 4200,
      ROWS(SOME_COLUMNS, lengths_around) },
    { "powers-of-two", "rows of 2^k - 1, 2^k, 2^k + 1 entries up to size", 256, 1, 4096,
      ROWS(SOME_COLUMNS, powers_of_two) },
    { "one-of-each", "size rows, of 1 to size entries, in no order", 300, 1, 300,
      ROWS(SOME_COLUMNS, one_of_each) },
    { "remainders", "size rows, half as many of each length as of the one before", 1000, 0, 20000,
      ROWS(SOME_COLUMNS, remainders) },
    { "boundary-rows", "75 rows of size - 2 to size + 2 entries, in no order", 128, 0, 520,
      ROWS(SOME_COLUMNS, boundary_rows) },
    { "staircase", "rows of 0, 1, ... size entries", 70, 0, 200, ROWS(SOME_COLUMNS, staircase) },
    { "dense", "size x size, all entries", 40, 0, 150, ROWS(SIZE_COLUMNS, dense) },
    { "diagonal", "size x size", 1000, 0, 20000, ROWS(SIZE_COLUMNS, diagonal) },
    { "arrow", "size x size: first row, first column and diagonal", 300, 0, 20000,
      ROWS(SIZE_COLUMNS, arrow) },
    { "last-column", "size rows, one entry each in the last of 1000 columns", 300, 0, 20000,
      ROWS(1000, last_column) },
    { "far-columns", "600 x size rows; the last column is 65535 or 65536 behind the first", 1, 0, 2,
      ROWS(140000, far_columns) },
};

const bench_shape *bench_adversarial_shapes(size_t *count)
{
    *count = sizeof shapes / sizeof shapes[0];
    return shapes;
}
