/* shell.c: what a bundle adds to the core. */
#include "runtime/core/shell.h"

#include "runtime/core/build.h"
#include "runtime/core/threads/step_runner.h"

#if !SPMV_BUNDLE_STATIC
#include "runtime/base/memory.h"
#endif

int32_t spmv_team_most(int32_t parts)
{
    return parts;
}

int spmv_layout_is_sound(const spmv_module *module, const spmv_layout *layout, spmv_status status,
                         spmv_error *err)
{
    (void)module;
    (void)layout;
    (void)status;
    (void)err;
    return 1;
}

#if SPMV_BUNDLE_STATIC

void spmv_team_start(const spmv_threads *threads, int32_t members, spmv_run_member *run,
                     const void *job)
{
    (void)threads;
    (void)members;
    run(job, 0, 1);
}

#else

/* wanted is not 0 with parallel_for; without OpenMP and parallel_for there is one. */
spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context)
{
    spmv_threads threads = {wanted, 0, parallel_for, context};

    if (parallel_for == NULL)
        threads.count = spmv_openmp_threads(wanted);
    if (threads.count > SPMV_MAX_THREADS)
        threads.count = SPMV_MAX_THREADS;
    return threads;
}

void spmv_team_start(const spmv_threads *threads, int32_t members, spmv_run_member *run,
                     const void *job)
{
    (void)spmv_openmp_team(members > threads->least ? members : threads->least, run, job);
}

int spmv_name_distance(const char *typed, const char *name)
{
    (void)typed;
    (void)name;
    return -1;
}

spmv_status spmv_settings_read(const spmv_module *module, const char *text,
                               int64_t value[SPMV_MAX_SETTINGS], spmv_error *err)
{
    (void)text;
    (void)err;
    spmv_initial_settings(module, value);
    return SPMV_OK;
}

spmv_status spmv_plan_run_build(spmv_core *plan, const spmv_job *job, const spmv_step *step,
                                int32_t count)
{
    return spmv_steps_run(job, step, count, &plan->threads);
}

#endif

#if !SPMV_BUNDLE_DEVICE

#if !SPMV_BUNDLE_STATIC

void *spmv_plan_alloc(const spmv_core *plan, size_t bytes)
{
    (void)plan;
    return spmv_memory_alloc(bytes);
}

void spmv_plan_release(const spmv_core *plan, void *memory)
{
    (void)plan;
    spmv_memory_free(memory);
}

spmv_status spmv_plan_fill(const spmv_request *request, spmv_core *plan, spmv_error *err)
{
    return spmv_core_build(plan, request->copy, err);
}

#endif

spmv_status spmv_plan_send_values(const spmv_core *plan, spmv_error *err)
{
    (void)plan;
    (void)err;
    return SPMV_OK;
}

spmv_status spmv_plan_launch(const spmv_core *plan, const spmv_job *job)
{
    spmv_step step[SPMV_MAX_STEPS];

    return spmv_steps_run(job, step, plan->module->ops->launches(job, step), &plan->threads);
}

#endif
