/* bare_steps.c: the steps that a module lists, and their faults: see bare_runner.h. */
#include "bare_runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "launch.h"

/* ---- faults -------------------------------------------------------------------------------- */

bare_fault bare_fail(bare *b, bare_fault kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(b->error, sizeof b->error, format, args);
    va_end(args);
    return kind;
}

static const char *name_of(const bare *b, int index)
{
    const char *name = index >= BARE_ARRAYS ? b->layout.array[index - BARE_ARRAYS].name : NULL;
    return name ? name : guard_name(b->guard[index]);
}

/* The kind of fault of a forbidden access to byte `offset` of an array. */
static bare_fault kind_of_access(const bare *b, int index, ptrdiff_t offset)
{
    const guard *g = b->guard[index];
    const bool inside = offset >= 0 && (size_t)offset < guard_bytes(g);
    const bool is_input = index <= BARE_X;

    if (!inside)
        return BARE_MEMORY;
    if (guard_allowed(g) == GUARD_READ_ONLY)
        return is_input ? BARE_CHANGED : BARE_MEMORY;
    return b->alpha_is_zero ? BARE_ALPHA_ZERO : is_input ? BARE_UNBORROWED : BARE_MEMORY;
}

bare_fault bare_fail_by_signal(bare *b, const char *what, const trap_report *report)
{
    ptrdiff_t offset;

    for (int i = 0; i < BARE_GUARDS; i++)
        if (guard_covers(b->guard[i], report->address, &offset))
            return bare_fail(b, kind_of_access(b, i, offset),
                             "%s: forbidden access to byte %td of %s, which has %zu bytes", what,
                             offset, name_of(b, i), guard_bytes(b->guard[i]));
    return bare_fail(b, BARE_MEMORY, "%s: %s at %p", what, trap_signal_name(report->signal),
                     report->address);
}

bare_fault bare_check_bands(bare *b, const char *what)
{
    for (int i = 0; i < BARE_GUARDS; i++)
        if (!guard_is_intact(b->guard[i]))
            return bare_fail(b, BARE_MEMORY, "%s: wrote beside %s (%zu bytes)", what, name_of(b, i),
                             guard_bytes(b->guard[i]));
    return BARE_NO_FAULT;
}

/* ---- steps --------------------------------------------------------------------------------- */

enum { RANGES = 16 };            /* of a shuffled step */

static void run_shuffled(bench_random *random, const spmv_step *step, const spmv_job *job)
{
    int64_t cut[RANGES + 1];
    int turn[RANGES];

    /* The cuts ascend. Two of them may be equal; the empty range between them is skipped. */
    for (int i = 0; i <= RANGES; i++)
        cut[i] = step->grid * i / RANGES;
    for (int i = 1; i < RANGES; i++)
        cut[i] += bench_random_below(random, step->grid / RANGES + 1);
    for (int i = 0; i < RANGES; i++)
        turn[i] = i;
    for (int i = RANGES - 1; i > 0; i--) {
        const int other = (int)bench_random_below(random, i + 1);
        const int kept = turn[i];
        turn[i] = turn[other];
        turn[other] = kept;
    }
    for (int i = 0; i < RANGES; i++)
        if (cut[turn[i]] < cut[turn[i] + 1])
            step->run(job, cut[turn[i]], cut[turn[i] + 1]);
}

static const char untouched[] = "untouched";   /* name of a step that was not written */

/* A step without a function: a kernel. */
static bare_fault run_kernel(bare *b, const char *what, const spmv_step *step, const spmv_job *job)
{
    const char *wrong = launch_kernel(b->module, step, job,
                                      (uint64_t)bench_random_below(&b->random, INT32_MAX));

    return wrong ? bare_fail(b, BARE_CONTRACT, "%s: %s", what, wrong) : BARE_NO_FAULT;
}

static bare_fault check_steps(bare *b, const char *what, const spmv_step *step, int32_t count)
{
    if (count < 0 || count > SPMV_MAX_STEPS)
        return bare_fail(b, BARE_CONTRACT, "%s: %d steps, at most %d are allowed", what, count,
                         SPMV_MAX_STEPS);
    if (step[SPMV_MAX_STEPS].name != untouched)
        return bare_fail(b, BARE_CONTRACT, "%s: wrote more than %d steps", what, SPMV_MAX_STEPS);
    for (int32_t i = 0; i < count; i++)
        if (!step[i].name || step[i].grid < 0)
            return bare_fail(b, BARE_CONTRACT, "%s: step %d has no name or grid %lld", what, i,
                             (long long)step[i].grid);
    return BARE_NO_FAULT;
}

static void run_steps(void *context)
{
    bare_step_call *call = context;
    spmv_step step[SPMV_MAX_STEPS + 1];

    for (int i = 0; i <= SPMV_MAX_STEPS; i++)
        step[i] = (spmv_step){ untouched, NULL, -1 };
    const int32_t count = call->of_job ? call->of_job(call->job, step)
                                       : call->of_layout(&call->b->layout, step);
    call->result = check_steps(call->b, call->what, step, count);
    for (int32_t i = 0; i < count && !call->result; i++) {
        if (call->b->stop && strcmp(step[i].name, call->b->stop) == 0)
            break;
        if (step[i].grid == 0)
            continue;
        if (!step[i].run)
            call->result = run_kernel(call->b, call->what, &step[i], call->job);
        else if (call->order == BARE_WHOLE)
            step[i].run(call->job, 0, step[i].grid);
        else if (call->order == BARE_SHUFFLED)
            run_shuffled(&call->b->random, &step[i], call->job);
        else
            for (int64_t c = 0; c < step[i].grid; c++) {
                const int64_t chunk = call->order == BARE_FORWARD ? c : step[i].grid - 1 - c;
                step[i].run(call->job, chunk, chunk + 1);
            }
    }
}

bare_fault bare_run(bare_step_call *call)
{
    trap_report report;

    if (!trap_run(run_steps, call, &report))
        return bare_fail_by_signal(call->b, call->what, &report);
    return call->result ? call->result : bare_check_bands(call->b, call->what);
}
