/* test_prepared.c: y at every place around the arrays that a plan reads. spmv_execute compares y
 * with ranges that are prepared when a plan is created; here its answers are compared with the
 * overlap of every array by itself, and with those of the other functions that multiply. */
#define _POSIX_C_SOURCE 200809L
#include "folder.h"
#include "sample.h"
#include "toy.h"

#include "../tap.h"
#include "runtime/library/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, CELLS = 120, GAP = 9 };    /* cells of 8 bytes */

/* Arrays of a matrix in one memory, with gaps in which y fits, and one in which it does not. */
typedef struct arena {
    double cell[CELLS];
    spmv_csr csr;
    double *val, *other_val;
} arena;

static arena *create_arena(const sample *s)
{
    const size_t nnz = (size_t)s->csr.nnz;
    arena *a = calloc(1, sizeof *a);
    double *at = a->cell + GAP;

    a->csr = s->csr;
    a->csr.val = a->val = memcpy(at, s->val, nnz * sizeof(double));
    at += nnz + GAP;
    a->csr.row_ptr = memcpy(at, s->row_ptr, (N + 1) * sizeof(int32_t));
    at += N + 1;
    a->csr.col_idx = memcpy(at, s->col_idx, nnz * sizeof(int32_t));
    at += nnz + GAP;
    a->other_val = memcpy(at, s->val, nnz * sizeof(double));
    at += nnz + GAP;
    if (at > a->cell + CELLS)
        printf("Bail out! %d cells are too few\n", CELLS);
    return a;
}

static int overlaps(const double *y, const void *array, size_t bytes)
{
    const char *begin = array;

    return (const char *)(y + N) > begin && (const char *)y < begin + bytes;
}

/* Executes with y at each cell, and restores the cells. borrowed: the arrays are the plan's. */
static void test_places(const spmv_plan *plan, const sample *s, arena *a, const double *val,
                        int borrowed, const char *what)
{
    const size_t nnz = (size_t)s->csr.nnz;
    arena *before = malloc(sizeof *before);
    int wrong = 0, refused = 0;

    memcpy(before, a, sizeof *a);
    for (double *y = a->cell; y + N <= a->cell + CELLS; y++) {
        const int expected = borrowed && (overlaps(y, val, nnz * sizeof(double)) ||
                                          overlaps(y, a->csr.row_ptr, (N + 1) * sizeof(int32_t)) ||
                                          overlaps(y, a->csr.col_idx, nnz * sizeof(int32_t)));
        const spmv_status columns =
            spmv_execute_columns(plan, SPMV_ROW_MAJOR, 1, 1, s->x, 1, 0, y, 1, NULL);
        spmv_step_time time[SPMV_MAX_STEPS];
        spmv_status profiled, status;
        int32_t steps;

        memcpy(a, before, sizeof *a);
        profiled = spmv_execute_profile(plan, 1, s->x, 0, y, NULL, time, &steps);
        memcpy(a, before, sizeof *a);
        status = spmv_execute(plan, 1, s->x, 0, y, NULL);
        wrong += columns != status || profiled != status;
        wrong += status != (expected ? SPMV_ALIASING : SPMV_OK);
        wrong += status == SPMV_OK ? !sample_is_right(s, y, 1, 0, 0)
                                   : memcmp(a, before, sizeof *a) != 0;
        refused += status == SPMV_ALIASING;
        memcpy(a, before, sizeof *a);
    }
    free(before);
    ok(wrong == 0 && (refused > 0) == borrowed,
       "%s: every function refuses y exactly where it overlaps", what);
}

static void test_borrowed(spmv_device *device, const sample *s, const char *path)
{
    const spmv_plan_options kept = {.struct_size = sizeof kept, .method = "toy_rows", .savable = 1},
                            copied = {.struct_size = sizeof copied, .method = "toy_rows",
                                      .copy = 1};
    arena *a = create_arena(s);
    spmv_plan *plan = NULL, *copy = NULL, *loaded = NULL;

    if (spmv_plan_create(device, &a->csr, &kept, &plan, NULL) ||
        spmv_plan_create(device, &a->csr, &copied, &copy, NULL) ||
        spmv_plan_save(plan, path, NULL) ||
        spmv_plan_load(device, &a->csr, NULL, path, &loaded, NULL))
        printf("Bail out! no plan\n");
    test_places(plan, s, a, a->val, 1, "borrowed arrays");
    test_places(loaded, s, a, a->val, 1, "a loaded plan");
    test_places(copy, s, a, a->val, 0, "options.copy");
    spmv_plan_update_values(plan, a->other_val, NULL);
    test_places(plan, s, a, a->other_val, 1, "after an update, which moves the values");
    spmv_plan_update_values(plan, a->val, NULL);
    test_places(plan, s, a, a->val, 1, "after another one, which moves them back");
    spmv_plan_update_values(copy, a->other_val, NULL);
    test_places(copy, s, a, a->other_val, 0, "options.copy, after an update");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(copy);
    spmv_plan_destroy(loaded);
    free(a);
}

/* Arrays of the layout, whose places only the library knows. */
static void test_own(spmv_device *device, const sample *s)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_parts"};
    spmv_plan *plan = NULL;
    int wrong = 0, arrays = 0;

    if (spmv_plan_create(device, &s->csr, &options, &plan, NULL))
        printf("Bail out! no plan\n");
    for (int32_t i = 0; i < plan->core.layout.array_count; i++) {
        char *data = plan->core.layout.array[i].data;
        const size_t bytes = plan->core.layout.array[i].bytes;

        if (bytes == 0)
            continue;
        arrays++;
        for (size_t k = 0; k < bytes; k += 8)
            wrong += spmv_execute(plan, 1, s->x, 0, data + k, NULL) != SPMV_ALIASING;
        wrong += spmv_execute(plan, 1, s->x, 0, data - 8 * (N - 1), NULL) != SPMV_ALIASING;
    }
    ok(arrays > 1 && wrong == 0, "y may not reach into any array of the layout");
    spmv_plan_destroy(plan);
}

/* alpha is rounded to f32 before it decides whether x is read. */
static void test_rounding(spmv_device *device)
{
    sample *s = sample_create(N, N, 0, SPMV_F32, SPMV_I64);
    void *y = sample_vector(s, N, 7), *none = NULL;
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &s->csr, NULL, &plan, NULL);
    ok(spmv_execute(plan, 1e-300, none, 1, y, NULL) == SPMV_OK && sample_get(s, y, 3) == 7,
       "an alpha that rounds to 0 does not read x");
    ok(spmv_execute(plan, 1e-300, s->x, 1e-300, y, NULL) == SPMV_OK && sample_get(s, y, 3) == 0,
       "a beta that rounds to 0 does not read y");
    spmv_plan_destroy(plan);
    sample_destroy(s);
    free(y);
}

int main(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(N, N, 0, SPMV_F64, SPMV_I32);

    folder_enter();
    test_borrowed(device, s, "plan");
    folder_leave();
    test_own(device, s);
    test_rounding(device);
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}
