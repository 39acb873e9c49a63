/* test_library.c TOYS OTHER_ABI NO_TABLE GARBAGE: shared objects of modules. GARBAGE is a file that
 * is no shared object. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"

#include "../tap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static spmv_device *open_empty(void)
{
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1};
    spmv_device *device = NULL;

    spmv_device_open(&options, &device, NULL);
    return device;
}

/* Whether the shared object is still loaded. */
static int is_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);

    if (library != NULL)
        dlclose(library);
    return library != NULL;
}

static void test_load(const char *path)
{
    spmv_device *device = open_empty();
    sample *s = sample_create(40, 30, 1, SPMV_F64, SPMV_I32);
    void *y = sample_vector(s, 40, 7);
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_device_load_modules(device, path, &err) == SPMV_OK, "a shared object of modules loads");
    ok(spmv_device_module_count(device) == 5, "its usable modules are listed");
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, &err) == SPMV_OK &&
       spmv_execute(plan, 2, s->x, 3, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, 3, 7),
       "a loaded module multiplies");
    spmv_plan_destroy(plan);
    ok(spmv_device_load_modules(device, path, &err) == SPMV_OK &&
       spmv_device_module_count(device) == 5, "loading it again changes nothing");
    spmv_device_close(device);
    ok(!is_open(path), "closing the device closes it");
    sample_destroy(s);
    free(y);
}

static void refuse(const char *what, const char *path, spmv_status expected, const char *text)
{
    spmv_device *device = open_empty();
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_device_load_modules(device, path, &err) == expected, "refused: %s", what);
    if (!ok(strstr(err.text, text) != NULL, "the text says '%s'", text))
        diag("%s", err.text);
    ok(spmv_device_module_count(device) == 0, "and no module is added");
    ok(path == NULL || path[0] == '\0' || !is_open(path), "and the object is not kept");
    spmv_device_close(device);
}

/* A truncated text ends in dots. */
static void test_long_text(void)
{
    spmv_device *device = open_empty();
    char path[4001] = "";
    spmv_error err = {SPMV_OK, ""};

    memset(path, 'a', sizeof path - 1);
    ok(spmv_device_load_modules(device, path, &err) == SPMV_LOAD_FAILED &&
       strlen(err.text) == sizeof err.text - 1 &&
       strcmp(err.text + sizeof err.text - 4, "...") == 0, "a text that is too long ends in dots");
    spmv_device_close(device);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        diag("usage: %s TOYS OTHER_ABI NO_TABLE GARBAGE", argv[0]);
        return 2;
    }
    unsetenv("SPMV_TARGET");
    test_load(argv[1]);
    refuse("modules of another ABI", argv[2], SPMV_ABI_MISMATCH, "Emit the modules again");
    refuse("a shared object without a table", argv[3], SPMV_LOAD_FAILED,
           "exports no spmv_module_table");
    refuse("the same, with what to do", argv[3], SPMV_LOAD_FAILED, "-DSPMV_MODULE_TABLE_EXPORT");
    refuse("a file that is no shared object", argv[4], SPMV_LOAD_FAILED, argv[4]);
    refuse("a file that is not there", "./not-there.so", SPMV_LOAD_FAILED, "not-there.so");
    refuse("a folder", "/", SPMV_LOAD_FAILED, "spmv_device_load_modules");
    refuse("an empty path", "", SPMV_INVALID_ARGUMENT, "path is empty");
    refuse("a null path", NULL, SPMV_INVALID_ARGUMENT, "path is empty");
    test_long_text();
    ok(spmv_device_load_modules(NULL, argv[1], NULL) == SPMV_INVALID_ARGUMENT,
       "a null device is refused");
    return tap_done();
}
