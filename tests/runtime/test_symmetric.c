/* test_symmetric.c: plans with options.symmetric, of both triangles or of one, with every module of
 * the CPU: their products, values, matrix and files, what is refused, and the choice of method
 * `symmetric`. */
#define _XOPEN_SOURCE 700
#include "folder.h"

#include "runtime/spmv.h"

#include "../tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A grid of SIDE^3 points with 27 neighbours, most of them. */
enum { SIDE = 10, ROWS = SIDE * SIDE * SIDE, MOST = 27 * ROWS };

typedef struct grid {
    spmv_csr csr;
    int64_t row_ptr[ROWS + 1];   /* of 32 bits, if the csr says so */
    int32_t col_idx[MOST];
    double val[MOST];            /* likewise; whole numbers, so that sums are exact */
} grid;

static grid full, given, back;   /* the whole matrix, its triangle, and what a plan restores */
static double x[ROWS], y[ROWS];
static spmv_device *device;

/* ---- matrices -------------------------------------------------------------------------------- */

static void set_offset(grid *g, int64_t row, int64_t offset)
{
    if (g->csr.offset_type == SPMV_I32)
        ((int32_t *)g->row_ptr)[row] = (int32_t)offset;
    else
        g->row_ptr[row] = offset;
}

static void set_value(const spmv_csr *csr, void *values, int64_t k, double value)
{
    if (csr->value_type == SPMV_F32)
        ((float *)values)[k] = (float)value;
    else
        ((double *)values)[k] = value;
}

static double get_value(const spmv_csr *csr, const void *values, int64_t k)
{
    return csr->value_type == SPMV_F32 ? ((const float *)values)[k] : ((const double *)values)[k];
}

static int is_inside(int i)
{
    return i >= 0 && i < SIDE;
}

/* The column of neighbour n of a row; -1: outside of the grid, or a hole. */
static int neighbour(int row, int n)
{
    const int i = row % SIDE + n % 3 - 1, j = row / SIDE % SIDE + n / 3 % 3 - 1;
    const int k = row / SIDE / SIDE + n / 9 - 1, col = i + SIDE * (j + SIDE * k);

    return is_inside(i) && is_inside(j) && is_inside(k) && (row + col) % 17 != 16 ? col : -1;
}

static double value_of(int row, int col, int turn)
{
    return 1 + (row + col + turn) % 11 - row * col % 3;
}

static int is_wanted(int32_t symmetric, int row, int col)
{
    return col >= 0 && (symmetric == SPMV_SYMMETRIC_LOWER   ? col <= row
                        : symmetric == SPMV_SYMMETRIC_UPPER ? col >= row
                                                            : 1);
}

/* turn: selects the values. */
static void build(grid *g, int32_t symmetric, int32_t base, spmv_value_type value_type,
                  spmv_offset_type offset_type, int turn)
{
    int64_t nnz = 0;

    g->csr = (spmv_csr){.rows = ROWS, .cols = ROWS, .row_ptr = g->row_ptr, .col_idx = g->col_idx,
                        .val = g->val, .base = base, .offset_type = offset_type,
                        .value_type = value_type};
    for (int row = 0; row < ROWS; row++) {
        set_offset(g, row, nnz + base);
        for (int n = 0; n < 27; n++) {
            const int col = neighbour(row, n);

            if (!is_wanted(symmetric, row, col))
                continue;
            g->col_idx[nnz] = col + base;
            set_value(&g->csr, g->val, nnz++, value_of(row, col, turn));
        }
    }
    set_offset(g, ROWS, nnz + base);
    g->csr.nnz = nnz;
}

/* ---- products -------------------------------------------------------------------------------- */

static double expected(int row, int turn)
{
    double sum = 0;

    for (int n = 0; n < 27; n++)
        if (neighbour(row, n) >= 0)
            sum += value_of(row, neighbour(row, n), turn) * (neighbour(row, n) % 7 - 3);
    return sum;
}

static int multiplies(const spmv_plan *plan, int turn)
{
    int right = 1;

    for (int row = 0; row < ROWS; row++) {
        set_value(&full.csr, x, row, row % 7 - 3);
        set_value(&full.csr, y, row, row % 5);
    }
    if (plan == NULL || spmv_execute(plan, 2, x, -1, y, NULL) != SPMV_OK)
        return 0;
    for (int row = 0; row < ROWS; row++)
        right &= get_value(&full.csr, y, row) == 2 * expected(row, turn) - row % 5;
    return right;
}

static size_t offset_bytes(const grid *g)
{
    return g->csr.offset_type == SPMV_I32 ? 4 : 8;
}

static size_t value_bytes(const grid *g)
{
    return g->csr.value_type == SPMV_F32 ? 4 : 8;
}

static int restores(const spmv_plan *plan, const grid *g)
{
    const size_t nnz = (size_t)g->csr.nnz;
    int right;

    memset(&back, 0xee, sizeof back);
    right = spmv_plan_restore_csr(plan, back.row_ptr, back.col_idx, back.val, NULL) == SPMV_OK &&
            memcmp(back.row_ptr, g->row_ptr, (ROWS + 1) * offset_bytes(g)) == 0 &&
            memcmp(back.col_idx, g->col_idx, nnz * sizeof(int32_t)) == 0 &&
            memcmp(back.val, g->val, nnz * value_bytes(g)) == 0;
    memset(&back, 0xee, sizeof back);
    right &= spmv_plan_restore_csr(plan, NULL, back.col_idx, NULL, NULL) == SPMV_OK &&
             memcmp(back.col_idx, g->col_idx, nnz * sizeof(int32_t)) == 0;
    right &= spmv_plan_restore_csr(plan, NULL, NULL, back.val, NULL) == SPMV_OK &&
             memcmp(back.val, g->val, nnz * value_bytes(g)) == 0;
    return right;
}

/* ---- everything that a plan can do ----------------------------------------------------------- */

/* A symmetric module that gets one triangle may keep the caller's arrays; all others own theirs. */
static int borrows_rightly(const spmv_plan_info *info, int32_t symmetric)
{
    const int is_converted =
        symmetric == SPMV_SYMMETRIC_LOWER ||
        (symmetric == SPMV_SYMMETRIC_UPPER && !info->module->ops->symmetric);

    return !is_converted || info->borrows == 0;
}

static void test_plan(const spmv_module *module, int32_t symmetric, int32_t base, int32_t threads)
{
    static const char *const names[] = {"", "both triangles", "the lower triangle",
                                        "the upper triangle"};
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = module->method, .target = module->target,
        .symmetric = symmetric, .threads = threads, .savable = 1, .copy = threads > 1,
        .transposed = threads > 2,
    };
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_plan *plan = NULL, *loaded = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    char what[160];

    build(&full, SPMV_SYMMETRIC_FULL, base, module->value_type, module->offset_type, 0);
    build(&given, symmetric, base, module->value_type, module->offset_type, 0);
    snprintf(what, sizeof what, "%s, %s, base %d, %d threads", module->name, names[symmetric],
             (int)base, (int)threads);
    status = spmv_plan_create(device, &given.csr, &options, &plan, &err);
    if (!ok(status == SPMV_OK && spmv_plan_query(plan, &info) == SPMV_OK &&
                info.module == module && info.rows == ROWS && info.cols == ROWS &&
                (info.nnz == full.csr.nnz || info.borrows != 0 || options.copy) &&
                borrows_rightly(&info, symmetric),
            "%s: a plan is made: %s", what, err.text))
        return;
    ok(multiplies(plan, 0), "%s: the product is right", what);
    ok(restores(plan, &given), "%s: the matrix is restored", what);
    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "%s: it is saved: %s", what, err.text);
    build(&given, symmetric, base, module->value_type, module->offset_type, 5);
    ok(spmv_plan_update_values(plan, given.val, &err) == SPMV_OK && multiplies(plan, 5) &&
           restores(plan, &given), "%s: new values are used: %s", what, err.text);
    ok(spmv_plan_load(device, &given.csr, &options, "plan", &loaded, &err) == SPMV_OK &&
           multiplies(loaded, 5) && restores(loaded, &given),
       "%s: a loaded plan does the same: %s", what, err.text);
    spmv_plan_destroy(loaded);
    spmv_plan_destroy(plan);
}

static void test_modules(void)
{
    for (size_t i = 0; i < spmv_device_module_count(device); i++) {
        const spmv_module *module = spmv_device_module(device, i);

        if (module->ops->transposes || module->program != NULL)
            continue;
        for (int32_t symmetric = SPMV_SYMMETRIC_FULL; symmetric <= SPMV_SYMMETRIC_UPPER;
             symmetric++)
            test_plan(module, symmetric, (int32_t)i % 2, 1 + (int32_t)(i + (size_t)symmetric) % 3);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuses(const spmv_csr *csr, const char *method, int32_t symmetric, spmv_status status,
                    const char *text, const char *what)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .symmetric = symmetric, .threads = 2};
    spmv_error err = {SPMV_OK, ""};
    spmv_plan *plan = NULL;

    if (!ok(spmv_plan_create(device, csr, &options, &plan, &err) == status && plan == NULL &&
                strstr(err.text, text) != NULL, "refused: %s", what))
        diag("%s", err.text);
    spmv_plan_destroy(plan);
}

/* A matrix of three rows, which is symmetric with these columns and values. */
static void test_refusals(void)
{
    int32_t row_ptr[] = {0, 2, 5, 7}, col_idx[] = {0, 1, 0, 1, 2, 1, 2};
    double val[] = {1, 2, 2, 3, 4, 4, 5};
    spmv_csr csr = {.rows = 3, .cols = 3, .nnz = 7, .row_ptr = row_ptr, .col_idx = col_idx,
                    .val = val, .offset_type = SPMV_I32, .value_type = SPMV_F64};
    spmv_csr wide = csr;

    wide.cols = 4;
    refuses(&wide, NULL, SPMV_SYMMETRIC_FULL, SPMV_INVALID_MATRIX, "3 rows and 4 columns",
            "a matrix that is not square");
    refuses(&csr, NULL, 4, SPMV_INVALID_ARGUMENT, "options.symmetric is 4", "an unknown value");
    refuses(&csr, NULL, SPMV_SYMMETRIC_UPPER, SPMV_INVALID_MATRIX,
            "row 1 (from 0): csr.col_idx[2] is 0, below the main diagonal",
            "an entry below the upper triangle");
    refuses(&csr, NULL, SPMV_SYMMETRIC_LOWER, SPMV_INVALID_MATRIX,
            "row 0 (from 0): csr.col_idx[1] is 1, above the main diagonal",
            "an entry above the lower triangle");
    val[2] = 7;
    refuses(&csr, NULL, SPMV_SYMMETRIC_FULL, SPMV_INVALID_MATRIX,
            "csr.val[2] is 7, in row 1 and column 0 (from 0), but csr.val[1] is 2, in row 0 and "
            "column 1", "an unequal pair, which is named");
    val[2] = 2;
    col_idx[5] = 0;
    refuses(&csr, NULL, SPMV_SYMMETRIC_FULL, SPMV_INVALID_MATRIX,
            "csr.val[5] is 4, in row 2 and column 0 (from 0), but row 0 has no entry in column 2",
            "an entry below the main diagonal without a mirror");
    wide = csr;
    row_ptr[3] = 5;
    wide.nnz = 5;
    refuses(&wide, NULL, SPMV_SYMMETRIC_FULL, SPMV_INVALID_MATRIX,
            "csr.val[4] is 4, in row 1 and column 2 (from 0), but row 2 has no entry in column 1",
            "an entry above the main diagonal without a mirror");
    row_ptr[3] = 7;
    col_idx[5] = 1;
    col_idx[4] = 1;
    refuses(&csr, NULL, SPMV_SYMMETRIC_FULL, SPMV_INVALID_MATRIX,
            "row 1 (from 0): csr.col_idx[4] is 1 after 1", "a repeated column");
    col_idx[4] = 2;
    col_idx[6] = 3;
    refuses(&csr, NULL, SPMV_SYMMETRIC_FULL, SPMV_INVALID_MATRIX, "col_idx[6] is 3",
            "a column outside of the matrix");
    col_idx[6] = 2;
    val[1] = val[2] = NAN;
    {
        const spmv_plan_options options = {.struct_size = sizeof options,
                                           .symmetric = SPMV_SYMMETRIC_FULL};
        spmv_plan *plan = NULL;

        ok(spmv_plan_create(device, &csr, &options, &plan, NULL) == SPMV_OK,
           "two NaN are a pair of equal values");
        spmv_plan_destroy(plan);
    }
}

/* ---- method symmetric ------------------------------------------------------------------------ */

static int has_symmetric(void)
{
    for (size_t i = 0; i < spmv_device_module_count(device); i++)
        if (spmv_device_module(device, i)->ops->symmetric)
            return 1;
    return 0;
}

/* Rows that a value which is not finite reaches without an entry in its column, or misses. */
static int wrong_reach(const spmv_plan *plan, int col, double value)
{
    const double kept = x[col];
    int wrong = 0;

    x[col] = value;
    wrong += spmv_execute(plan, 1, x, 0, y, NULL) != SPMV_OK;
    x[col] = kept;
    for (int row = 0; row < ROWS; row++) {
        int has = 0;

        for (int64_t k = full.row_ptr[row]; k < full.row_ptr[row + 1]; k++)
            has |= full.col_idx[k] == col;
        wrong += has == (isfinite(y[row]) != 0);
    }
    return wrong;
}

static void test_method(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "symmetric",
                                       .symmetric = SPMV_SYMMETRIC_FULL};
    spmv_plan_options strips = options;
    spmv_error err = {SPMV_OK, ""};
    spmv_plan *plan = NULL, *other = NULL;
    int wrong = 0;

    strips.method = "csr_scalar";
    build(&full, SPMV_SYMMETRIC_FULL, 0, SPMV_F64, SPMV_I64, 0);
    refuses(&full.csr, "symmetric", SPMV_SYMMETRIC_NONE, SPMV_UNSUPPORTED, "options.symmetric",
            "method symmetric without options.symmetric");
    if (!ok(spmv_plan_create(device, &full.csr, &options, &plan, &err) == SPMV_OK &&
                spmv_plan_create(device, &full.csr, &strips, &other, &err) == SPMV_OK,
            "plans are made: %s", err.text))
        return;
    ok(multiplies(plan, 0), "the product is right");
    for (int col = 0; col < ROWS; col += 7)
        wrong += wrong_reach(plan, col, col % 2 ? NAN : INFINITY);
    ok(wrong == 0, "a NaN or Inf in x reaches the rows with an entry in its column: %d others",
       wrong);
    full.val[1] += 1;
    ok(spmv_plan_update_values(plan, full.val, &err) == SPMV_INVALID_MATRIX &&
           strstr(err.text, "csr.val[1] is") != NULL && multiplies(plan, 0),
       "method symmetric refuses values that are not symmetric, and keeps its own: %s", err.text);
    ok(spmv_plan_update_values(other, full.val, &err) == SPMV_OK && !multiplies(other, 0),
       "another method multiplies by them");
    full.val[1] -= 1;
    ok(spmv_plan_update_values(plan, full.val, &err) == SPMV_OK && multiplies(plan, 0),
       "equal values are taken");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(other);
}

/* Whether method symmetric is a candidate, and whether it could be chosen. */
static void find_candidate(const spmv_plan *plan, int *is_candidate, int *is_left_out)
{
    *is_candidate = *is_left_out = 0;
    for (size_t i = 0; i < spmv_plan_candidate_count(plan); i++) {
        spmv_candidate candidate = {.struct_size = sizeof candidate};

        spmv_plan_explain(plan, i, &candidate);
        if (strcmp(candidate.module->method, "symmetric") == 0) {
            *is_candidate = 1;
            *is_left_out = candidate.why_not != NULL;
        }
    }
}

static void test_choice(int32_t symmetric, int32_t runs)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .symmetric = symmetric,
                                       .expected_runs = runs};
    spmv_error err = {SPMV_OK, ""};
    spmv_plan *plan = NULL;
    int is_candidate, is_left_out;

    build(&full, SPMV_SYMMETRIC_FULL, 0, SPMV_F64, SPMV_I64, 0);
    build(&given, symmetric, 0, SPMV_F64, SPMV_I64, 0);
    ok(spmv_plan_create(device, &given.csr, &options, &plan, &err) == SPMV_OK &&
           multiplies(plan, 0), "options.symmetric = %d, %d runs: the chosen method is right: %s",
       (int)symmetric, (int)runs, err.text);
    find_candidate(plan, &is_candidate, &is_left_out);
    ok(is_candidate == (symmetric != 0) && is_left_out == (symmetric != 0 && runs < 8),
       "options.symmetric = %d, %d runs: method symmetric is %s", (int)symmetric, (int)runs,
       symmetric == 0 ? "no candidate" : runs < 8 ? "left out" : "a candidate");
    spmv_plan_destroy(plan);
}

int main(void)
{
    folder_enter();
    if (spmv_device_open(NULL, &device, NULL) != SPMV_OK)
        return 2;
    if (!has_symmetric()) {
        skip("no module of method symmetric is linked into the library");
    } else {
        test_modules();
        test_refusals();
        test_method();
        for (int32_t symmetric = 0; symmetric <= SPMV_SYMMETRIC_UPPER; symmetric++) {
            test_choice(symmetric, 2);
            test_choice(symmetric, 1000);
        }
    }
    spmv_device_close(device);
    folder_leave();
    return tap_done();
}
