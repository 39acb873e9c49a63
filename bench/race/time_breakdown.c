/* time_breakdown.c: see time_breakdown.h. */
#include "bench/race/time_breakdown.h"

#include <string.h>

#include "bench/race/timing.h"

enum { SAMPLES = 15 };

static bool is_kernel(const spmv_program *program, const char *name)
{
    for (int32_t k = 0; k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].name, name) == 0)
            return true;
    return false;
}

static bool is_copy(const char *name)
{
    return strcmp(name, "to the device") == 0 || strcmp(name, "from the device") == 0;
}

static bench_time_breakdown add_up(const spmv_program *program, const spmv_step_time *time,
                                   int32_t count)
{
    bench_time_breakdown breakdown = { 0, 0, 0 };

    for (int32_t i = 0; i < count; i++)
        *(is_copy(time[i].name) ? &breakdown.copies
          : is_kernel(program, time[i].name) ? &breakdown.kernels : &breakdown.host) +=
            time[i].seconds;
    return breakdown;
}

bool bench_time_breakdown_measure(const spmv_plan *plan, double alpha, const void *x, double beta,
                                  void *y, bench_time_breakdown *out)
{
    spmv_plan_info info = { .struct_size = sizeof info };
    double kernels[SAMPLES], host[SAMPLES], copies[SAMPLES];

    *out = (bench_time_breakdown){ 0, 0, 0 };
    if (spmv_plan_query(plan, &info) || !info.module->program)
        return false;
    for (int i = 0; i < SAMPLES; i++) {
        spmv_step_time time[SPMV_MAX_STEPS];
        int32_t count = 0;

        if (spmv_execute_profile(plan, alpha, x, beta, y, NULL, time, &count))
            return false;
        const bench_time_breakdown breakdown = add_up(info.module->program, time, count);
        kernels[i] = breakdown.kernels;
        host[i] = breakdown.host;
        copies[i] = breakdown.copies;
    }
    *out = (bench_time_breakdown){ bench_median(kernels, SAMPLES), bench_median(host, SAMPLES),
                                   bench_median(copies, SAMPLES) };
    return true;
}
