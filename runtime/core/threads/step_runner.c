/* step_runner.c: see step_runner.h. Thread-safe: no shared state. */
#include "runtime/core/threads/step_runner.h"

#include "runtime/base/cache_line.h"
#include "runtime/core/threads/parallel.h"

/* A step and its job, side by side for the threads that read them. */
typedef struct SPMV_LINE_ALIGNED step_run {
    int64_t grid, parts;
    void (*run)(const spmv_job *job, int64_t first, int64_t last);
    spmv_job job;
} step_run;

static void run_step_part(void *argument, int32_t part)
{
    const step_run *r = (const step_run *)argument;

    r->run(&r->job, spmv_parallel_begin(r->grid, r->parts, part),
           spmv_parallel_begin(r->grid, r->parts, part + 1));
}

spmv_threads spmv_steps_team(const spmv_step *step, int32_t count, const spmv_threads *threads)
{
    spmv_threads team = *threads;

    for (int32_t i = 0; i < count; i++) {
        const int32_t parts = spmv_parallel_parts(threads, step[i].grid);

        team.least = parts > team.least ? parts : team.least;
    }
    return team;
}

spmv_status spmv_steps_run(const spmv_job *job, const spmv_step *step, int32_t count,
                           const spmv_threads *threads)
{
    spmv_threads team;

    if (count < 0 || count > SPMV_MAX_STEPS)
        return SPMV_ABI_MISMATCH;
    for (int32_t i = 0; i < count; i++)
        if (step[i].grid < 0 || (step[i].grid > 0 && step[i].run == NULL))
            return SPMV_ABI_MISMATCH;
    team = spmv_steps_team(step, count, threads);
    for (int32_t i = 0; i < count; i++) {
        const int32_t parts = spmv_parallel_parts(threads, step[i].grid);
        step_run r = {step[i].grid, parts, step[i].run, *job};

        spmv_team_run(&team, parts, run_step_part, &r);
    }
    return SPMV_OK;
}
