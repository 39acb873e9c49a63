/* cuda/run.c: what one multiplication asks of its stream, and how memory changes hands. */
#include "runtime/device/cuda/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>

/* ---- entering ------------------------------------------------------------------------------ */

spmv_status spmv_cuda_run_enter(const spmv_cuda_run *r, spmv_cuda_scope *scope)
{
    spmv_cuda_state *state = r->p->state;
    spmv_cuda_result code;

    /* No other kernel may start while a host step of this one, or its end, has the memory. */
    if (state->sharing == CU_IN_TURNS)
        pthread_mutex_lock(&state->turn);
    code = spmv_cuda_enter(state, scope);
    return code == CU_SUCCESS ? SPMV_OK
                              : spmv_cuda_failed(&state->api, code, "enter its context", r->err);
}

void spmv_cuda_run_leave(const spmv_cuda_run *r, const spmv_cuda_scope *scope)
{
    spmv_cuda_leave(r->p->state, scope);
    if (r->p->state->sharing == CU_IN_TURNS)
        pthread_mutex_unlock(&r->p->state->turn);
}

/* ---- commands ------------------------------------------------------------------------------ */

int spmv_cuda_run_is_failed(const spmv_cuda_run *r)
{
    return r->code != CU_SUCCESS || r->status != SPMV_OK;
}

void spmv_cuda_run_check(spmv_cuda_run *r, spmv_cuda_result code)
{
    if (r->code == CU_SUCCESS)
        r->code = code;
}

void spmv_cuda_run_write(spmv_cuda_run *r, spmv_cuda_pointer to, const void *from, size_t bytes)
{
    if (!spmv_cuda_run_is_failed(r) && bytes > 0)
        r->code = r->p->state->api.MemcpyHtoDAsync(to, from, bytes, r->stream);
}

void spmv_cuda_run_read(spmv_cuda_run *r, void *to, spmv_cuda_pointer from, size_t bytes)
{
    if (!spmv_cuda_run_is_failed(r) && bytes > 0)
        r->code = r->p->state->api.MemcpyDtoHAsync(to, from, bytes, r->stream);
}

void spmv_cuda_run_wait(spmv_cuda_run *r)
{
    const spmv_cuda_state *state = r->p->state;

    if (spmv_cuda_run_is_failed(r))
        return;
    /* Memory in turns is the host's when nothing of the device runs, in whatever stream. */
    r->code = state->sharing == CU_IN_TURNS ? state->api.CtxSynchronize()
                                            : state->api.StreamSynchronize(r->stream);
}

void spmv_cuda_run_note_copies(spmv_cuda_run *r, const char *name, double start)
{
    if (r->times.time == NULL)
        return;
    spmv_cuda_run_wait(r);
    spmv_times_note(&r->times, name, spmv_seconds_now() - start);
}

/* ---- vectors ------------------------------------------------------------------------------- */

int spmv_cuda_run_take_vector(spmv_cuda_run *r, const char *name, const spmv_cuda_found *found,
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

/* ---- memory that changes hands ------------------------------------------------------------- */

void spmv_cuda_run_move_parts(spmv_cuda_run *r, int32_t access, int to_host)
{
    const spmv_layout *layout = r->job.layout;
    const double start = spmv_seconds_now();
    size_t moved = 0;

    for (int32_t i = 0; i < layout->part_count && !r->slot->is_shared; i++) {
        const spmv_part *part = &layout->part[i];
        char *data = (char *)r->slot->workspace + part->offset;

        if (!(part->host & access))
            continue;
        if (to_host)
            spmv_cuda_run_read(r, data, r->slot->part[i].at, part->bytes);
        else
            spmv_cuda_run_write(r, r->slot->part[i].at, data, part->bytes);
        moved += part->bytes;
    }
    if (moved > 0)
        spmv_cuda_run_note_copies(r, to_host ? SPMV_FROM_DEVICE : SPMV_TO_DEVICE, start);
}

void spmv_cuda_run_bring_y(spmv_cuda_run *r)
{
    const size_t bytes = spmv_layout_y_bytes(r->job.layout);
    const double start = spmv_seconds_now();

    if (!r->y_is_shared) {
        if (r->job.y == NULL && r->slot->host_y == NULL &&
            (r->slot->host_y = spmv_memory_alloc(bytes)) == NULL)
            r->status = spmv_error_set(r->err, SPMV_OUT_OF_MEMORY,
                                       "no memory of the host for y, %zu "
                                       "bytes",
                                       bytes);
        if (r->job.y == NULL)
            r->job.y = r->slot->host_y;
        spmv_cuda_run_read(r, r->job.y, r->y, bytes);
        spmv_cuda_run_note_copies(r, SPMV_FROM_DEVICE, start);
    }
    r->y_is_home = 1;
}

void spmv_cuda_run_send_y(spmv_cuda_run *r)
{
    const double start = spmv_seconds_now();

    if (!r->y_is_shared) {
        spmv_cuda_run_write(r, r->y, r->job.y, spmv_layout_y_bytes(r->job.layout));
        spmv_cuda_run_note_copies(r, SPMV_TO_DEVICE, start);
    }
    r->y_is_home = 0;
}

/* ---- what came of it ----------------------------------------------------------------------- */

spmv_status spmv_cuda_run_status(const spmv_cuda_run *r)
{
    char doing[96];

    if (r->status != SPMV_OK || r->code == CU_SUCCESS)
        return r->status;
    snprintf(doing, sizeof doing, "multiply (%.64s)", r->doing != NULL ? r->doing : "vectors");
    return spmv_cuda_failed(&r->p->state->api, r->code, doing, r->err);
}

spmv_status spmv_cuda_run_tell(const char *where, spmv_status status, const spmv_error *found,
                               spmv_error *err)
{
    spmv_error told = *found;

    if (status == SPMV_OK)
        return SPMV_OK;
    if (told.text[0] == '\0')
        spmv_error_set(&told, status, "%s: %s", where, spmv_status_text(status));
    spmv_debug_line(told.text);
    if (err != NULL)
        *err = told;
    return status;
}
