/* test_x_traffic.c: the model of the lines of x that a multiplication moves, on matrices for which
 * the count is known.
 */
#include "bench/yardsticks/x_traffic.h"
#include "tests/tap.h"

enum { SIZE = 100000, KIB = 1024, LINE = 64 };

/* Makes SIZE rows of one entry, in column(row). */
static bench_matrix *matrix_of(int64_t (*column)(int64_t row), int64_t cols)
{
    bench_builder *builder = bench_builder_create(cols);
    bench_matrix *matrix;

    for (int64_t r = 0; r < SIZE; r++) {
        bench_builder_add(builder, column(r), 1);
        bench_builder_end_row(builder);
    }
    return bench_builder_finish(builder, &matrix) ? NULL : matrix;
}

static int64_t own_column(int64_t row)
{
    return row;
}

static int64_t first_column(int64_t row)
{
    return row & 0;
}

/* Columns far from each other: no line repeats within thousands of rows. */
static int64_t scattered_column(int64_t row)
{
    return row * 7919 * 8 % (SIZE * 8);
}

/* The same 100 lines again and again. */
static int64_t few_columns(int64_t row)
{
    return row % 100 * 8;
}

static void test_known(void)
{
    bench_matrix *diagonal = matrix_of(own_column, SIZE);
    bench_matrix *single = NULL;
    bench_matrix *narrow = matrix_of(first_column, SIZE);
    bench_matrix *wide = matrix_of(scattered_column, SIZE * 8);
    bench_matrix *few = matrix_of(few_columns, SIZE);

    ok(diagonal && narrow && wide && few &&
           !bench_matrix_convert(&diagonal->csr, 1, SPMV_I32, SPMV_F32, &single),
       "matrices made");
    ok(bench_x_traffic_bytes(&diagonal->csr, 1, 64 * KIB) == SIZE * 8,
       "diagonal: every line of x once");
    ok(bench_x_traffic_bytes(&single->csr, 1, 64 * KIB) == SIZE * 4,
       "diagonal, f32 and columns from 1: half as many");
    ok(bench_x_traffic_bytes(&diagonal->csr, 2, 64 * KIB) == SIZE * 8,
       "diagonal, two threads: as many");
    ok(bench_x_traffic_bytes(&diagonal->csr, 1, 64 * KIB * KIB) == 0,
       "diagonal: none of what fits the cache");
    ok(bench_x_traffic_bytes(&narrow->csr, 1, 64 * KIB) == 0, "one column: its line stays");
    ok(bench_x_traffic_bytes(&wide->csr, 1, 64 * KIB) == (int64_t)SIZE * LINE,
       "scattered columns: a line an entry");
    ok(bench_x_traffic_bytes(&few->csr, 1, 64 * KIB) == 0,
       "columns of 100 lines: they stay in 64 KiB");
    ok(bench_x_traffic_bytes(&few->csr, 1, 4 * KIB) == (int64_t)SIZE * LINE,
       "columns of 100 lines: none stays in 4 KiB");
    ok(bench_x_traffic_bytes(&few->csr, 3, 0) == (int64_t)SIZE * LINE,
       "without a cache: a line an entry");
    bench_matrix_destroy(diagonal);
    bench_matrix_destroy(single);
    bench_matrix_destroy(narrow);
    bench_matrix_destroy(wide);
    bench_matrix_destroy(few);
}

static void test_nothing(void)
{
    bench_builder *builder = bench_builder_create(5);
    bench_matrix *matrix = NULL;

    bench_builder_end_row(builder);
    ok(!bench_builder_finish(builder, &matrix) &&
           bench_x_traffic_bytes(&matrix->csr, 4, 64 * KIB) == 0,
       "no entries, no lines");
    bench_matrix_destroy(matrix);
}

int main(void)
{
    test_known();
    test_nothing();
    return tap_done();
}
