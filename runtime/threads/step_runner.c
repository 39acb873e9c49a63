/* step_runner.c: see step_runner.h. Thread-safe: no shared state. */
#include "runtime/threads/step_runner.h"

#include "runtime/threads/parallel.h"

typedef struct step_run {
    const spmv_job *job;
    const spmv_step *step;
} step_run;

static void run_step_chunks(const void *context, int64_t first, int64_t last)
{
    const step_run *run = (const step_run *)context;

    run->step->run(run->job, first, last);
}

spmv_status spmv_steps_run(const spmv_job *job, const spmv_step *step, int32_t count,
                           const spmv_threads *threads)
{
    spmv_threads together = *threads;    /* one team for all steps */

    if (count < 0 || count > SPMV_MAX_STEPS)
        return SPMV_ABI_MISMATCH;
    for (int32_t i = 0; i < count; i++)
        if (step[i].grid < 0 || (step[i].grid > 0 && step[i].run == NULL))
            return SPMV_ABI_MISMATCH;
    for (int32_t i = 0; i < count; i++) {
        const int32_t parts = spmv_parallel_parts(threads, step[i].grid);

        together.least = parts > together.least ? parts : together.least;
    }
    for (int32_t i = 0; i < count; i++) {
        const step_run run = {job, &step[i]};
        spmv_parallel_run(&together, step[i].grid, run_step_chunks, &run);
    }
    return SPMV_OK;
}
