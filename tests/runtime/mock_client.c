/* mock_client.c: see mock_client.h. */
#define _POSIX_C_SOURCE 200809L
#include "mock_client.h"

#include "../tap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

mock_control *mock;
sample *s;

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
    unsetenv("SPMV_TARGET");
    unsetenv("SPMV_DEVICE");
    unsetenv("SPMV_MEMORY");
    setenv("SPMV_OPENCL_LIBRARY", argv[1], 1);
    setenv("SPMV_CACHE", "", 1);
    s = sample_create(ROWS, COLS, 1, SPMV_F64, SPMV_I32);
    mock_reset();
}

void mock_end(void)
{
    sample_destroy(s);
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
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1,
                                         .target = "mock", .device = "opencl", .queue = queue};
    const spmv_status status = spmv_device_open(&options, device, err);

    return status != SPMV_OK ? status : spmv_device_add_modules(*device, toy_device_modules, err);
}

spmv_plan *make_plan(spmv_device *device, spmv_error *err)
{
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &s->csr, NULL, &plan, err);
    return plan;
}

int is_clean(void)
{
    count_objects();
    if (mock->live != 0 || mock->misuses != 0 || mock->shared != 0)
        diag("%d objects and %d shared allocations left, %d misuses", mock->live, mock->shared,
             mock->misuses);
    return mock->live == 0 && mock->misuses == 0 && mock->shared == 0;
}

/* Copies to and from the device that a multiplication makes. */
int transfers(const spmv_plan *plan, const void *x, void *y)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    int found = 0;

    if (spmv_execute_profile(plan, 1, x, 0, y, NULL, time, &count) != SPMV_OK)
        return -1;
    for (int32_t i = 0; i < count; i++)
        found += strstr(time[i].name, "the device") != NULL;
    return found;
}
