/* test_bundle.c: the functions of a bundle, with the toy modules in place of emitted ones. The
 * library of the bundle is kernels.c as it stands, compiled as C or as C++. */
#include "bundle_sample.h"
#include "toy.h"

#include "../tap.h"

#include "runtime/bundle/kernels.h"

#include <string.h>

/* ---- memory that counts and fails ------------------------------------------------------------ */

typedef struct pool {
    int allocations, live;
    int fail_at;                 /* the allocation that fails, from 1; 0: none */
} pool;

static void *take(void *context, size_t bytes)
{
    pool *p = (pool *)context;
    char *memory;

    if (++p->allocations == p->fail_at)
        return NULL;
    memory = (char *)malloc(bytes + 1);
    p->live += memory != NULL;
    return memory != NULL ? memory + 1 : NULL;           /* misaligned, as the hook allows */
}

static void give(void *context, void *memory)
{
    ((pool *)context)->live--;
    free((char *)memory - 1);
}

/* ---- results --------------------------------------------------------------------------------- */

static spmv_matrix *create(const bundle_sample *s, const spmv_matrix_options *options,
                           spmv_error *error)
{
    return spmv_matrix_create_f64_with(s->rows, s->cols, s->row_ptr, s->col_idx, s->val, options,
                                       error);
}

static spmv_matrix *create_or_say(const bundle_sample *s, const spmv_matrix_options *options)
{
    spmv_error error = {SPMV_OK, ""};
    spmv_matrix *matrix = create(s, options, &error);

    if (matrix == NULL)
        diag("%s", error.text);
    return matrix;
}

static int multiplies(bundle_sample *s, const spmv_matrix *matrix)
{
    int is_right = 1;

    bundle_sample_fill_y(s, 7);
    is_right &= spmv_multiply_f64(matrix, 1, s->x, 0, s->y) == SPMV_OK;
    is_right &= bundle_sample_is_right(s, 1, 0);
    bundle_sample_fill_y(s, 3);
    is_right &= spmv_multiply_f64(matrix, -2, s->x, 4, s->y) == SPMV_OK;
    is_right &= bundle_sample_is_right(s, -2, 12);
    bundle_sample_fill_y(s, 3);
    is_right &= spmv_multiply_f64(matrix, 0, NULL, 4, s->y) == SPMV_OK;
    return is_right && bundle_sample_is_right(s, 0, 12);
}

static const char *const methods[] = {NULL, "toy_rows", "toy_parts", "toy_sorted", "toy_loose"};

static void test_methods(void)
{
    static const struct { int32_t rows, cols; } sizes[] = {{0, 0}, {1, 1}, {5, 0}, {7, 3},
                                                           {100, 40}, {3000, 500}};

    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        int is_right = 1;

        for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
            bundle_sample s = bundle_sample_create(sizes[i / 2].rows, sizes[i / 2].cols, i % 2);
            const spmv_matrix_options options = {.method = methods[m], .threads = (int32_t)i % 4};
            spmv_matrix *matrix = create_or_say(&s, &options);

            is_right &= matrix != NULL && multiplies(&s, matrix);
            spmv_matrix_destroy(matrix);
            bundle_sample_destroy(&s);
        }
        ok(is_right, "method %s multiplies matrices of all sizes and both bases",
           methods[m] != NULL ? methods[m] : "(any)");
    }
}

/* Several vectors: vector c is c + 1 times the sample's x. */
static int multiplies_columns(const bundle_sample *s, const spmv_matrix *matrix, spmv_order order)
{
    enum { COLUMNS = 19, MORE = 2 };
    const int64_t ldx = (order == SPMV_ROW_MAJOR ? COLUMNS : s->cols) + MORE;
    const int64_t ldy = (order == SPMV_ROW_MAJOR ? COLUMNS : s->rows) + MORE;
    const size_t x_count = (size_t)ldx * (size_t)(order == SPMV_ROW_MAJOR ? s->cols : COLUMNS);
    const size_t y_count = (size_t)ldy * (size_t)(order == SPMV_ROW_MAJOR ? s->rows : COLUMNS);
    double *x = (double *)malloc((x_count + 1) * sizeof *x);
    double *y = (double *)malloc((y_count + 1) * sizeof *y);
    int is_right;

    for (size_t i = 0; i < y_count; i++)
        y[i] = 3;
    for (int64_t c = 0; c < COLUMNS; c++)
        for (int64_t i = 0; i < s->cols; i++)
            x[order == SPMV_ROW_MAJOR ? i * ldx + c : i + c * ldx] = (double)(c + 1) * s->x[i];
    is_right = spmv_multiply_columns_f64(matrix, order, COLUMNS, 2, x, ldx, 1, y, ldy) == SPMV_OK;
    for (int64_t c = 0; c < COLUMNS; c++)
        for (int64_t i = 0; i < s->rows; i++)
            is_right &= y[order == SPMV_ROW_MAJOR ? i * ldy + c : i + c * ldy] ==
                        2 * (double)(c + 1) * s->product[i] + 3;
    free(x);
    free(y);
    return is_right;
}

static void test_columns(void)
{
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        bundle_sample s = bundle_sample_create(100, 40, 1);
        const spmv_matrix_options options = {.method = methods[m]};
        spmv_matrix *matrix = create_or_say(&s, &options);

        ok(matrix != NULL && multiplies_columns(&s, matrix, SPMV_ROW_MAJOR) &&
           multiplies_columns(&s, matrix, SPMV_COLUMN_MAJOR),
           "method %s multiplies several vectors", methods[m] != NULL ? methods[m] : "(any)");
        ok(spmv_multiply_columns_f64(matrix, SPMV_ROW_MAJOR, 2, 1, s.x, 1, 0, s.y, 2) ==
           SPMV_INVALID_ARGUMENT &&
           spmv_multiply_columns_f64(NULL, SPMV_ROW_MAJOR, 2, 1, s.x, 2, 0, s.y, 2) ==
           SPMV_INVALID_ARGUMENT &&
           spmv_multiply_columns_f32(matrix, SPMV_ROW_MAJOR, 1, 1, s.x_f32, 1, 0, s.y_f32, 1) ==
           SPMV_INVALID_ARGUMENT &&
           spmv_multiply_columns_f64(matrix, SPMV_COLUMN_MAJOR, 1, 1, s.x, 40, 0, s.x, 100) ==
           SPMV_ALIASING, "wrong arguments are refused");
        spmv_matrix_destroy(matrix);
        bundle_sample_destroy(&s);
    }
}

static void test_types(void)
{
    bundle_sample s = bundle_sample_create(60, 30, 1);
    spmv_error error;
    spmv_matrix *matrix = spmv_matrix_create_f32_i64(s.rows, s.cols, s.row_ptr_i64, s.col_idx,
                                                     s.val_f32, &error);
    int is_right = matrix != NULL && spmv_multiply_f32(matrix, 1, s.x_f32, 0, s.y_f32) == SPMV_OK;

    for (int32_t r = 0; r < s.rows; r++)
        is_right &= s.y_f32[r] == (float)s.product[r];
    ok(is_right, "f32 values with 64-bit offsets are multiplied");
    ok(spmv_multiply_f64(matrix, 1, s.x, 0, s.y) == SPMV_INVALID_ARGUMENT &&
       spmv_matrix_update_f64(matrix, s.val, &error) == SPMV_INVALID_ARGUMENT &&
       strcmp(error.text, "spmv_matrix_update_f64: the matrix has values of the other type, f32; "
                          "call its function") == 0, "functions of the other type refuse it");
    spmv_matrix_destroy(matrix);
    matrix = spmv_matrix_create_f32(s.rows, s.cols, s.row_ptr, s.col_idx, s.val_f32, &error);
    ok(matrix == NULL && error.status == SPMV_UNSUPPORTED &&
       strstr(error.text, "spmv_matrix_create_f32: no module for f32 values with i32 row pointers; "
                          "there is i64") == error.text,
       "types without a module are refused: %s", error.text);
    matrix = spmv_matrix_create_f64_i64(s.rows, s.cols, s.row_ptr_i64, s.col_idx, s.val, NULL);
    ok(matrix == NULL, "an error may be ignored");
    bundle_sample_destroy(&s);
}

static spmv_matrix_info info_of(const spmv_matrix *matrix)
{
    spmv_matrix_info info;

    if (spmv_matrix_query(matrix, &info) != SPMV_OK) {
        printf("Bail out! no matrix\n");
        exit(1);
    }
    return info;
}

/* ---- choice ---------------------------------------------------------------------------------- */

static void test_choice(void)
{
    bundle_sample s = bundle_sample_create(100, 40, 0);
    const spmv_matrix_options fast = {.target = "toy-fast"}, few = {.expected_runs = 1};
    spmv_matrix *matrix = create_or_say(&s, NULL);
    spmv_matrix_info info;

    info = info_of(matrix);
    ok(strcmp(info.method, "toy_parts") == 0 && strcmp(info.target, "toy") == 0 &&
       info.rows == 100 && info.cols == 40 &&
       info.nnz == s.nnz && info.workspace_bytes > 0 && !info.borrows_val && info.threads == 1 &&
       info.bytes > (size_t)s.nnz * 16 && strstr(info.reason, "the cheapest of") != NULL,
       "the cheapest method is chosen: %s", info.reason);
    spmv_matrix_destroy(matrix);
    matrix = create_or_say(&s, &fast);
    info = info_of(matrix);
    ok(strcmp(info.method, "toy_rows") == 0 && strcmp(info.target, "toy-fast") == 0 &&
       info.borrows_row_ptr && info.borrows_col_idx && info.borrows_val,
       "options.target selects: %s", info.reason);
    spmv_matrix_destroy(matrix);
    matrix = create_or_say(&s, &few);
    info = info_of(matrix);
    ok(strcmp(info.method, "toy_parts") == 0,
       "few expected runs exclude conversions: %s", info.reason);
    spmv_matrix_destroy(matrix);
    ok(spmv_matrix_query(NULL, &info) == SPMV_INVALID_ARGUMENT, "a query needs a matrix");
    bundle_sample_destroy(&s);
}

static void refuses_options(const bundle_sample *s, const spmv_matrix_options *options,
                            spmv_status status, const char *text)
{
    spmv_error error = {SPMV_OK, ""};
    spmv_matrix *matrix = create(s, options, &error);

    if (!ok(matrix == NULL && error.status == status && strcmp(error.text, text) == 0,
            "refused: %s", text))
        diag("%d %s", (int)error.status, error.text);
}

static void run_backwards(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    ++*(int *)context;
    for (int32_t i = count; i-- > 0;)
        run(argument, i);
}

static void test_options(void)
{
    bundle_sample s = bundle_sample_create(100, 40, 0);
    int calls = 0;
    const spmv_matrix_options misspelt = {.method = "toy_row"},
        other_cpu = {.target = "toy-future"}, negative = {.threads = -1},
        runs = {.expected_runs = -1}, uncounted = {.parallel_for = run_backwards},
        alone = {.threads = 2, .parallel_for_context = &calls};

    refuses_options(&s, &misspelt, SPMV_UNSUPPORTED,
                    "spmv_matrix_create_f64: no module of method 'toy_row'; there is "
                    "toy_loose, toy_parts, toy_rows, toy_sorted");
    refuses_options(&s, &other_cpu, SPMV_UNSUPPORTED,
                    "spmv_matrix_create_f64: no module of target 'toy-future' for f64 values with "
                    "i32 row pointers that this device runs and this CPU can run; it is for other "
                    "CPUs");
    refuses_options(&s, &negative, SPMV_INVALID_ARGUMENT,
                    "spmv_matrix_create_f64: options.threads is -1; expected 0 (all) to 4096");
    refuses_options(&s, &runs, SPMV_INVALID_ARGUMENT,
                    "spmv_matrix_create_f64: options.expected_runs is -1; expected 0 (1000) or "
                    "more");
    refuses_options(&s, &uncounted, SPMV_INVALID_ARGUMENT,
                    "spmv_matrix_create_f64: options.parallel_for is set, but options.threads is "
                    "0; set it to the number of threads, 1 to 4096");
    refuses_options(&s, &alone, SPMV_INVALID_ARGUMENT,
                    "spmv_matrix_create_f64: options.parallel_for_context is set, but "
                    "options.parallel_for is NULL; set both or neither");
    bundle_sample_destroy(&s);
}

static void test_parallel_for(void)
{
    bundle_sample s = bundle_sample_create(3000, 500, 0);
    int calls = 0;
    const spmv_matrix_options options = {.method = "toy_parts", .threads = 5, .full_check = 1,
                                         .parallel_for = run_backwards,
                                         .parallel_for_context = &calls};
    spmv_matrix *matrix = create_or_say(&s, &options);
    const int building = calls;

    ok(matrix != NULL && building > 0 && multiplies(&s, matrix) && calls > building,
       "options.parallel_for does the work, building included");
    ok(info_of(matrix).threads == 5, "in as many parts");
    spmv_matrix_destroy(matrix);
    bundle_sample_destroy(&s);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static void refuses(const bundle_sample *s, spmv_status status, const char *text)
{
    const spmv_matrix_options options = {.full_check = 1};

    refuses_options(s, &options, status, text);
}

#define CREATE "spmv_matrix_create_f64: "

static void test_matrices(void)
{
    bundle_sample s = bundle_sample_create(20, 10, 0);
    bundle_sample bad = s;

    bad.rows = -1;
    refuses(&bad, SPMV_INVALID_MATRIX, CREATE "rows is -1; expected 0 or more");
    bad.rows = s.rows;
    bad.cols = -2;
    refuses(&bad, SPMV_INVALID_MATRIX, CREATE "cols is -2; expected 0 to 2^31 - 1");
    bad.cols = s.cols;
    bad.row_ptr = NULL;
    refuses(&bad, SPMV_INVALID_ARGUMENT, CREATE "row_ptr is NULL; expected an array of 21");
    bad.row_ptr = s.row_ptr;
    bad.val = NULL;
    refuses(&bad, SPMV_INVALID_ARGUMENT, CREATE "val is NULL; expected an array of 52");
    s.row_ptr[0] = 7;
    refuses(&s, SPMV_INVALID_MATRIX,
            CREATE "row_ptr[0] is 7; expected 0 or 1, the base of all offsets and columns");
    s.row_ptr[0] = 0;
    s.row_ptr[20] = -1;
    refuses(&s, SPMV_INVALID_MATRIX,
            CREATE "row_ptr[rows] is -1; expected row_ptr[0], which is 0, or more");
    s.row_ptr[20] = s.nnz;
    s.row_ptr[3] = 90;
    refuses(&s, SPMV_INVALID_MATRIX, CREATE "row 3 (from 0): row_ptr falls from 90 to 6; expected "
                                            "offsets that never decrease");
    s.row_ptr[3] = 3;
    s.col_idx[4] = 10;
    refuses(&s, SPMV_INVALID_MATRIX,
            CREATE "row 3 (from 0): col_idx[4] is 10; expected 0 to 9");
    bundle_sample_destroy(&s);
}

static void run_forwards(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    (void)context;
    for (int32_t i = 0; i < count; i++)
        run(argument, i);
}

/* The first bad place is named, whichever thread finds another one before or after. */
static void test_large(spmv_parallel_for *order, const char *name)
{
    bundle_sample s = bundle_sample_create(200000, 10, 0);
    int calls = 0;
    const spmv_matrix_options options = {.threads = 7, .full_check = 1, .parallel_for = order,
                                         .parallel_for_context = &calls};
    spmv_error error = {SPMV_OK, ""};

    s.col_idx[70000] = s.col_idx[70001] = s.col_idx[400000] = -1;
    ok(create(&s, &options, &error) == NULL && error.status == SPMV_INVALID_MATRIX &&
       strstr(error.text, "col_idx[70000] is -1") != NULL, "the first bad column is named, %s",
       name);
    s.row_ptr[150000] += 1000;
    s.row_ptr[66000] += 1000;
    ok(create(&s, &options, &error) == NULL && error.status == SPMV_INVALID_MATRIX &&
       strstr(error.text, "row 66000 (from 0): row_ptr falls") != NULL,
       "the first bad row is named, %s", name);
    bundle_sample_destroy(&s);
}

/* ---- multiplication and new values ----------------------------------------------------------- */

static void test_arguments(void)
{
    bundle_sample s = bundle_sample_create(50, 50, 0);
    spmv_matrix *matrix = create_or_say(&s, NULL);

    ok(spmv_multiply_f64(NULL, 1, s.x, 0, s.y) == SPMV_INVALID_ARGUMENT &&
       spmv_multiply_f64(matrix, 1, NULL, 0, s.y) == SPMV_INVALID_ARGUMENT &&
       spmv_multiply_f64(matrix, 1, s.x, 0, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_multiply_f64(matrix, 1, (double *)(void *)((char *)s.x + 1), 0, s.y) ==
           SPMV_INVALID_ARGUMENT, "null and misaligned arguments are refused");
    ok(spmv_multiply_f64(matrix, 1, s.x, 0, s.x) == SPMV_ALIASING, "y must not be x");
    spmv_matrix_destroy(matrix);
    spmv_matrix_destroy(NULL);
    bundle_sample_destroy(&s);
}

static void test_update(void)
{
    for (int i = 0; i < 6; i++) {
        bundle_sample s = bundle_sample_create(50, 30, 1);
        const spmv_matrix_options options = {.method = methods[1 + i % 3], .copy = i / 3};
        spmv_matrix *matrix = create_or_say(&s, &options);
        double *val = (double *)bundle_memory((size_t)s.nnz, sizeof *val);
        spmv_error error;
        int is_right;

        for (int32_t k = 0; k < s.nnz; k++)
            val[k] = 3 * s.val[k];
        if (options.copy) {      /* nothing of the caller's is read any more */
            memset(s.row_ptr, 9, sizeof *s.row_ptr * ((size_t)s.rows + 1));
            memset(s.col_idx, 9, sizeof *s.col_idx * (size_t)s.nnz);
            memset(s.val, 9, sizeof *s.val * (size_t)s.nnz);
        }
        is_right = multiplies(&s, matrix);
        is_right &= spmv_matrix_update_f64(matrix, val, &error) == SPMV_OK;
        if (options.copy)
            memset(val, 9, sizeof *val * (size_t)s.nnz);
        is_right &= spmv_multiply_f64(matrix, 1, s.x, 0, s.y) == SPMV_OK;
        ok(is_right && bundle_sample_is_right(&s, 3, 0), "%s%s takes new values", options.method,
           options.copy ? ", with copies," : "");
        ok(spmv_matrix_update_f64(matrix, NULL, &error) == SPMV_INVALID_ARGUMENT &&
           strstr(error.text, "spmv_matrix_update_f64: val is NULL; expected ") == error.text,
           "but not NULL");
        spmv_matrix_destroy(matrix);
        free(val);
        bundle_sample_destroy(&s);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void test_failures(void)
{
    bundle_sample s = bundle_sample_create(100, 40, 0);

    for (size_t m = 0; m < 4; m++) {
        const spmv_matrix_options options = {.method = methods[m], .copy = 1, .threads = 2};
        int is_right = 1, failures = 0, other_methods = 0;
        pool p = {0, 0, 0};

        do {
            spmv_error error = {SPMV_OK, ""};
            spmv_matrix *matrix;

            p.allocations = 0;
            p.fail_at++;
            spmv_use_memory(take, give, &p);
            matrix = create(&s, &options, &error);
            if (matrix == NULL) {
                failures++;
                is_right &= error.status == SPMV_OUT_OF_MEMORY &&
                            strstr(error.text, CREATE "no memory for ") == error.text &&
                            strstr(error.text, "plan") == NULL;
            } else {
                const int allocations = p.allocations;

                other_methods += p.allocations >= p.fail_at;
                is_right &= multiplies(&s, matrix) && p.allocations == allocations;
            }
            spmv_matrix_destroy(matrix);
            is_right &= p.live == 0;
        } while (p.allocations >= p.fail_at);
        ok(is_right && failures > 1 && (other_methods > 0) == (methods[m] == NULL),
           "%s: each of %d allocations may fail; %d times another method fits",
           methods[m] != NULL ? methods[m] : "(any)", p.allocations, other_methods);
    }
    spmv_use_memory(NULL, NULL, NULL);
    bundle_sample_destroy(&s);
}

/* Multiplications that begin while another one is running. */
static bundle_sample inner;
static spmv_matrix *in_use;
static int inner_times;
static spmv_status inner_status;

static void multiply_within(void)
{
    inner_status = SPMV_OK;
    for (int i = 0; i < inner_times && inner_status == SPMV_OK; i++)
        inner_status = spmv_multiply_f64(in_use, 1, inner.x, 0, inner.y);
}

static void test_concurrent(void)
{
    bundle_sample s = bundle_sample_create(100, 40, 0);
    const spmv_matrix_options options = {.method = "toy_parts"};
    pool p = {0, 0, 0};

    inner = bundle_sample_create(100, 40, 0);
    spmv_use_memory(take, give, &p);
    in_use = create_or_say(&s, &options);
    for (inner_times = 1; inner_times <= 3; inner_times += 2) {
        p.allocations = 0;
        toy_during_execute = multiply_within;
        ok(spmv_multiply_f64(in_use, 1, s.x, 0, s.y) == SPMV_OK && inner_status == SPMV_OK &&
           bundle_sample_is_right(&s, 1, 0) && bundle_sample_is_right(&inner, 1, 0) &&
           p.allocations == 1,
           "multiplications during another (%d) are right; the first allocates a workspace",
           inner_times);
    }
    p.allocations = 0;
    p.fail_at = 1;
    toy_during_execute = multiply_within;
    bundle_sample_fill_y(&inner, 5);
    ok(spmv_multiply_f64(in_use, 1, s.x, 0, s.y) == SPMV_OK && bundle_sample_is_right(&s, 1, 0) &&
       inner_status == SPMV_OUT_OF_MEMORY && bundle_sample_is_right(&inner, 0, 5),
       "or returns SPMV_OUT_OF_MEMORY and leaves y alone");
    spmv_matrix_destroy(in_use);
    ok(p.live == 0, "nothing leaks");
    spmv_use_memory(NULL, NULL, NULL);
    bundle_sample_destroy(&inner);
    bundle_sample_destroy(&s);
}

int main(void)
{
    test_methods();
    test_columns();
    test_types();
    test_choice();
    test_options();
    test_parallel_for();
    test_matrices();
    test_large(run_backwards, "last parts first");
    test_large(run_forwards, "first parts first");
    test_arguments();
    test_update();
    test_failures();
    test_concurrent();
    return tap_done();
}
