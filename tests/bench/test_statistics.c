/* test_statistics.c: statistics of matrices that are small enough to count by hand. */
#include <math.h>
#include <string.h>

#include "bench/matrices/statistics.h"
#include "tests/tap.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* Makes rows of `width` columns from the diagonal on; the last rows have fewer. */
static bench_matrix *band(int64_t size, int64_t width)
{
    bench_builder *builder = bench_builder_create(size);
    bench_matrix *matrix;

    for (int64_t r = 0; r < size; r++) {
        for (int64_t c = r; c < r + width && c < size; c++)
            bench_builder_add(builder, c, 1);
        bench_builder_end_row(builder);
    }
    return bench_builder_finish(builder, &matrix) ? NULL : matrix;
}

static void test_diagonal(void)
{
    bench_matrix *matrix = band(1000, 1);
    bench_statistics s;

    ok(matrix && !bench_statistics_compute(&matrix->csr, &s), "diagonal: taken");
    ok(s.quantile[0] == 1 && s.quantile[BENCH_QUANTILES - 1] == 1 && s.longest[0] == 1 &&
       is_near(s.repeated, 1) && is_near(s.empty, 0), "diagonal: all rows are 1");
    ok(is_near(s.run, 1) && is_near(s.distance, 0) && is_near(s.near, 1), "diagonal: on itself");
    ok(is_near(s.lines, 125.0 / 1000) && is_near(s.fresh, 1), "diagonal: every line once");
    ok(is_near(s.kept, 999.0 / 1000), "diagonal: right below the one before");
    ok(is_near(s.hubs, 10.0 / 1000), "diagonal: no column is fuller than another");
    bench_matrix_destroy(matrix);
}

static void test_band(void)
{
    bench_matrix *matrix = band(128, 3);
    bench_statistics s;

    ok(matrix && !bench_statistics_compute(&matrix->csr, &s), "band: taken");
    ok(s.nnz == 381 && s.quantile[0] == 1 && s.quantile[5] == 3 && s.longest[0] == 3 &&
       is_near(s.repeated, 125.0 / 127), "band: rows of 3, the last two shorter");
    ok(is_near(s.run, 381.0 / 128), "band: a run a row");
    ok(is_near(s.distance, (126.0 * 3 + 1) / 381 / 128), "band: 0, 1 and 2 columns away");
    /* 64 rows read 66 columns, which are 9 lines. The next 64 rows read 8 lines, one of them a
     * second time. */
    ok(is_near(s.lines, 17.0 / 381) && is_near(s.fresh, 16.0 / 17), "band: lines are shared");
    bench_matrix_destroy(matrix);
}

static void test_shuffled(void)
{
    static const int32_t order[] = { 9, 3, 4, 2, 8 };
    bench_builder *builder = bench_builder_create(16);
    bench_matrix *matrix = NULL;
    bench_statistics s;

    bench_builder_end_row(builder);
    for (int i = 0; i < 5; i++)
        bench_builder_add(builder, order[i], 1);
    bench_builder_end_row(builder);
    ok(!bench_builder_finish(builder, &matrix) && !bench_statistics_compute(&matrix->csr, &s) &&
       is_near(s.run, 2.5) && is_near(s.empty, 0.5), "columns count in any order");
    bench_matrix_destroy(matrix);
}

static void test_nothing(void)
{
    static const int64_t size[][2] = { { 0, 0 }, { 0, 5 }, { 5, 0 }, { 5, 5 } };

    for (int i = 0; i < 4; i++) {
        bench_builder *builder = bench_builder_create(size[i][1]);
        bench_matrix *matrix = NULL;
        bench_statistics s;
        for (int64_t r = 0; r < size[i][0]; r++)
            bench_builder_end_row(builder);
        ok(!bench_builder_finish(builder, &matrix) && !bench_statistics_compute(&matrix->csr, &s) &&
           is_near(s.empty, size[i][0] > 0) && is_near(s.run, 0) && is_near(s.fresh, 0),
           "%d x %d without entries: nothing is divided by", (int)size[i][0], (int)size[i][1]);
        bench_matrix_destroy(matrix);
    }
}

int main(void)
{
    test_diagonal();
    test_band();
    test_shuffled();
    test_nothing();
    return tap_done();
}
