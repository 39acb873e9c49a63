/* test_contract.c: modules that break the module contract or decline a matrix. */
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- the broken module ---------------------------------------------------------------------- */

static int broken_mode;

static spmv_status broken_layout_size(spmv_layout *layout)
{
    layout->borrows = 7;
    layout->csr.rows = 1;                        /* forbidden; the runtime restores it */
    layout->array[11].data = &broken_mode;       /* forbidden, too */
    switch (broken_mode) {
    case 0: layout->array_count = SPMV_MAX_ARRAYS + 1; break;
    case 1: layout->array_count = -1; break;
    case 2: layout->borrows = 8; break;
    case 3: layout->cost = -1; break;
    case 4: layout->cost = 0.0 / (double)layout->array_count; break;
    case 5: return SPMV_OVERFLOW;
    case 6: layout->array_count = 1; layout->array[0].bytes = SIZE_MAX - 7; break;
    case 7: layout->workspace_bytes = SIZE_MAX; break;
    case 12: layout->borrows = 0; break;
    case 13: return (spmv_status)77;
    case 14: return (spmv_status)-1;
    case 15: layout->permutes_y = 1; break;
    case 16: layout->permutes_y = -1; break;
    case 17: layout->array_count = layout->permutes_y = 1; layout->array[0].bytes = 39; break;
    case 18: layout->build_bytes = SIZE_MAX; break;
    case 19: layout->array_count = SPMV_MAX_ARRAYS;
        for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
            layout->array[i] = (spmv_array){NULL, SIZE_MAX / 8, &broken_mode};
        break;
    case 20: layout->cost = 1e308 * 10; break;
    case 21: layout->permutes_x = 1; break;
    case 22: layout->permutes_x = -1; break;
    case 23: layout->array_count = layout->permutes_x = 1; layout->array[0].bytes = 39; break;
    }
    return SPMV_OK;
}

static const spmv_csr *broken_csr;               /* the last that the module got */

static int32_t broken_steps(const spmv_layout *layout, spmv_step *step)
{
    static const int32_t counts[] = {[8] = 1, [9] = 1, [10] = SPMV_MAX_STEPS + 1, [11] = -1,
                                     [20] = 0};

    broken_csr = &layout->csr;
    step[0] = (spmv_step){"broken", NULL, broken_mode == 8 ? 1 : -1};
    return broken_mode < 0 ? 0 : counts[broken_mode];
}

static int32_t broken_job_steps(const spmv_job *job, spmv_step *step)
{
    return broken_steps(job->layout, step);
}

static const spmv_method_ops broken_ops = {
    .layout_size = broken_layout_size, .build_steps = broken_steps, .update_steps = broken_steps,
    .restore_steps = broken_job_steps, .launches = broken_job_steps,
};

static spmv_device *broken_device(void)
{
    static spmv_module broken;
    static const spmv_module *const table[] = {&broken, NULL};
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1};
    spmv_device *device = NULL;

    broken = toy_rows_f64_i32;
    broken.name = "broken";
    broken.ops = &broken_ops;
    spmv_device_open(&options, &device, NULL);
    spmv_device_add_modules(device, table, NULL);
    return device;
}

static void test_broken_modules(void)
{
    static const struct {
        const char *what;
        spmv_status status;
        const char *text;
    } cases[] = {
        {"too many arrays", SPMV_ABI_MISMATCH, "array_count"},
        {"a negative array count", SPMV_ABI_MISMATCH, "array_count"},
        {"unknown borrow bits", SPMV_ABI_MISMATCH, "borrows"},
        {"a negative cost", SPMV_ABI_MISMATCH, "cost"},
        {"a cost that is no number", SPMV_ABI_MISMATCH, "cost"},
        {"a layout too large", SPMV_OVERFLOW, "broken does not take this matrix: a size"},
        {"an array larger than memory", SPMV_OUT_OF_MEMORY, "no memory for an array of broken"},
        {"a workspace larger than memory", SPMV_OUT_OF_MEMORY, "the workspace of broken"},
        {"a step without a function", SPMV_ABI_MISMATCH, "build steps of broken"},
        {"a step with a negative grid", SPMV_ABI_MISMATCH, "build steps of broken"},
        {"too many steps", SPMV_ABI_MISMATCH, "build steps of broken"},
        {"a negative number of steps", SPMV_ABI_MISMATCH, "build steps of broken"},
        {NULL, SPMV_OK, NULL},
        {"an answer that is no status", SPMV_ABI_MISMATCH, "status 77"},
        {"a negative answer", SPMV_ABI_MISMATCH, "status -1"},
        {"an order of y that is no array", SPMV_ABI_MISMATCH, "permutes_y is no array"},
        {"a negative order of y", SPMV_ABI_MISMATCH, "permutes_y is no array"},
        {"an order of y that is too short", SPMV_ABI_MISMATCH, "less numbers than y has"},
        {"scratch larger than memory", SPMV_OUT_OF_MEMORY, "scratch for the build of broken"},
        {"arrays larger than memory together", SPMV_OUT_OF_MEMORY, "an array of broken"},
        {"an infinite cost", SPMV_ABI_MISMATCH, "cost"},
        {"an order of x that is no array", SPMV_ABI_MISMATCH, "permutes_x is no array"},
        {"a negative order of x", SPMV_ABI_MISMATCH, "permutes_x is no array"},
        {"an order of x that is too short", SPMV_ABI_MISMATCH, "less numbers than x has"},
    };
    spmv_device *device = broken_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);

    for (broken_mode = 0; broken_mode < (int)(sizeof cases / sizeof cases[0]); broken_mode++) {
        spmv_error err = {SPMV_OK, ""};
        spmv_plan *plan;

        if (cases[broken_mode].what == NULL)
            continue;
        ok(spmv_plan_create(device, &s->csr, NULL, &plan, &err) == cases[broken_mode].status &&
           plan == NULL, "a module with %s is refused", cases[broken_mode].what);
        if (!ok(strstr(err.text, cases[broken_mode].text) != NULL, "the text says so"))
            diag("%s", err.text);
    }
    spmv_device_close(device);
    sample_destroy(s);
}

static void test_broken_later(void)
{
    spmv_device *device = broken_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    double *y = sample_vector(s, 10, 7);
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_plan *plan = NULL;
    spmv_error err;

    broken_mode = -1;
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.rows == 10,
       "a module cannot change the matrix's sizes");
    ok(spmv_plan_restore_csr(plan, NULL, s->col_idx, NULL, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "cannot be converted back"), "a module may have no way back to CSR");
    broken_mode = 11;
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_ABI_MISMATCH && y[0] == 7,
       "an execute with impossible steps does nothing");
    ok(spmv_plan_update_values(plan, s->val, &err) == SPMV_ABI_MISMATCH &&
       strstr(err.text, "the update steps of broken"), "nor does an update");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* A module does not get arrays again that it has converted. */
static void test_forgotten_arrays(void)
{
    spmv_device *device = broken_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = NULL;

    broken_mode = 12;
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, NULL) == SPMV_OK &&
       broken_csr->row_ptr == NULL && broken_csr->col_idx == NULL && broken_csr->val == NULL,
       "a plan keeps no pointer to arrays that are not borrowed");
    ok(spmv_plan_update_values(plan, s->val, NULL) == SPMV_OK && broken_csr->val == NULL,
       "nor to new values");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

/* One method declines the matrix; another method is chosen. */
static void test_next_candidate(void)
{
    spmv_device *device = broken_device();
    const spmv_module *const table[] = {&toy_parts_f64_i32, NULL};
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan_info info = {.struct_size = sizeof info, .module = NULL};
    spmv_plan *plan;

    broken_mode = 5;
    spmv_device_add_modules(device, table, NULL);
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.module == &toy_parts_f64_i32,
       "if a method declines the matrix, another method is chosen");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

/* A method's best module declines the matrix; the method's next module is chosen. */
static void test_next_module(void)
{
    static spmv_module best;
    const spmv_module *const table[] = {&best, NULL};
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_rows"};
    spmv_device *device = sample_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan_info info = {.struct_size = sizeof info, .module = NULL};
    spmv_plan *plan;

    best = toy_rows_f64_i32;
    best.name = "best";
    best.target = "toy-best";
    best.rank = 90;
    best.ops = &broken_ops;
    broken_mode = 5;
    spmv_device_add_modules(device, table, NULL);
    ok(spmv_device_module(device, 0) == &best, "the module of the highest rank comes first");
    ok(spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.module == &toy_fast_f64_i32,
       "if it declines the matrix, the method's next module is chosen");
    if (!ok(strstr(info.reason, "'toy-fast' has the highest rank (50) of those that this CPU can "
                                "run and that take the matrix") != NULL, "and the reason says so"))
        diag("%s", info.reason);
    spmv_plan_destroy(plan);
    broken_mode = 3;
    ok(spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK,
       "also if it breaks the contract");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

int main(void)
{
    test_broken_modules();
    test_broken_later();
    test_forgotten_arrays();
    test_next_candidate();
    test_next_module();
    return tap_done();
}
