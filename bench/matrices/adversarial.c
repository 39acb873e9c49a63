/* adversarial.c: the shapes on which SpMV kernels go wrong; see shapes.h.
 *
 * A tiled method breaks where nonzeros end exactly at, just before or just after a tile's end,
 * where a row crosses many tiles, and where empty rows stand beside such a place; so most shapes
 * here take the exact number of nonzeros as their size, and a test tries sizes around every tile
 * size.
 */
#include "bench/matrices/shapes.h"

#include "bench/matrices/random.h"

/* ---- pieces -------------------------------------------------------------------------------- */

typedef struct drawing {
    bench_builder *builder;
    bench_random random;
    int64_t cols;
} drawing;

static drawing draw_on(int64_t cols, uint64_t seed)
{
    return (drawing){ bench_builder_create(cols), { seed }, cols };
}

static void end_row(drawing *d)
{
    if (d->builder)
        bench_builder_end_row(d->builder);
}

static void add_at(drawing *d, int64_t col)
{
    if (d->builder)
        bench_builder_add(d->builder, col, 2 * bench_random_unit(&d->random) - 1);
}

/* A row of random columns, neither sorted nor all different. */
static void add_row(drawing *d, int64_t length)
{
    for (int64_t k = 0; k < length; k++)
        add_at(d, bench_random_below(&d->random, d->cols));
    end_row(d);
}

static void add_empty_rows(drawing *d, int64_t count)
{
    for (int64_t r = 0; r < count; r++)
        end_row(d);
}

/* Rows of at most `longest` entries, empty ones among them, `total` entries in all. */
static void add_short_rows(drawing *d, int64_t total, int64_t longest)
{
    while (total > 0) {
        int64_t length = bench_random_below(&d->random, longest + 1);
        if (length > total)
            length = total;
        add_row(d, length);
        total -= length;
    }
}

static spmv_status finish(drawing *d, bench_matrix **out)
{
    return bench_builder_finish(d->builder, out);
}

/* A number of columns that suits `size` entries: more than one vector, never more than 4096. */
static int64_t columns_for(int64_t size)
{
    return size < 64 ? 64 : size < 4096 ? size : 4096;
}

/* ---- nothing, or next to it ---------------------------------------------------------------- */

static spmv_status no_rows(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    return finish(&d, out);
}

static spmv_status no_columns(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(0, seed);
    add_empty_rows(&d, size);
    return finish(&d, out);
}

static spmv_status all_empty(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    add_empty_rows(&d, size);
    return finish(&d, out);
}

static spmv_status one_entry_first(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    add_row(&d, 1);
    add_empty_rows(&d, size - 1);
    return finish(&d, out);
}

static spmv_status one_entry_middle(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    add_empty_rows(&d, size / 2);
    add_row(&d, 1);
    add_empty_rows(&d, size - size / 2 - 1);
    return finish(&d, out);
}

static spmv_status one_entry_last(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    add_empty_rows(&d, size - 1);
    add_row(&d, 1);
    return finish(&d, out);
}

/* ---- one row ------------------------------------------------------------------------------- */

static spmv_status one_row(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_row(&d, size);
    return finish(&d, out);
}

static spmv_status one_row_of_many(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_empty_rows(&d, 37);
    add_row(&d, size);
    add_empty_rows(&d, 91);
    return finish(&d, out);
}

static spmv_status giant_first(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_row(&d, size);
    add_short_rows(&d, 97, 3);
    return finish(&d, out);
}

static spmv_status giant_middle(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_short_rows(&d, 53, 3);
    add_row(&d, size);
    add_short_rows(&d, 61, 3);
    return finish(&d, out);
}

static spmv_status giant_last(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_short_rows(&d, 71, 3);
    add_row(&d, size);
    return finish(&d, out);
}

/* ---- many rows, exactly `size` entries ----------------------------------------------------- */

static spmv_status ones(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t r = 0; r < size; r++)
        add_row(&d, 1);
    return finish(&d, out);
}

static spmv_status short_rows(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_short_rows(&d, size, 6);
    return finish(&d, out);
}

static spmv_status leading_empty(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_empty_rows(&d, size / 3 + 1);
    add_short_rows(&d, size, 7);
    return finish(&d, out);
}

static spmv_status inner_empty(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t left = size; left > 0;) {
        const int64_t length = left < 5 ? left : 5;
        add_row(&d, length);
        add_empty_rows(&d, 1 + bench_random_below(&d.random, 9));
        left -= length;
    }
    add_row(&d, 0);
    return finish(&d, out);
}

static spmv_status trailing_empty(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_short_rows(&d, size, 7);
    add_empty_rows(&d, size / 3 + 1);
    return finish(&d, out);
}

static spmv_status trailing_long_empty(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_row(&d, size);
    add_empty_rows(&d, 300);
    return finish(&d, out);
}

static spmv_status duplicates(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(3, seed);
    add_short_rows(&d, size, 40);
    return finish(&d, out);
}

static spmv_status unsorted(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t left = size; left > 0;) {
        const int64_t length = left < 33 ? left : 33;
        for (int64_t k = 0; k < length; k++)
            add_at(&d, (length - k) * (d.cols - 1) / length);
        end_row(&d);
        left -= length;
    }
    return finish(&d, out);
}

/* Ends tell nothing of what is between them. */
static spmv_status folded(int64_t size, uint64_t seed, bench_matrix **out)
{
    enum { COLS = 70000, LENGTH = 9 };           /* more columns than 16 bits reach */
    drawing d = draw_on(COLS, seed);

    for (int64_t left = size; left > 0; left -= LENGTH) {
        const int64_t first = bench_random_below(&d.random, 3);
        const int64_t length = left < LENGTH ? left : LENGTH;
        for (int64_t k = 0; k < length; k++)
            add_at(&d, k == 0 || k + 1 == length ? first : bench_random_below(&d.random, COLS));
        end_row(&d);
    }
    return finish(&d, out);
}

/* Diagonals that end at the right, where no vector of x fits any more. */
static spmv_status band(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);

    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = r; c < r + 6 && c < size; c++)
            add_at(&d, c);
        end_row(&d);
    }
    return finish(&d, out);
}

static spmv_status one_column(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(1, seed);
    for (int64_t r = 0; r < size; r++)
        add_row(&d, 1);
    return finish(&d, out);
}

static spmv_status skewed(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t left = size; left > 0;) {
        /* P(length > n) falls as 1/n, the heaviest tail that real graphs show. */
        int64_t length = (int64_t)(1 / (1 - bench_random_unit(&d.random))) - 1;
        if (length > left)
            length = left;
        add_row(&d, length);
        left -= length;
    }
    return finish(&d, out);
}

/* ---- rows of exactly `size` entries, or around it ------------------------------------------ */

static spmv_status equal_rows(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t r = 0; r < 7; r++)
        add_row(&d, size);
    return finish(&d, out);
}

static spmv_status comb(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t r = 0; r < 5; r++) {
        add_row(&d, size);
        add_row(&d, 0);
        add_row(&d, 1);
    }
    return finish(&d, out);
}

/* Empty rows exactly where tiles of `size` entries end. */
static spmv_status bordered(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_empty_rows(&d, 2);
    for (int64_t r = 0; r < 9; r++) {
        add_row(&d, size);
        add_empty_rows(&d, 1 + r % 3);
    }
    return finish(&d, out);
}

/* So many empty rows between two nonzeros that no count of a tile's rows fits 16 bits. */
static spmv_status gap(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    add_short_rows(&d, size, 4);
    add_empty_rows(&d, 100000);
    add_short_rows(&d, size, 4);
    return finish(&d, out);
}

/* Rows whose columns lie as far apart as 16 bits can say, and one further: 1200 entries of each. */
static spmv_status far_columns(int64_t size, uint64_t seed, bench_matrix **out)
{
    const int64_t cols = 140000, most = 65536;
    drawing d = draw_on(cols, seed);

    for (int64_t run = 0; run < 2 * size; run++) {
        const int64_t span = most - 1 + run % 2;
        const int64_t first = run * 7919 % (cols - span);

        for (int r = 0; r < 300 && d.builder; r++) {
            bench_builder_add(d.builder, first, 2 * bench_random_unit(&d.random) - 1);
            for (int k = 0; k < 2; k++)
                bench_builder_add(d.builder, first + bench_random_below(&d.random, span),
                                  2 * bench_random_unit(&d.random) - 1);
            bench_builder_add(d.builder, first + span, 2 * bench_random_unit(&d.random) - 1);
            bench_builder_end_row(d.builder);
        }
    }
    return finish(&d, out);
}

static spmv_status lengths_around(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t length = size > 2 ? size - 2 : 0; length <= size + 2; length++) {
        add_row(&d, length);
        add_row(&d, bench_random_below(&d.random, 3));
    }
    return finish(&d, out);
}

static spmv_status powers_of_two(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t length = 1; length <= size; length *= 2) {
        add_row(&d, length - 1);
        add_row(&d, length);
        add_row(&d, length + 1);
    }
    return finish(&d, out);
}

/* A row of about each length, so that slices of equal rows never fill. */
static spmv_status one_of_each(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t length = size; length > 0; length--)
        add_row(&d, length * 7919 % size + 1);
    return finish(&d, out);
}

/* Half as many rows of each length as of the one before, so that most leave a part of a slice. */
static spmv_status remainders(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t r = 0; r < size; r++) {
        int64_t length = 0;
        while (length < 9 && (r >> length) % 2)
            length++;
        add_row(&d, length);
    }
    return finish(&d, out);
}

/* Rows around a boundary between short and long ones, in no order. */
static spmv_status boundary_rows(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t r = 0; r < 75; r++) {
        const int64_t length = size - 2 + bench_random_below(&d.random, 5);
        add_row(&d, length > 0 ? length : 0);
    }
    return finish(&d, out);
}

static spmv_status staircase(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(columns_for(size), seed);
    for (int64_t length = 0; length <= size; length++)
        add_row(&d, length);
    return finish(&d, out);
}

/* ---- square, `size` rows ------------------------------------------------------------------- */

static spmv_status dense(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = 0; c < size; c++)
            add_at(&d, c);
        end_row(&d);
    }
    return finish(&d, out);
}

static spmv_status diagonal(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    for (int64_t r = 0; r < size; r++) {
        add_at(&d, r);
        end_row(&d);
    }
    return finish(&d, out);
}

static spmv_status arrow(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(size, seed);
    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = 0; r == 0 && c < size; c++)
            add_at(&d, c);
        if (r > 0) {
            add_at(&d, 0);
            add_at(&d, r);
        }
        end_row(&d);
    }
    return finish(&d, out);
}

static spmv_status last_column(int64_t size, uint64_t seed, bench_matrix **out)
{
    drawing d = draw_on(1000, seed);
    for (int64_t r = 0; r < size; r++) {
        add_at(&d, 999);
        end_row(&d);
    }
    return finish(&d, out);
}

static const bench_shape shapes[] = {
    { "no-rows", "0 x size", 7, 0, 20000, no_rows },
    { "no-columns", "size x 0", 7, 0, 20000, no_columns },
    { "all-empty", "size x size without an entry", 100, 0, 20000, all_empty },
    { "one-entry-first", "size rows, one entry in the first", 100, 1, 20000, one_entry_first },
    { "one-entry-middle", "size rows, one entry in the middle one", 100, 1, 20000,
      one_entry_middle },
    { "one-entry-last", "size rows, one entry in the last", 100, 1, 20000, one_entry_last },
    { "one-row", "a single row of size entries", 1000, 0, 20000, one_row },
    { "one-row-of-many", "a row of size entries between empty ones", 1000, 0, 20000,
      one_row_of_many },
    { "giant-first", "a row of size entries before short ones", 1000, 0, 20000, giant_first },
    { "giant-middle", "a row of size entries between short ones", 1000, 0, 20000, giant_middle },
    { "giant-last", "a row of size entries after short ones", 1000, 0, 20000, giant_last },
    { "ones", "size rows of one entry", 1000, 0, 20000, ones },
    { "short-rows", "rows of 0 to 6, size entries in all", 1000, 0, 20000, short_rows },
    { "leading-empty", "empty rows, then size entries", 1000, 0, 20000, leading_empty },
    { "inner-empty", "size entries with runs of empty rows between", 1000, 0, 20000, inner_empty },
    { "trailing-empty", "size entries, then empty rows", 1000, 0, 20000, trailing_empty },
    { "trailing-long-empty", "one row of size entries, then 300 empty rows", 1000, 0, 20000,
      trailing_long_empty },
    { "duplicates", "size entries in 3 columns", 1000, 0, 20000, duplicates },
    { "unsorted", "rows of 33 with falling columns, size entries in all", 1000, 0, 20000,
      unsorted },
    { "folded", "rows of 9, the first and the last in one column and the others anywhere, size entries in all",
      1000, 0, 20000, folded },
    { "band", "size rows of up to 6 entries from the diagonal on", 1000, 1, 5000, band },
    { "one-column", "size x 1", 1000, 0, 20000, one_column },
    { "skewed", "power-law rows, size entries in all", 1000, 0, 20000, skewed },
    { "equal-rows", "7 rows of size entries", 100, 0, 4200, equal_rows },
    { "comb", "rows of size, 0 and 1 entries in turn", 100, 0, 4200, comb },
    { "bordered", "rows of size entries, one to three empty rows behind each", 100, 0, 4200,
      bordered },
    { "gap", "size entries, 100000 empty rows, size entries", 100, 0, 2, gap },
    { "lengths-around", "rows of size - 2 to size + 2 entries between short ones", 100, 0, 4200,
      lengths_around },
    { "powers-of-two", "rows of 2^k - 1, 2^k, 2^k + 1 entries up to size", 256, 1, 4096,
      powers_of_two },
    { "one-of-each", "size rows, of 1 to size entries, in no order", 300, 1, 300, one_of_each },
    { "remainders", "size rows, half as many of each length as of the one before", 1000, 0, 20000,
      remainders },
    { "boundary-rows", "75 rows of size - 2 to size + 2 entries, in no order", 128, 0, 520,
      boundary_rows },
    { "staircase", "rows of 0, 1, ... size entries", 70, 0, 200, staircase },
    { "dense", "size x size, all entries", 40, 0, 150, dense },
    { "diagonal", "size x size", 1000, 0, 20000, diagonal },
    { "arrow", "size x size: first row, first column and diagonal", 300, 0, 20000, arrow },
    { "last-column", "size rows, one entry each in the last of 1000 columns", 300, 0, 20000,
      last_column },
    { "far-columns", "600 x size rows; the last column is 65535 or 65536 behind the first", 1, 0, 2,
      far_columns },
};

const bench_shape *bench_adversarial_shapes(size_t *count)
{
    *count = sizeof shapes / sizeof shapes[0];
    return shapes;
}
