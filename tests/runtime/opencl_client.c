/* opencl_client.c: see opencl_client.h. */
#define _POSIX_C_SOURCE 200809L
#include "opencl_client.h"

#include "../tap.h"

#include <dlfcn.h>
#include <stdlib.h>

mock_control *mock;

static void *library;
static mock_control *(*get_control)(void);
static void (*count_objects)(void);

void mock_begin(int argc, char **argv)
{
    library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (library == NULL) {
        diag("usage: MOCK LIBRARY_WITHOUT_OPENCL");
        exit(1);
    }
    *(void **)&get_control = mock_function("mock_opencl_control");
    *(void **)&count_objects = mock_function("mock_opencl_count");
    setenv("SPMV_OPENCL_LIBRARY", argv[1], 1);
    toy_begin();
    mock_reset();
}

void mock_end(void)
{
    toy_end();
    dlclose(library);
}

void mock_reset(void)
{
    mock = get_control();
}

void *mock_function(const char *name)
{
    return dlsym(library, name);
}

spmv_status open_mock(void *queue, spmv_device **device, spmv_error *err)
{
    return toy_open("opencl", toy_device_modules, queue, device, err);
}

int is_clean(void)
{
    count_objects();
    if (mock->live != 0 || mock->misuses != 0 || mock->shared != 0)
        diag("%d objects and %d shared allocations left, %d misuses", mock->live, mock->shared,
             mock->misuses);
    return mock->live == 0 && mock->misuses == 0 && mock->shared == 0;
}

static void fail(const char *function, int at, int code)
{
    mock->failing = function;
    mock->fail_at = at;
    mock->code = code;
}

static int calls(void)
{
    return mock->calls;
}

const tested_backend opencl = {"opencl", mock_reset, is_clean, NULL, fail, calls};
