/* opencl/run.h: a multiplication on an OpenCL device, while it runs.
 *
 * Every command waits for the one before it: on a queue that keeps its order by itself, else by
 * events. */
#ifndef SPMV_OPENCL_RUN_H
#define SPMV_OPENCL_RUN_H

#include "runtime/device/opencl/plan.h"
#include "runtime/device/run.h"

typedef struct spmv_opencl_run {
    spmv_run base;
    spmv_opencl_queue queue;
    spmv_opencl_bits properties; /* the queue's */
    spmv_opencl_event last;      /* of the newest command; NULL where nobody needs it */
    int is_enqueue;              /* nobody waits: `last` must be known */
    int x_rides;                 /* x lies in y's allocation, and changes hands with it */
} spmv_opencl_run;

static inline spmv_opencl_state *spmv_opencl_state_of(const spmv_run *r)
{
    return (spmv_opencl_state *)r->p->state;
}

static inline spmv_opencl_slot *spmv_opencl_slot_of(const spmv_run *r)
{
    return (spmv_opencl_slot *)r->slot;
}

/* ---- of spmv_device_ops -------------------------------------------------------------------- */

void spmv_opencl_run_write(spmv_run *r, void *buffer, const void *data, size_t bytes);
void spmv_opencl_run_read(spmv_run *r, void *data, void *buffer, size_t bytes);
void spmv_opencl_run_wait(spmv_run *r);
void spmv_opencl_run_launch(spmv_run *r, int32_t kernel, const spmv_step *step);

/* memory: may be NULL. */
void spmv_opencl_run_lend(spmv_run *r, const void *memory);
void spmv_opencl_run_take_back(spmv_run *r, const void *memory);

/* ---- the rest ------------------------------------------------------------------------------ */

/* All that follows waits for these events. Nothing was enqueued yet. */
void spmv_opencl_run_wait_for(spmv_opencl_run *r, spmv_opencl_uint count,
                              const spmv_opencl_event *event);

/* Has the command ended, well or not? */
int spmv_opencl_event_is_over(const spmv_opencl_state *state, spmv_opencl_event event);

/* What came of it, in words in err, too. SPMV_DEBUG tells of a call that failed. */
spmv_status spmv_opencl_run_status(const spmv_run *r);

#endif
