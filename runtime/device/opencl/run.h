/* opencl/run.h: a running multiplication on an OpenCL device.
 *
 * Every command runs after the command before it, by the order of the queue or, on an out-of-order
 * queue, by events. */
#ifndef SPMV_OPENCL_RUN_H
#define SPMV_OPENCL_RUN_H

#include "runtime/device/opencl/plan.h"
#include "runtime/device/run.h"

typedef struct spmv_opencl_run {
    spmv_run base;
    spmv_opencl_queue queue;
    spmv_opencl_bits properties; /* the queue's */
    spmv_opencl_event last;      /* of the newest command; NULL: nothing needs it */
    int is_enqueue;              /* the call does not wait, so `last` must be known */
    int x_is_lent_with_y;        /* x lies in y's allocation, and is lent with y */
} spmv_opencl_run;

static inline spmv_opencl_state *spmv_opencl_state_of(const spmv_run *r)
{
    return (spmv_opencl_state *)r->p->state;
}

static inline spmv_opencl_slot *spmv_opencl_slot_of(const spmv_run *r)
{
    return (spmv_opencl_slot *)r->slot;
}

/* ---- commands ------------------------------------------------------------------------------ */

/* The last arguments of each clEnqueue...: the event that the command waits for, and the place for
 * its own. */
#define OCL_WAITS(r) (spmv_opencl_uint)((r)->last != NULL), (r)->last != NULL ? &(r)->last : NULL
#define OCL_EVENT(r, event) (spmv_opencl_wants_event(r) ? (event) : NULL)

static inline int spmv_opencl_wants_event(const spmv_opencl_run *r)
{
    return r->is_enqueue || r->base.times.time != NULL || r->last != NULL ||
           (r->properties & OCL_QUEUE_OUT_OF_ORDER) != 0;
}

/* Keeps the event of a command that was enqueued. */
void spmv_opencl_follow(spmv_opencl_run *r, spmv_opencl_event event);

/* ---- of spmv_device_ops -------------------------------------------------------------------- */

void spmv_opencl_run_write(spmv_run *r, void *buffer, const void *data, size_t bytes);
void spmv_opencl_run_read(spmv_run *r, void *data, void *buffer, size_t bytes);
void spmv_opencl_run_wait(spmv_run *r);
void spmv_opencl_run_launch(spmv_run *r, int32_t kernel, const spmv_step *step);

/* From libspmv (turns.c) or the bundle. memory: may be NULL. */
void spmv_opencl_run_lend(spmv_run *r, const void *memory);
void spmv_opencl_run_take_back(spmv_run *r, const void *memory);

/* ---- of the backend ------------------------------------------------------------------------ */

/* Lets all later commands wait for these events. Must be the first command of the run. */
void spmv_opencl_run_wait_for(spmv_opencl_run *r, spmv_opencl_uint count,
                              const spmv_opencl_event *event);

/* Whether the command has ended, with success or failure. */
int spmv_opencl_event_is_over(const spmv_opencl_state *state, spmv_opencl_event event);

/* The status of the run, with its text in err. SPMV_DEBUG shows calls that failed. */
spmv_status spmv_opencl_run_status(const spmv_run *r);

#endif
