/* cuda/run.c: see cuda/run.h. */
#include "runtime/device/cuda/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/debug.h"
#include "runtime/base/error.h"

#include <string.h>

/* ---- entering ------------------------------------------------------------------------------ */

/* No kernel of another run may start while a host step of this run, or its end, uses the memory. */
static void begin_turn(spmv_cuda_state *state)
{
    if (state->sharing == CU_IN_TURNS)
        pthread_mutex_lock(&state->turn);
}

static spmv_status entered(const spmv_run *r, spmv_cuda_result code)
{
    return code == CU_SUCCESS ? SPMV_OK
                              : spmv_cuda_failed(&spmv_cuda_state_of(r)->api, code,
                                                 "enter its context", r->err);
}

spmv_status spmv_cuda_run_enter(const spmv_run *r, spmv_cuda_scope *scope)
{
    begin_turn(spmv_cuda_state_of(r));
    return entered(r, spmv_cuda_enter(spmv_cuda_state_of(r), scope));
}

spmv_status spmv_cuda_run_enter_lightly(spmv_cuda_run *run)
{
    spmv_cuda_state *state = spmv_cuda_state_of(&run->base);

    begin_turn(state);
    return entered(&run->base, spmv_cuda_enter_lightly(state, &run->scope));
}

void spmv_cuda_run_leave(const spmv_run *r, const spmv_cuda_scope *scope)
{
    spmv_cuda_state *state = spmv_cuda_state_of(r);

    spmv_cuda_leave(state, scope);
    if (state->sharing == CU_IN_TURNS)
        pthread_mutex_unlock(&state->turn);
}

spmv_status spmv_cuda_run_take_slot(spmv_cuda_run *run, spmv_slot_kind kind)
{
    spmv_run *r = &run->base;
    spmv_status status;

    r->slot = spmv_slot_take(r->p, kind, run->stream, &status, r->err);
    if (status != SPMV_BUSY)
        return status;
    if (kind == SPMV_SLOT_OWN)
        return spmv_error_set(r->err, SPMV_BUSY,
                              "the plan's own workspace is in use by another execute; give each "
                              "that runs at once its own");
    return spmv_error_set(r->err, SPMV_BUSY,
                          "all %d workspaces that a plan has on the device are in use, by executes "
                          "and enqueues under way; another plan has its own", SPMV_SLOTS - 1);
}

/* ---- commands ------------------------------------------------------------------------------ */

void spmv_cuda_run_check(spmv_run *r, spmv_cuda_result code)
{
    if (r->code == CU_SUCCESS)
        r->code = code;
}

void spmv_cuda_run_write(spmv_run *r, void *buffer, const void *data, size_t bytes)
{
    if (!spmv_run_is_failed(r) && bytes > 0)
        r->code = spmv_cuda_state_of(r)->api.MemcpyHtoDAsync(
            (spmv_cuda_pointer)buffer, data, bytes, ((spmv_cuda_run *)r)->stream);
}

void spmv_cuda_run_read(spmv_run *r, void *data, void *buffer, size_t bytes)
{
    if (!spmv_run_is_failed(r) && bytes > 0)
        r->code = spmv_cuda_state_of(r)->api.MemcpyDtoHAsync(
            data, (spmv_cuda_pointer)buffer, bytes, ((spmv_cuda_run *)r)->stream);
}

void spmv_cuda_run_wait(spmv_run *r)
{
    const spmv_cuda_state *state = spmv_cuda_state_of(r);

    if (spmv_run_is_failed(r))
        return;
    /* The host may use memory that takes turns only when no stream of the device is busy. */
    r->code = state->sharing == CU_IN_TURNS
                  ? state->api.CtxSynchronize()
                  : state->api.StreamSynchronize(((spmv_cuda_run *)r)->stream);
}

/* ---- kernels ------------------------------------------------------------------------------- */

typedef union argument_value {
    spmv_scalar scalar;
    void *pointer;
} argument_value;

static void start_kernel(spmv_cuda_run *run, int32_t k, const spmv_step *step)
{
    spmv_run *r = &run->base;
    const spmv_cuda_plan *p = (const spmv_cuda_plan *)r->p;
    const spmv_kernel *kernel = &r->p->module->program->kernels[k];
    argument_value value[SPMV_MAX_ARGUMENTS];
    void *argument[SPMV_MAX_ARGUMENTS];

    for (int32_t i = 0; i < kernel->argument_count; i++) {
        const spmv_binding binding = r->p->bindings[k][i];

        if (spmv_argument_value(&r->job, binding, kernel->arguments[i].kind, &value[i].scalar) ==
            0) {
            const spmv_area area = spmv_run_area(r, binding);
            value[i].pointer = area.shared != NULL ? area.shared : area.buffer;
        }
        argument[i] = &value[i];
    }
    spmv_cuda_run_check(r, spmv_cuda_state_of(r)->api.LaunchKernel(
                               p->program->kernel[k], (unsigned)step->grid, 1, 1,
                               (unsigned)kernel->work_group_size, 1, 1,
                               (unsigned)kernel->dynamic_bytes, run->stream, argument, NULL));
}

/* The duration by the device's clock, else by the host's. */
static double seconds_of(const spmv_cuda_run *run, double start)
{
    const spmv_cuda_api *api = &spmv_cuda_state_of(&run->base)->api;
    float milliseconds = 0;

    if (!spmv_run_is_failed(&run->base) &&
        api->EventElapsedTime(&milliseconds, run->start, run->stop) == CU_SUCCESS)
        return (double)milliseconds * 1e-3;
    return spmv_seconds_now() - start;
}

void spmv_cuda_run_launch(spmv_run *r, int32_t k, const spmv_step *step)
{
    spmv_cuda_run *run = (spmv_cuda_run *)r;
    const spmv_cuda_state *state = spmv_cuda_state_of(r);
    const double start = spmv_seconds_now();

    if (step->grid > state->largest_grid) {
        r->status = spmv_error_set(r->err, SPMV_UNSUPPORTED,
                                   "%.64s takes %lld work-groups of this matrix; '%.80s' launches "
                                   "%lld at most. Take a target with larger work-groups",
                                   step->name, (long long)step->grid, state->base.name,
                                   (long long)state->largest_grid);
        return;
    }
    if (r->times.time == NULL) {
        start_kernel(run, k, step);
        return;
    }
    spmv_cuda_run_check(r, state->api.EventRecord(run->start, run->stream));
    if (!spmv_run_is_failed(r))
        start_kernel(run, k, step);
    if (!spmv_run_is_failed(r))
        spmv_cuda_run_check(r, state->api.EventRecord(run->stop, run->stream));
    spmv_cuda_run_wait(r);
    spmv_times_note(&r->times, step->name, seconds_of(run, start));
}

/* ---- vectors ------------------------------------------------------------------------------- */

int spmv_cuda_run_take_vector(spmv_run *r, const char *name, const spmv_cuda_found *found,
                              size_t bytes)
{
    if (found->place == CU_OF_HOST)
        return 0;
    if (!found->is_foreign && found->room >= bytes)
        return 1;
    if (found->is_foreign)
        r->status = spmv_error_set(r->err, SPMV_INVALID_ARGUMENT, "%s is memory of another "
                                   "context; expected memory of the device's context, or managed "
                                   "memory, of at least %zu bytes", name, bytes);
    else
        r->status = spmv_error_set(r->err, SPMV_INVALID_ARGUMENT, "%s is too short: its memory "
                                   "ends, or has a gap, after %zu bytes; expected memory of the "
                                   "device's context, or managed memory, without gaps, of at least "
                                   "%zu bytes", name, found->room, bytes);
    return 0;
}

spmv_area spmv_cuda_run_area_of(const spmv_run *r, const void *vector, spmv_cuda_place place)
{
    const int is_shared = place == CU_MANAGED && spmv_cuda_state_of(r)->sharing != CU_SEPARATE;
    spmv_area area = { NULL, NULL };

    memcpy(is_shared ? &area.shared : &area.buffer, &vector, sizeof vector);
    return area;
}

/* ---- status -------------------------------------------------------------------------------- */

spmv_status spmv_cuda_run_status(const spmv_run *r)
{
    char doing[SPMV_DOING_SIZE];

    if (r->status != SPMV_OK || r->code == CU_SUCCESS)
        return r->status;
    spmv_run_doing(r, doing);
    return spmv_cuda_failed(&spmv_cuda_state_of(r)->api, r->code, doing, r->err);
}

spmv_status spmv_cuda_run_report(const char *where, spmv_status status, const spmv_error *found,
                                 spmv_error *err)
{
    spmv_error reported = *found;

    if (status == SPMV_OK)
        return SPMV_OK;
    if (reported.text[0] == '\0')
        spmv_error_set(&reported, status, "%s: %s", where, spmv_status_text(status));
    spmv_debug_line(reported.text);
    if (err != NULL)
        *err = reported;
    return status;
}
