/* test_device.c: opening devices, tables of modules, the environment, status texts. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_status_texts(void)
{
    int all_worded = 1;

    for (int i = 0; i <= SPMV_DEVICE_FAILED; i++)
        all_worded &= strlen(spmv_status_text((spmv_status)i)) > 5 &&
                      strcmp(spmv_status_text((spmv_status)i), "unknown status") != 0;
    ok(all_worded, "every status has a text");
    ok(strcmp(spmv_status_text((spmv_status)(SPMV_DEVICE_FAILED + 1)), "unknown status") == 0 &&
       strcmp(spmv_status_text((spmv_status)-1), "unknown status") == 0,
       "an unknown status has a text, too");
}

static void test_order(void)
{
    spmv_device *device = sample_device();

    ok(spmv_device_module_count(device) == 5, "modules that this CPU cannot run are not listed");
    ok(spmv_device_module(device, 0) == &toy_fast_f64_i32, "the highest rank comes first");
    ok(spmv_device_module(device, 1) == &toy_loose_f64_i32 &&
       spmv_device_module(device, 2) == &toy_parts_f64_i32 &&
       spmv_device_module(device, 3) == &toy_rows_f32_i64 &&
       spmv_device_module(device, 4) == &toy_rows_f64_i32, "equal ranks are ordered by name");
    ok(spmv_device_module(device, 5) == NULL, "there is no module past the end");
    ok(spmv_device_module_count(NULL) == 0 && spmv_device_module(NULL, 0) == NULL,
       "a null device has no modules");
    spmv_device_close(device);
    spmv_device_close(NULL);
}

/* ---- tables that are refused ---------------------------------------------------------------- */

typedef struct refusal {
    const char *what;
    spmv_module module;
    spmv_status status;
    const char *text;            /* part of the error text */
} refusal;

static void test_refusals(void)
{
    const spmv_module good = toy_rows_f64_i32;
    spmv_method_ops no_launches = *good.ops;
    const spmv_setting odd_settings[][2] = {
        {{"good", "fine", 0, 1, 0}, {NULL, "a setting without a name", 0, 1, 0}},
        {{"good", "fine", 0, 1, 0}, {"", "a setting without a name", 0, 1, 0}},
        {{"good", "fine", 0, 1, 0}, {"quiet", NULL, 0, 1, 0}},
        {{"good", "fine", 0, 1, 0}, {"far", "a setting out of its range", 0, 1, 2}},
    };
    const spmv_param odd_params[][2] = {
        {{"good", 1, "here"}, {NULL, 1, "here"}}, {{"good", 1, "here"}, {"lost", 1, NULL}},
    };
    spmv_method_ops odd_ops[4], many_numbers = *good.ops;
    refusal refusals[21];
    size_t count = 0;

    for (size_t i = 0; i < 4; i++) {
        odd_ops[i] = *good.ops;
        odd_ops[i].settings = odd_settings[i];
        odd_ops[i].setting_count = 2;
    }
    many_numbers.number_count = SPMV_MAX_NUMBERS + 1;
    no_launches.launches = NULL;
#define REFUSE(what_, field, value, status_, text_)                                                \
    refusals[count] = (refusal){what_, good, status_, text_};                                      \
    refusals[count++].module.field = value
    REFUSE("another ABI", abi, SPMV_MODULE_ABI + 1, SPMV_ABI_MISMATCH, "Emit the modules again");
    REFUSE("no name", name, NULL, SPMV_ABI_MISMATCH, "no name");
    REFUSE("no method", method, NULL, SPMV_ABI_MISMATCH, "no method");
    REFUSE("no target", target, "", SPMV_ABI_MISMATCH, "no target");
    REFUSE("no generator", generator, NULL, SPMV_ABI_MISMATCH, "no generator");
    REFUSE("a foreign value type", value_type, (spmv_value_type)7, SPMV_ABI_MISMATCH, "value_type");
    REFUSE("values of f16", value_type, SPMV_F16, SPMV_ABI_MISMATCH, "value_type");
    REFUSE("values of bf16", value_type, SPMV_BF16, SPMV_ABI_MISMATCH, "value_type");
    REFUSE("a foreign offset type", offset_type, (spmv_offset_type)0, SPMV_ABI_MISMATCH,
           "offset_type");
    REFUSE("parameters missing", params, NULL, SPMV_ABI_MISMATCH, "parameters");
    REFUSE("no usable()", usable, NULL, SPMV_ABI_MISMATCH, "usable is NULL");
    REFUSE("no ops", ops, NULL, SPMV_ABI_MISMATCH, "ops is NULL");
    REFUSE("an op missing", ops, &no_launches, SPMV_ABI_MISMATCH, "one of its ops");
    REFUSE("a known name with another source hash", source_hash, 2, SPMV_INVALID_ARGUMENT,
           "another module named 'toy_rows_f64_i32'");

    REFUSE("a setting of a NULL name", ops, &odd_ops[0], SPMV_ABI_MISMATCH,
           "one of its settings is not described");
    REFUSE("a setting of an empty name", ops, &odd_ops[1], SPMV_ABI_MISMATCH,
           "one of its settings is not described");
    REFUSE("a setting without a meaning", ops, &odd_ops[2], SPMV_ABI_MISMATCH,
           "one of its settings is not described");
    REFUSE("a setting out of its range", ops, &odd_ops[3], SPMV_ABI_MISMATCH,
           "not within its range");
    REFUSE("too many numbers", ops, &many_numbers, SPMV_ABI_MISMATCH, "the names of its numbers");
    REFUSE("a parameter of a NULL name", params, odd_params[0], SPMV_ABI_MISMATCH,
           "one of its parameters is not described");
    refusals[count - 1].module.param_count = 2;
    REFUSE("a parameter from nowhere", params, odd_params[1], SPMV_ABI_MISMATCH,
           "one of its parameters is not described");
    refusals[count - 1].module.param_count = 2;

    for (size_t i = 0; i < count; i++) {
        spmv_device *device = sample_device();
        spmv_module fresh = toy_rows_f64_i32;
        const spmv_module *const table[] = {&fresh, &refusals[i].module, NULL};
        const size_t before = spmv_device_module_count(device);
        spmv_error err = {SPMV_OK, ""};
        spmv_status status;

        fresh.name = "fresh";
        status = spmv_device_add_modules(device, table, &err);
        ok(status == refusals[i].status && err.status == status, "refused: a module with %s",
           refusals[i].what);
        if (!ok(strstr(err.text, refusals[i].text) != NULL, "the text says so"))
            diag("%s", err.text);
        ok(spmv_device_module_count(device) == before, "and nothing of its table is added");
        ok(spmv_device_add_modules(device, table, NULL) == status, "the error may be NULL");
        spmv_device_close(device);
    }
}

static void test_repeated_table(void)
{
    const spmv_module *const empty[] = {NULL};
    spmv_device *device = sample_device();

    ok(spmv_device_add_modules(device, toy_modules, NULL) == SPMV_OK &&
       spmv_device_module_count(device) == 5, "adding a table again changes nothing");
    ok(spmv_device_add_modules(device, empty, NULL) == SPMV_OK, "an empty table is fine");
    ok(spmv_device_add_modules(device, NULL, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_device_add_modules(NULL, toy_modules, NULL) == SPMV_INVALID_ARGUMENT,
       "null pointers are refused");
    spmv_device_close(device);
}

/* ---- options and environment ---------------------------------------------------------------- */

/* The number of toy modules of a device that is opened with this target and SPMV_TARGET. */
static size_t count_modules(const char *target, const char *environment)
{
    const spmv_device_options options = {.struct_size = sizeof options, .target = target,
                                         .no_builtin_modules = 1};
    spmv_device *device = NULL;
    size_t count = 99;

    if (environment != NULL)
        setenv("SPMV_TARGET", environment, 1);
    if (spmv_device_open(&options, &device, NULL) == SPMV_OK &&
        spmv_device_add_modules(device, toy_modules, NULL) == SPMV_OK)
        count = spmv_device_module_count(device);
    spmv_device_close(device);
    unsetenv("SPMV_TARGET");
    return count;
}

static void test_target(void)
{
    ok(count_modules("toy-fast", NULL) == 1, "options.target restricts a device to its modules");
    ok(count_modules(NULL, "toy") == 4, "so does SPMV_TARGET");
    ok(count_modules("toy-fast", "toy") == 1, "options.target wins over SPMV_TARGET");
    ok(count_modules(NULL, "") == 5, "an empty SPMV_TARGET is ignored");
    ok(count_modules("toy-slow", NULL) == 0, "an unknown target has no modules");
}

/* An options struct of a later version of the library. */
typedef struct newer_options {
    spmv_device_options known;
    int64_t unknown;
} newer_options;

static spmv_status open_with(const void *options, spmv_error *err)
{
    spmv_device *device = NULL;
    const spmv_status status = spmv_device_open((const spmv_device_options *)options, &device, err);

    ok((device != NULL) == (status == SPMV_OK), "a device comes with success, and only then");
    spmv_device_close(device);
    return status;
}

static void test_options(void)
{
    spmv_device_options options = {0};
    newer_options newer = {{.struct_size = sizeof newer, .no_builtin_modules = 1}, 0};
    spmv_error err = {SPMV_OK, "untouched"};

    ok(spmv_device_open(NULL, NULL, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "out is NULL") != NULL, "out must not be NULL");
    strcpy(err.text, "untouched");
    ok(open_with(NULL, &err) == SPMV_OK, "NULL options are all defaults");
    ok(open_with(&options, &err) == SPMV_OK, "zeroed options are all defaults");
    ok(strcmp(err.text, "untouched") == 0, "success leaves the error untouched");
    options.no_builtin_modules = 1;
    ok(open_with(&options, &err) == SPMV_INVALID_ARGUMENT && strstr(err.text, "struct_size is 0"),
       "a forgotten struct_size is reported");
    options.struct_size = 4;
    ok(open_with(&options, &err) == SPMV_INVALID_ARGUMENT && strstr(err.text, "struct_size is 4"),
       "a struct_size smaller than any version is refused");
    options.struct_size = SIZE_MAX;
    ok(open_with(&options, &err) == SPMV_INVALID_ARGUMENT && strstr(err.text, "was it set?"),
       "a struct_size larger than any version is refused");
    ok(open_with(&newer, &err) == SPMV_OK, "a newer struct is accepted if its new fields are zero");
    newer.unknown = 7;
    ok(open_with(&newer, &err) == SPMV_INVALID_ARGUMENT && strstr(err.text, "does not know"),
       "a newer struct with an unknown field set is refused");
}

/* The CPU is a single device, which cannot be chosen by name. */
static void test_cpu(void)
{
    static const char *const wrong[] = {"cpu:zz", "cpu:", "cpus", "CPU"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const spmv_device_options options = {.struct_size = sizeof options, .device = wrong[i]};
        spmv_error err = {SPMV_OK, ""};

        ok(open_with(&options, &err) == SPMV_INVALID_ARGUMENT &&
           strstr(err.text, "options.device is '") && strstr(err.text, wrong[i]) &&
           strstr(err.text, "expected \"cpu\", \"opencl\", \"opencl:\" and part of"),
           "options.device = \"%s\" is refused: %s", wrong[i], err.text);
        setenv("SPMV_DEVICE", wrong[i], 1);
        ok(open_with(NULL, &err) == SPMV_INVALID_ARGUMENT && strstr(err.text, "SPMV_DEVICE is '"),
           "so is SPMV_DEVICE=%s", wrong[i]);
    }
    setenv("SPMV_DEVICE", "cpu", 1);
    ok(open_with(NULL, NULL) == SPMV_OK, "SPMV_DEVICE=cpu opens it");
    unsetenv("SPMV_DEVICE");
}

static void test_alloc(void)
{
    spmv_device *device = sample_device();
    void *memory = &memory;

    ok(spmv_alloc(device, 100, &memory) == SPMV_OK && (uintptr_t)memory % SPMV_ALIGNMENT == 0,
       "device memory is aligned");
    memset(memory, 0xee, 100);
    spmv_free(device, memory);
    ok(spmv_alloc(device, 0, &memory) == SPMV_OK && memory != NULL, "0 bytes are fine");
    spmv_free(device, memory);
    spmv_free(device, NULL);
    ok(spmv_alloc(device, SIZE_MAX, &memory) == SPMV_OUT_OF_MEMORY && memory == NULL,
       "more bytes than there can be are refused");
    ok(spmv_alloc(device, 8, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_alloc(NULL, 8, &memory) == SPMV_INVALID_ARGUMENT, "null pointers are refused");
    spmv_device_close(device);
}

/* ---- SPMV_DEBUG ----------------------------------------------------------------------------- */

/* Opens a device and creates a plan. text: the first size - 1 bytes written to stderr. */
static void record_stderr(const char *debug, char *text, size_t size)
{
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    FILE *file = tmpfile();
    const int saved = dup(STDERR_FILENO);
    spmv_device *device;
    spmv_plan *plan = NULL;
    size_t length;

    setenv("SPMV_DEBUG", debug, 1);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    device = sample_device();
    spmv_plan_create(device, &s->csr, NULL, &plan, NULL);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    unsetenv("SPMV_DEBUG");

    rewind(file);
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    sample_destroy(s);
}

static void test_debug(void)
{
    char text[8192];

    record_stderr("", text, sizeof text);
    ok(text[0] == '\0', "nothing is printed by default");
    record_stderr("0", text, sizeof text);
    ok(text[0] == '\0', "SPMV_DEBUG=0 prints nothing");
    record_stderr("1", text, sizeof text);
    ok(strstr(text, "toy_unusable_f64_i32: rank 99") && strstr(text, "for other CPUs"),
       "SPMV_DEBUG=1 shows why a module is not usable");
    if (!ok(strstr(text, "plan: toy_fast_f64_i32 for 10 x 10") && strstr(text, "cheapest of 2"),
            "SPMV_DEBUG=1 shows the choice and its reason"))
        diag("%s", text);
}

int main(void)
{
    unsetenv("SPMV_TARGET");
    unsetenv("SPMV_DEBUG");
    test_status_texts();
    test_order();
    test_refusals();
    test_repeated_table();
    test_target();
    test_options();
    test_cpu();
    test_alloc();
    test_debug();
    return tap_done();
}
