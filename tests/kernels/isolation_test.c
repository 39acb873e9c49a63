/* isolation_test.c: tests that an Inf, a NaN or a very large magnitude in one row or in one entry
 * of x changes only the rows that use it. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "symmetrising.h"

static bool build_and_execute(suite *s, property p, const test_input *input, const spmv_csr *csr,
                              const void *x, void *y)
{
    return suite_build(s, p, csr, GUARD_AT_END, BARE_WHOLE, input->name) &&
           suite_accept(s, p, bare_execute(s->bare, 1, x, 0, NULL, BARE_WHOLE, y), input->name);
}

/* Rows that do not use the planted value have the bits of the undisturbed result; all other rows
 * are not finite. */
static void compare_rows(suite *s, const test_input *input, const char *what, const bool *disturbed,
                         const void *calm, const void *y)
{
    const spmv_csr *csr = &input->matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);

    for (int64_t r = 0; r < csr->rows; r++) {
        const double found = bench_value(csr->value_type, y, r);
        const bool good = disturbed[r] ? !isfinite(found)
            : memcmp((const char *)calm + (size_t)r * bytes, (const char *)y + (size_t)r * bytes,
                     bytes) == 0;
        if (!suite_check(s, F_ONE_INF, good, "%s, %s: row %lld is %g, expected %s %g", input->name,
                         what, (long long)r, found,
                         disturbed[r] ? "no finite number instead of" : "as before",
                         bench_value(csr->value_type, calm, r)))
            return;
    }
}

/* Marks the rows that use column `col` (from 0), or the rows that hold entries k and twin. */
static void mark_rows(const spmv_csr *csr, int64_t k, int64_t twin, int64_t col, bool *disturbed)
{
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t begin = bench_csr_offset(csr, r), end = bench_csr_offset(csr, r + 1);
        disturbed[r] = (k >= begin && k < end) || (twin >= begin && twin < end);
        for (int64_t i = begin; i < end && col >= 0; i++)
            disturbed[r] = disturbed[r] || csr->col_idx[i] - csr->base == col;
    }
}

static void disturb(suite *s, const test_input *input, uint64_t seed)
{
    static const double intruders[] = { INFINITY, -INFINITY, NAN };
    const spmv_csr *csr = &input->matrix->csr;
    const size_t val_bytes = (size_t)csr->nnz * bench_value_bytes(csr->value_type);
    const size_t x_bytes = (size_t)csr->cols * bench_value_bytes(csr->value_type);
    void *calm = malloc(input->y_bytes + 1), *val = malloc(val_bytes + 1), *x = malloc(x_bytes + 1);
    bool *disturbed = calloc((size_t)csr->rows + 1, sizeof *disturbed);
    bench_random random = { seed };
    spmv_csr changed = *csr;
    bool good = calm && val && x && disturbed && csr->nnz > 0 &&
                build_and_execute(s, F_ONE_INF, input, csr, input->x, calm);

    changed.val = val;
    for (int i = 0; i < 9 && good; i++) {
        /* The first entry, the last and some between. */
        const int64_t k = i == 0 ? 0
                        : i == 1 ? csr->nnz - 1 : bench_random_below(&random, csr->nnz);
        const int64_t twin = test_mirror(s->module, csr, k);
        memcpy(val, csr->val, val_bytes);
        test_set_value(csr->value_type, val, k, intruders[i % 3]);
        test_set_value(csr->value_type, val, twin, intruders[i % 3]);
        mark_rows(csr, k, twin, -1, disturbed);
        good = build_and_execute(s, F_ONE_INF, input, &changed, input->x, input->y);
        if (good)
            compare_rows(s, input, "one entry of A", disturbed, calm, input->y);

        const int64_t col = csr->col_idx[k] - csr->base;
        memcpy(x, input->x, x_bytes);
        test_set_value(csr->value_type, x, col, intruders[i % 3]);
        mark_rows(csr, -1, -1, col, disturbed);
        good = good && build_and_execute(s, F_ONE_INF, input, csr, x, input->y);
        if (good)
            compare_rows(s, input, "one entry of x", disturbed, calm, input->y);
    }
    free(calm);
    free(val);
    free(x);
    free(disturbed);
}

static void test_one_inf(suite *s)
{
    static const char *const shapes[] = { "short-rows", "ones", "giant-middle", "skewed",
                                          "lengths-around", "inner-empty" };
    enum { SIZES = 10, ROOM = 260 };
    int64_t boundary[ROOM];
    const size_t boundaries = test_boundary_sizes(s->module, 3000, boundary, ROOM);
    int64_t size[SIZES + 2] = { 37, 1000 };
    size_t count = 2;
    /* At lesser efforts, and with a setting, each shape takes a share of the sizes. */
    const bool is_thorough = s->effort == EFFORT_FULL || s->effort == EFFORT_REDUCED;
    const size_t stride = s->settings[0] ? 4 : is_thorough ? 1 : 2;

    /* Some of the boundary sizes, small and large. */
    for (size_t i = 0; i < SIZES && i < boundaries; i++)
        size[count++] = boundary[i * boundaries / SIZES];
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (size_t k = 0; k < count; k++) {
            const test_case one = { bench_shape_find(shapes[i]), size[k], 100 * i + k };
            test_input input;
            if ((i + k) % stride != 0 || size[k] > one.shape->quick ||
                !test_input_create(s->module, &one, (int32_t)(k % 2), BENCH_UNIFORM, &input))
                continue;
            snprintf(s->label, sizeof s->label, "isolation: %s", input.name);
            disturb(s, &input, one.seed);
            test_input_destroy(&input);
        }
}

/* Rows of large values between rows of small ones: an error relative to the large values would be
 * as large as the small rows' results. */
static void test_prefix(suite *s)
{
    static const char *const shapes[] = { "short-rows", "ones", "skewed", "lengths-around",
                                          "diagonal" };
    const bool single = s->module->value_type == SPMV_F32;

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const test_case one = { bench_shape_find(shapes[i]), 1000, i + 1 };
        test_input input;
        if (!test_input_create(s->module, &one, 0, BENCH_UNIFORM, &input)) {
            suite_check(s, F_PREFIX, false, "the test itself has no memory");
            continue;
        }
        const spmv_csr *csr = &input.matrix->csr;
        for (int64_t r = 0; r < csr->rows; r++)
            for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++)
                test_set_value(csr->value_type, input.matrix->val, k,
                               ldexp(bench_csr_value(csr, k), r % 3 ? (single ? -30 : -200)
                                                                    : (single ? 30 : 200)));
        test_mirror_values(s->module, csr, input.matrix->val);
        if (test_input_update_reference(&input) &&
            build_and_execute(s, F_PREFIX, &input, csr, input.x, input.y))
            suite_check_result(s, F_PREFIX, &input, 1, 0, NULL, input.y, false);
        test_input_destroy(&input);
    }
}

/* Unused columns hold Inf or NaN. They include the first and the last column, since padding usually
 * points to one of these two. */
static void test_padding(suite *s)
{
    static const double intruders[] = { INFINITY, NAN };
    enum { COLS = 500, ROWS = 300 };

    if (s->module->ops->symmetric) {
        s->skipped[F_PADDING] = "a symmetric matrix of these rows has no unused column";
        return;
    }
    for (int i = 0; i < 4; i++) {
        bench_random random = { (uint64_t)i + 5 };
        bench_builder *builder = bench_builder_create(COLS);
        bench_matrix *master = NULL;
        test_input input = { .name = "rows of 0 to 39 in columns 100 to 399" };
        for (int r = 0; r < ROWS && builder; r++) {
            for (int64_t k = bench_random_below(&random, r % 40 + 1); k > 0; k--)
                bench_builder_add(builder, 100 + bench_random_below(&random, COLS - 200),
                                  (double)(1 + bench_random_below(&random, 4)));
            bench_builder_end_row(builder);
        }
        bool good = !bench_builder_finish(builder, &master) &&
                    !bench_matrix_convert(&master->csr, i % 2, s->module->offset_type,
                                          s->module->value_type, &input.matrix);
        input.x = malloc(COLS * sizeof(double));
        input.y = malloc(ROWS * sizeof(double));
        good = good && input.x && input.y;
        if (good) {
            test_fill(s->module->value_type, input.x, COLS, intruders[i / 2]);
            for (int64_t c = 100; c < COLS - 100; c++)
                test_set_value(s->module->value_type, input.x, c, (double)(c % 7 - 3));
            good = test_input_update_reference(&input) &&
                   build_and_execute(s, F_PADDING, &input, &input.matrix->csr, input.x, input.y);
        }
        if (good)
            suite_check_result(s, F_PADDING, &input, 1, 0, NULL, input.y, true);
        bench_matrix_destroy(master);
        test_input_destroy(&input);
    }
}

void test_isolation(suite *s)
{
    test_padding(s);
    if (s->benchmark_only) {
        s->skipped[F_ONE_INF] = s->skipped[F_PREFIX] = "a variant for benchmarks gives this up";
        return;
    }
    test_one_inf(s);
    test_prefix(s);
}
