/* test_layout.c: optional features of a layout: a permuted y, figures, scratch for sizing and for
 * the build, restored row pointers. */
#include "sample.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 90, COLS = 40 };

static spmv_device *device;
static sample *s;

static spmv_plan *create(const char *settings, int threads)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_sorted",
                                       .settings = settings, .threads = threads};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, &options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

static const int32_t *order_of(const spmv_plan *plan)
{
    spmv_plan_info info = {.struct_size = sizeof info, .y_permutation = (const int32_t *)&info};

    spmv_plan_query(plan, &info);
    return info.y_permutation;
}

static void test_order_of_y(void)
{
    spmv_plan *plain = create(NULL, 2);
    spmv_plan *permuted = create("permuted=1", 2);
    const int32_t *order = order_of(permuted);
    double *y = sample_vector(s, ROWS, 7);
    double *back = sample_vector(s, ROWS, 0);
    unsigned char seen[ROWS] = {0};
    int is_permutation = 1;
    int is_identity = 1;

    ok(order_of(plain) == NULL && spmv_execute(plain, 2, s->x, 1, y, NULL) == SPMV_OK &&
       sample_is_right(s, y, 2, 1, 7), "without the setting y is in the order of rows");
    for (int k = 0; k < ROWS; k++)
        y[k] = 7;
    ok(order != NULL && spmv_execute(permuted, 2, s->x, 1, y, NULL) == SPMV_OK,
       "with it the query gives the order of y");
    for (int k = 0; k < ROWS && order != NULL; k++) {
        is_permutation &= order[k] >= 0 && order[k] < ROWS && !seen[order[k]];
        is_identity &= order[k] == k;
        if (is_permutation) {
            seen[order[k]] = 1;
            back[order[k]] = y[k];
        }
    }
    ok(is_permutation && !is_identity, "which is a permutation of the rows");
    ok(sample_is_right(s, back, 2, 1, 7), "y[k] belongs to row y_permutation[k]");
    spmv_plan_destroy(plain);
    spmv_plan_destroy(permuted);
    free(y);
    free(back);
}

static void test_figures(void)
{
    spmv_figure figure[SPMV_MAX_FIGURES];
    const spmv_plan_options rows = {.struct_size = sizeof rows, .method = "toy_rows"};
    spmv_plan *plan = create("stripe=9", 1);
    spmv_plan *without = NULL;
    int32_t count = -1;

    ok(spmv_plan_figures(plan, figure, &count) == SPMV_OK && count == 2 &&
       strcmp(figure[0].name, "chunks") == 0 && figure[0].value == 10 &&
       strcmp(figure[1].unit, "nonzeros") == 0 && figure[1].value == (double)COLS,
       "a method's figures come out");
    spmv_plan_create(device, &s->csr, &rows, &without, NULL);
    ok(spmv_plan_figures(without, figure, &count) == SPMV_OK && count == 0,
       "a method without figures has none");
    ok(spmv_plan_figures(NULL, figure, &count) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_figures(plan, NULL, &count) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_figures(plan, figure, NULL) == SPMV_INVALID_ARGUMENT, "null pointers are refused");
    toy_sorted_figure_count = SPMV_MAX_FIGURES + 1;
    ok(spmv_plan_figures(plan, figure, &count) == SPMV_ABI_MISMATCH && count == 0,
       "too many figures break the contract");
    toy_sorted_figure_count = -1;
    ok(spmv_plan_figures(plan, figure, &count) == SPMV_ABI_MISMATCH && count == 0,
       "so does a negative number");
    toy_sorted_figure_count = 0;
    spmv_plan_destroy(plan);
    spmv_plan_destroy(without);
}

static void test_scratch(void)
{
    spmv_plan *plan = create(NULL, 2);
    spmv_plan_info info = {.struct_size = sizeof info};
    const size_t layout_bytes = ROWS * 4 + (ROWS + 1) * 4 + (size_t)s->csr.nnz * 12;

    spmv_plan_query(plan, &info);
    ok(toy_sorted_scratch != NULL && (uintptr_t)toy_sorted_scratch % SPMV_ALIGNMENT == 0,
       "a build has aligned scratch");
    ok(info.layout_bytes == layout_bytes && info.workspace_bytes == 0 && info.borrows == 0,
       "which the plan does not keep");
    ok(toy_sorted_sizing != NULL && (uintptr_t)toy_sorted_sizing % SPMV_ALIGNMENT == 0,
       "layout_size has the aligned scratch that the method requires");
    ok(!toy_sorted_sees_sizing, "which the build does not have");
    spmv_plan_destroy(plan);
}

static void test_row_ptr_out(void)
{
    spmv_plan *plan = create("permuted=1", 2);
    const size_t nnz = (size_t)s->csr.nnz;
    int32_t row_ptr[ROWS + 1] = {0};
    int32_t *col_idx = sample_vector(s, s->csr.nnz, 0);
    double *val = sample_vector(s, s->csr.nnz, 0);
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_plan_restore_csr(plan, row_ptr, NULL, NULL, &err) == SPMV_OK &&
       memcmp(row_ptr, s->row_ptr, sizeof row_ptr) == 0,
       "a method that borrows nothing gives row_ptr back, in its base");
    row_ptr[1] = 99;
    ok(spmv_plan_restore_csr(plan, row_ptr, col_idx, val, &err) == SPMV_OK &&
       memcmp(row_ptr, s->row_ptr, sizeof row_ptr) == 0 &&
       memcmp(col_idx, s->col_idx, nnz * sizeof *col_idx) == 0 &&
       memcmp(val, s->val, nnz * sizeof *val) == 0, "and the rest with it");
    ok(spmv_plan_restore_csr(plan, NULL, (int32_t *)(uintptr_t)order_of(plan), NULL, &err) ==
           SPMV_ALIASING && strstr(err.text, "one that the plan borrows or made"),
       "but not into the plan's own arrays");
    spmv_plan_destroy(plan);
    free(col_idx);
    free(val);
}

/* A method that always permutes y is chosen only by name, since the caller must know about the
 * order. */
static void test_unasked_order(void)
{
    const spmv_plan_options named = {.struct_size = sizeof named, .method = "toy_sorted"};
    const spmv_device_options none = {.struct_size = sizeof none, .no_builtin_modules = 1};
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_device *alone = NULL;
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    spmv_device_open(&none, &alone, NULL);
    spmv_device_add_modules(alone, toy_sorted_modules, NULL);
    toy_sorted_always_permutes = 1;
    ok(spmv_plan_create(alone, &s->csr, NULL, &plan, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "options.method must name it"),
       "a method that permutes y is not chosen by default");
    ok(spmv_plan_create(alone, &s->csr, &named, &plan, &err) == SPMV_OK && order_of(plan) != NULL,
       "but by name");
    spmv_plan_destroy(plan);
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, &err) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.y_permutation == NULL,
       "another method is chosen if there is one");
    toy_sorted_always_permutes = 0;
    spmv_plan_destroy(plan);
    spmv_device_close(alone);
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    s = sample_create(ROWS, COLS, 1, SPMV_F64, SPMV_I32);
    test_order_of_y();
    test_unasked_order();
    test_figures();
    test_scratch();
    test_row_ptr_out();
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}
