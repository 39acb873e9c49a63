/* toy_client.c: see toy_client.h. */
#define _POSIX_C_SOURCE 200809L
#include "toy_client.h"

#include "runtime/core/threads/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sample *s;

void toy_begin(void)
{
    unsetenv("SPMV_TARGET");
    unsetenv("SPMV_DEVICE");
    unsetenv("SPMV_MEMORY");
    setenv("SPMV_CACHE", "", 1);
    s = sample_create(ROWS, COLS, 1, SPMV_F64, SPMV_I32);
}

void toy_end(void)
{
    sample_destroy(s);
}

spmv_status toy_open(const char *language, const spmv_module *const *modules, void *queue,
                     spmv_device **device, spmv_error *err)
{
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1,
                                         .target = "mock", .device = language, .queue = queue};
    const spmv_status status = spmv_device_open(&options, device, err);

    return status != SPMV_OK ? status : spmv_device_add_modules(*device, modules, err);
}

#ifdef WITHOUT_WRAP

int toy_before_host_steps(spmv_status (*before)(void))
{
    (void)before;
    return 0;
}

#else

/* The linker routes the library's calls of spmv_steps_run here (-Wl,--wrap). */
typedef spmv_status steps_run(const spmv_job *job, const spmv_step *step, int32_t count,
                              const spmv_threads *threads);
steps_run __real_spmv_steps_run, __wrap_spmv_steps_run;
static spmv_status (*before_steps)(void);

spmv_status __wrap_spmv_steps_run(const spmv_job *job, const spmv_step *step, int32_t count,
                                  const spmv_threads *threads)
{
    const spmv_status status = before_steps != NULL ? before_steps() : SPMV_OK;

    return status != SPMV_OK ? status : __real_spmv_steps_run(job, step, count, threads);
}

int toy_before_host_steps(spmv_status (*before)(void))
{
    before_steps = before;
    return 1;
}

#endif

static spmv_status break_contract(void)
{
    return SPMV_ABI_MISMATCH;
}

int toy_execute_breaking(const spmv_plan *plan, void *y, spmv_status *status)
{
    if (!toy_before_host_steps(break_contract))
        return 0;
    *status = spmv_execute(plan, 1, s->x, 0, y, NULL);
    toy_before_host_steps(NULL);
    return 1;
}

spmv_plan *make_plan(spmv_device *device, spmv_error *err)
{
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &s->csr, NULL, &plan, err);
    return plan;
}

int multiply_shared(spmv_device *device, const spmv_plan *plan)
{
    void *x = NULL, *y = NULL;
    int good = spmv_alloc(device, COLS * sizeof(double), &x) == SPMV_OK &&
               spmv_alloc(device, ROWS * sizeof(double), &y) == SPMV_OK;

    if (good) {
        memcpy(x, s->x, COLS * sizeof(double));
        for (int i = 0; i < ROWS; i++)
            sample_set(s, y, i, 3);
        good = spmv_execute(plan, 2, x, -1, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, -1, 3);
        for (int i = 0; i < ROWS; i++)
            sample_set(s, y, i, NAN);
        good = good && spmv_execute(plan, 1, x, 0, y, NULL) == SPMV_OK &&
               sample_is_right(s, y, 1, 0, 0) && memcmp(x, s->x, COLS * sizeof(double)) == 0;
    }
    spmv_free(device, x);
    spmv_free(device, y);
    return good;
}

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
