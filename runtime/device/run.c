/* run.c: see run.h. */
#include "runtime/device/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/core/threads/step_runner.h"

#include <stdio.h>

int spmv_run_is_failed(const spmv_run *r)
{
    return r->code != 0 || r->status != SPMV_OK;
}

void spmv_run_doing(const spmv_run *r, char doing[SPMV_DOING_SIZE])
{
    snprintf(doing, SPMV_DOING_SIZE, "multiply (%.64s)", r->doing != NULL ? r->doing : "vectors");
}

spmv_area spmv_run_area(const spmv_run *r, spmv_binding binding)
{
    const spmv_area none = { NULL, NULL };

    switch (binding.source) {
    case SPMV_FROM_CSR: return r->p->csr[binding.index];
    case SPMV_FROM_ARRAY: return r->p->array[binding.index];
    case SPMV_FROM_PART: return r->slot->part[binding.index];
    case SPMV_FROM_X: return r->x;
    case SPMV_FROM_Y: return r->y;
    default: return none;
    }
}

/* ---- memory that changes hands ------------------------------------------------------------- */

void spmv_run_note_copies(spmv_run *r, const char *name, double start)
{
    if (r->times.time == NULL)
        return;
    if (!r->p->ops->copies_block)
        r->p->ops->wait(r);
    spmv_times_note(&r->times, name, spmv_seconds_now() - start);
}

static void hand_over_workspace(spmv_run *r, int to_host)
{
    spmv_slot *slot = r->slot;

    if (r->p->ops->lend == NULL)
        return;
    if (to_host && !slot->is_with_host)
        r->p->ops->take_back(r, slot->workspace);
    else if (!to_host && slot->is_with_host)
        r->p->ops->lend(r, slot->workspace);
    /* After an error the workspace stays with the host; the slot's next multiplication lends it
     * again. */
    slot->is_with_host = to_host || (slot->is_with_host && r->code != 0);
}

void spmv_run_move_parts(spmv_run *r, int32_t access, int to_host)
{
    const spmv_layout *layout = r->job.layout;
    const double start = spmv_seconds_now();
    size_t moved = 0;

    if (r->slot->is_shared) {
        hand_over_workspace(r, to_host);
        return;
    }
    for (int32_t i = 0; i < layout->part_count; i++) {
        const spmv_part *part = &layout->part[i];
        char *data = (char *)r->slot->workspace + part->offset;

        if (!(part->host & access))
            continue;
        if (to_host)
            r->p->ops->read(r, data, r->slot->part[i].buffer, part->bytes);
        else
            r->p->ops->write(r, r->slot->part[i].buffer, data, part->bytes);
        moved += part->bytes;
    }
    if (moved > 0)
        spmv_run_note_copies(r, to_host ? SPMV_FROM_DEVICE : SPMV_TO_DEVICE, start);
}

/* Lets job.y point to memory of the host. */
static void place_y(spmv_run *r, size_t bytes)
{
    if (r->job.y != NULL)
        return;
    if (r->slot->host_y == NULL && (r->slot->host_y = spmv_memory_alloc(bytes)) == NULL)
        r->status = spmv_error_set(r->err, SPMV_OUT_OF_MEMORY,
                                   "no memory of the host for y, %zu bytes", bytes);
    r->job.y = r->slot->host_y;
}

/* Copies the newest y from the device to the host, or takes it back. */
static void bring_y(spmv_run *r)
{
    const size_t bytes = spmv_layout_y_bytes(r->job.layout);
    const double start = spmv_seconds_now();

    if (r->y.shared != NULL) {
        if (r->p->ops->take_back != NULL)
            r->p->ops->take_back(r, r->y.shared);
    } else {
        place_y(r, bytes);
        if (r->job.y == NULL)
            return;
        r->p->ops->read(r, r->job.y, r->y.buffer, bytes);
        spmv_run_note_copies(r, SPMV_FROM_DEVICE, start);
    }
    r->y_is_with_host = 1;
}

void spmv_run_send_y(spmv_run *r)
{
    const double start = spmv_seconds_now();

    if (r->y.shared != NULL) {
        if (r->p->ops->lend != NULL)
            r->p->ops->lend(r, r->y.shared);
    } else {
        r->p->ops->write(r, r->y.buffer, r->job.y, spmv_layout_y_bytes(r->job.layout));
        spmv_run_note_copies(r, SPMV_TO_DEVICE, start);
    }
    if (r->code == 0)
        r->y_is_with_host = 0;
}

/* ---- steps --------------------------------------------------------------------------------- */

static void run_host_step(spmv_run *r, const spmv_step *step)
{
    const int32_t host_y = r->job.layout->host_y;
    const int device_has_y = !r->y_is_with_host;
    double start;
    spmv_job job;

    if (r->p->ops->copies_block)
        r->p->ops->wait(r);
    if (host_y && device_has_y)
        bring_y(r);
    spmv_run_move_parts(r, SPMV_HOST_READS, 1);
    if (!r->p->ops->copies_block)
        r->p->ops->wait(r);
    if (spmv_run_is_failed(r))
        return;
    job = r->job;
    job.workspace = r->slot->workspace;
    start = spmv_seconds_now();
    r->status = spmv_steps_run(&job, step, 1, r->p->threads);
    if (r->status != SPMV_OK)
        spmv_error_set(r->err, r->status, "host step %.64s: %s", step->name,
                       spmv_status_text(r->status));
    spmv_times_note(&r->times, step->name, spmv_seconds_now() - start);
    spmv_run_move_parts(r, SPMV_HOST_WRITES, 0);
    if (device_has_y && !(host_y & SPMV_HOST_WRITES) && r->y.shared == NULL)
        r->y_is_with_host = 0;   /* the host step only read it */
}

void spmv_run_steps(spmv_run *r, const spmv_launch_list *list)
{
    for (int32_t i = 0; i < list->count && !spmv_run_is_failed(r); i++) {
        const spmv_launch *launch = &list->launch[i];

        r->doing = launch->step.name;
        if (launch->kernel == SPMV_HOST_STEP) {
            run_host_step(r, &launch->step);
            continue;
        }
        if (r->y_is_with_host)
            spmv_run_send_y(r);
        if (!spmv_run_is_failed(r))
            r->p->ops->launch(r, launch->kernel, &launch->step);
    }
}
