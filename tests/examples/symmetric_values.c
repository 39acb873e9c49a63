/* symmetric_values.c: a TAP program for the module of examples/symmetric, a shared object that is
 * its argument: which rows a NaN or an Inf in x reaches, and values that lose their symmetry. */
#include "runtime/spmv.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/tap.h"

/* A grid of SIDE^3 points with 27 neighbours. */
enum { SIDE = 13, ROWS = SIDE * SIDE * SIDE, MOST = 27 * ROWS };

static int32_t row_ptr[ROWS + 1], col_idx[MOST];
static double val[MOST], x[ROWS], y[ROWS], before[ROWS];

static bool is_inside(int i)
{
    return i >= 0 && i < SIDE;
}

/* Values are whole numbers, so that sums are exact. */
static void build(void)
{
    int32_t nnz = 0;

    for (int row = 0; row < ROWS; row++) {
        for (int n = 0; n < 27; n++) {
            const int i = row % SIDE + n % 3 - 1, j = row / SIDE % SIDE + n / 3 % 3 - 1;
            const int k = row / SIDE / SIDE + n / 9 - 1, col = i + SIDE * (j + SIDE * k);
            if (!is_inside(i) || !is_inside(j) || !is_inside(k))
                continue;
            col_idx[nnz] = col;
            val[nnz++] = 1 + (row + col) % 11 - (row * col) % 3;
        }
        row_ptr[row + 1] = nnz;
    }
    for (int row = 0; row < ROWS; row++)
        x[row] = row % 17 - 8;
}

static double sum(int row)
{
    double s = 0;

    for (int32_t k = row_ptr[row]; k < row_ptr[row + 1]; k++)
        s += val[k] * x[col_idx[k]];
    return s;
}

static int wrong_sums(const spmv_plan *plan)
{
    int wrong = 0;

    if (spmv_execute(plan, 1, x, 0, y, NULL) != SPMV_OK)
        return ROWS;
    for (int row = 0; row < ROWS; row++)
        wrong += y[row] != sum(row);
    return wrong;
}

/* Rows that a value which is not finite reaches without an entry in its column, or misses. */
static int wrong_reach(const spmv_plan *plan, int col, double value)
{
    const double kept = x[col];
    int wrong = 0;

    x[col] = value;
    if (spmv_execute(plan, 1, x, 0, y, NULL) != SPMV_OK)
        wrong++;
    x[col] = kept;
    for (int row = 0; row < ROWS; row++) {
        bool has = false;
        for (int32_t k = row_ptr[row]; k < row_ptr[row + 1]; k++)
            has |= col_idx[k] == col;
        wrong += has == (bool)isfinite(y[row]);
    }
    return wrong;
}

static void test_plan(spmv_plan *plan)
{
    spmv_error err;
    int wrong = 0;

    ok(wrong_sums(plan) == 0, "sums are exact");
    memcpy(before, y, sizeof y);
    for (int col = 0; col < ROWS; col += 7)
        wrong += wrong_reach(plan, col, col % 2 ? NAN : INFINITY);
    ok(wrong == 0, "a NaN or Inf in x reaches the rows with an entry in its column: %d others",
       wrong);
    val[1] += 5;
    ok(spmv_plan_update_values(plan, val, &err) == SPMV_OK && wrong_sums(plan) == 0,
       "values that are no longer symmetric are multiplied");
    val[1] -= 5;
    ok(spmv_plan_update_values(plan, val, &err) == SPMV_OK && wrong_sums(plan) == 0 &&
           memcmp(before, y, sizeof y) == 0,
       "values that are symmetric again give the first bits");
}

int main(int argc, char **argv)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "symmetric"};
    spmv_csr a = {.rows = ROWS, .cols = ROWS, .row_ptr = row_ptr, .col_idx = col_idx, .val = val,
                  .offset_type = SPMV_I32, .value_type = SPMV_F64};
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    build();
    a.nnz = row_ptr[ROWS];
    const bool made = argc == 2 && spmv_device_open(NULL, &device, &err) == SPMV_OK &&
                      spmv_device_load_modules(device, argv[1], &err) == SPMV_OK &&
                      spmv_plan_create(device, &a, &options, &plan, &err) == SPMV_OK;
    ok(made, "a plan is made %s", err.text);
    if (made)
        test_plan(plan);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    return tap_done();
}
