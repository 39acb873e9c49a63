/* test_choice.c: a choice as a line of text, and plans made from the text. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"
#include "toy.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

static spmv_device *device;
static sample *s;

static spmv_plan *create(const spmv_plan_options *options)
{
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

static const spmv_module *module_of(const spmv_plan *plan)
{
    spmv_plan_info info = {.struct_size = sizeof info, .module = NULL};

    spmv_plan_query(plan, &info);
    return info.module;
}

/* Whether the plan permutes y. */
static int is_permuted(const spmv_plan *plan)
{
    spmv_plan_info info = {.struct_size = sizeof info, .y_permutation = NULL};

    spmv_plan_query(plan, &info);
    return info.y_permutation != NULL;
}

static void test_repeat(void)
{
    const spmv_plan_options sorted = {.struct_size = sizeof sorted, .method = "toy_sorted",
                                      .settings = "permuted=1,stripe=7", .threads = 3};
    const spmv_plan_options slow = {.struct_size = sizeof slow, .method = "toy_rows",
                                    .target = "toy"};
    spmv_plan_options repeat = {.struct_size = sizeof repeat};
    char text[SPMV_CHOICE_SIZE];
    spmv_plan *plan = create(&sorted);
    spmv_plan *again;
    spmv_plan_info info = {.struct_size = sizeof info, .reason = ""};

    ok(spmv_plan_choice(plan, text, sizeof text, NULL) == SPMV_OK &&
       strcmp(text, "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 permuted=1,stripe=7") == 0,
       "a choice is a line of module, source hash and settings");
    repeat.choice = text;
    again = create(&repeat);
    ok(module_of(again) == &toy_sorted_f64_i32 && is_permuted(again), "and makes the same plan");
    spmv_plan_query(again, &info);
    ok(strcmp(info.reason, "options.choice names it") == 0, "whose reason says so");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(again);

    plan = create(&slow);
    ok(spmv_plan_choice(plan, text, strlen("spmv-choice 1 toy_rows_f64_i32 0000000000000001") + 1,
                        NULL) == SPMV_OK, "a text may just fit");
    strcat(text, "\n");
    again = create(&repeat);
    ok(module_of(again) == &toy_rows_f64_i32,
       "the named module is used despite its lower rank; a line end is ignored");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(again);
}

static void test_arguments(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_rows"};
    spmv_plan *plan = create(&options);
    char text[SPMV_CHOICE_SIZE] = "untouched";
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_plan_choice(NULL, text, sizeof text, &err) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_choice(plan, NULL, 0, &err) == SPMV_INVALID_ARGUMENT, "null pointers are refused");
    ok(spmv_plan_choice(plan, text, 10, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "size is 10; expected 48") && strcmp(text, "untouched") == 0,
       "a text that is too small is not written");
    ok(spmv_plan_choice(plan, text, 0, NULL) == SPMV_INVALID_ARGUMENT, "nor is a text of 0 bytes");
    spmv_plan_destroy(plan);
}

static void test_long_name(void)
{
    static spmv_module endless;
    static char name[600];
    const spmv_module *const table[] = {&endless, NULL};
    const spmv_plan_options options = {.struct_size = sizeof options, .target = "endless"};
    char text[2 * SPMV_CHOICE_SIZE];
    spmv_error err = {SPMV_OK, ""};
    spmv_plan *plan;

    memset(name, 'n', sizeof name - 1);
    endless = toy_rows_f64_i32;
    endless.name = name;
    endless.target = "endless";
    spmv_device_add_modules(device, table, NULL);
    plan = create(&options);
    ok(spmv_plan_choice(plan, text, sizeof text, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "too long"), "a name that is too long for a line is reported");
    spmv_plan_destroy(plan);
}

static void test_refused(void)
{
    static const struct {
        const char *what, *choice, *method, *target, *settings;
        spmv_status status;
        const char *text;
    } cases[] = {
        {"an empty choice", "", NULL, NULL, NULL, SPMV_INVALID_ARGUMENT, "a line that"},
        {"another line", "spmv_csr5", NULL, NULL, NULL, SPMV_INVALID_ARGUMENT, "'spmv_csr5'"},
        {"the mark alone", "spmv-choice ", NULL, NULL, NULL, SPMV_INVALID_ARGUMENT, "a line that"},
        {"no module", "spmv-choice 1", NULL, NULL, NULL, SPMV_INVALID_ARGUMENT, "a line that"},
        {"no hash", "spmv-choice 1 toy_rows_f64_i32", NULL, NULL, NULL, SPMV_INVALID_ARGUMENT,
         "a line that"},
        {"a short hash", "spmv-choice 1 toy_rows_f64_i32 1", NULL, NULL, NULL,
         SPMV_INVALID_ARGUMENT, "a line that"},
        {"a malformed hash", "spmv-choice 1 toy_rows_f64_i32 000000000000000g", NULL, NULL, NULL,
         SPMV_INVALID_ARGUMENT, "a line that"},
        {"something after it",
         "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 stripe=1 permuted=1", NULL, NULL, NULL,
         SPMV_INVALID_ARGUMENT, "a line that"},
        {"another version", "spmv-choice 2 whatever follows there", NULL, NULL, NULL, SPMV_STALE,
         "version '2'"},
        {"a module that is not there", "spmv-choice 1 toy_ell_f64_i32 0000000000000001", NULL, NULL,
         NULL, SPMV_STALE, "'toy_ell_f64_i32', which the device has not"},
        {"a module of other sources", "spmv-choice 1 toy_rows_f64_i32 00000000000000ab", NULL, NULL,
         NULL, SPMV_STALE, "with source hash 00000000000000ab; the device's has 0000000000000001"},
        {"a module for another CPU", "spmv-choice 1 toy_unusable_f64_i32 0000000000000001", NULL,
         NULL, NULL, SPMV_STALE, "cannot be used: it is for other CPUs"},
        {"a module for other types", "spmv-choice 1 toy_rows_f32_i64 0000000000000001", NULL, NULL,
         NULL, SPMV_STALE, "for f32 values and i64 row pointers; the matrix has f64 and i32"},
        {"invalid settings", "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 stripe=0",
         NULL, NULL, NULL, SPMV_INVALID_ARGUMENT, "options.choice: options.settings: stripe is"},
        {"another method beside it", "spmv-choice 1 toy_rows_f64_i32 0000000000000001", "toy_parts",
         NULL, NULL, SPMV_INVALID_ARGUMENT, "of method 'toy_rows', options.method is 'toy_parts'"},
        {"another target beside it", "spmv-choice 1 toy_rows_f64_i32 0000000000000001", NULL,
         "toy-fast", NULL, SPMV_INVALID_ARGUMENT, "of target 'toy', options.target is 'toy-fast'"},
        {"another setting beside it",
         "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 permuted=0,stripe=7", "toy_sorted",
         NULL, "stripe=8", SPMV_INVALID_ARGUMENT, "stripe=7, options.settings asks for 8"},
        {"settings without a method beside it",
         "spmv-choice 1 toy_sorted_f64_i32 0000000000000001", NULL, NULL, "stripe=8",
         SPMV_INVALID_ARGUMENT, "name it"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const spmv_plan_options options = {
            .struct_size = sizeof options, .choice = cases[i].choice, .method = cases[i].method,
            .target = cases[i].target, .settings = cases[i].settings,
        };
        spmv_error err = {SPMV_OK, ""};
        spmv_plan *plan = (spmv_plan *)&err;     /* anything but NULL */

        ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == cases[i].status &&
           err.status == cases[i].status && plan == NULL, "refused: %s", cases[i].what);
        if (!ok(strncmp(err.text, "spmv_plan_create: options.", 26) == 0 &&
               strstr(err.text, cases[i].text),
                "and the text says '%s'", cases[i].text))
            diag("%s", err.text);
    }
}

static void test_agreeing(void)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = "toy_sorted", .target = "toy",
        .settings = "stripe=7",
        .choice = "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 permuted=0,stripe=7",
    };
    const spmv_plan_options forgotten = {.choice = options.choice};
    spmv_plan *plan = create(&options);
    spmv_error err;

    ok(module_of(plan) == &toy_sorted_f64_i32, "method, target and settings may say the same");
    spmv_plan_destroy(plan);
    ok(spmv_plan_create(device, &s->csr, &forgotten, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "struct_size is 0"), "a forgotten struct_size is reported");
}

/* A device that was opened for one target does not repeat a choice of another. */
static void test_target(void)
{
    const spmv_device_options opened = {.struct_size = sizeof opened, .target = "toy-fast",
                                        .no_builtin_modules = 1};
    const spmv_plan_options options = {
        .struct_size = sizeof options,
        .choice = "spmv-choice 1 toy_rows_f64_i32 0000000000000001",
    };
    spmv_device *other = NULL;
    spmv_plan *plan;
    spmv_error err = {SPMV_OK, ""};

    spmv_device_open(&opened, &other, NULL);
    spmv_device_add_modules(other, toy_modules, NULL);
    ok(spmv_plan_create(other, &s->csr, &options, &plan, &err) == SPMV_STALE &&
       strstr(err.text, "opened for another target"),
       "a choice does not override the device's target");
    spmv_device_close(other);
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    s = sample_create(64, 40, 1, SPMV_F64, SPMV_I32);
    test_repeat();
    test_arguments();
    test_refused();
    test_agreeing();
    test_target();
    test_long_name();
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}
