/* opencl/run.h: a multiplication on an OpenCL device, while it runs.
 *
 * Every command waits for the one before it: on a queue that keeps its order by itself, else by
 * events. After the first call that fails nothing more is enqueued; the code of that call is
 * kept. */
#ifndef SPMV_OPENCL_RUN_H
#define SPMV_OPENCL_RUN_H

#include "runtime/device/opencl/plan.h"
#include "runtime/device/step_times.h"

typedef struct spmv_opencl_run {
    const spmv_opencl_plan *p;
    spmv_opencl_slot *slot;
    spmv_job job;                /* y: where the host has it, if anywhere */
    spmv_opencl_queue queue;
    spmv_opencl_bits properties; /* the queue's */
    spmv_opencl_area x, y;       /* what the device sees of the vectors */
    spmv_opencl_event last;      /* of the newest command; NULL where nobody needs it */
    int is_enqueue;              /* nobody waits: `last` must be known */
    int x_rides;                 /* x lies in y's allocation, and changes hands with it */
    int y_is_home;               /* the host has the newest y */
    spmv_times times;
    const char *doing;           /* the step that is under way */
    spmv_opencl_int code;        /* of the first call that failed */
    spmv_status status;          /* what else failed, with its text in err */
    spmv_error *err;             /* may be NULL */
} spmv_opencl_run;

/* ---- commands ------------------------------------------------------------------------------ */

int spmv_opencl_run_is_failed(const spmv_opencl_run *r);

/* What a command waits for, and where its event goes: the last arguments of each clEnqueue... */
#define OCL_WAITS(r) (spmv_opencl_uint)((r)->last != NULL), (r)->last != NULL ? &(r)->last : NULL
#define OCL_EVENT(r, event) (spmv_opencl_run_wants_event(r) ? (event) : NULL)

int spmv_opencl_run_wants_event(const spmv_opencl_run *r);
void spmv_opencl_run_follow(spmv_opencl_run *r, spmv_opencl_event event); /* a command was
                                                                             enqueued */
void spmv_opencl_run_write(spmv_opencl_run *r, spmv_opencl_memory buffer, const void *data,
                           size_t bytes);
void spmv_opencl_run_read(spmv_opencl_run *r, spmv_opencl_memory buffer, void *data, size_t bytes);

/* Until all commands of this multiplication have ended. */
void spmv_opencl_run_wait(spmv_opencl_run *r);

/* All that follows waits for these events. Nothing was enqueued yet. */
void spmv_opencl_run_wait_for(spmv_opencl_run *r, spmv_opencl_uint count,
                              const spmv_opencl_event *event);

/* Has the command ended, well or not? */
int spmv_opencl_event_is_over(const spmv_opencl_state *state, spmv_opencl_event event);

/* ---- memory that takes turns --------------------------------------------------------------- */

/* Shared memory, or NULL, to the device and back to the host. */
void spmv_opencl_run_lend(spmv_opencl_run *r, const void *memory);
void spmv_opencl_run_take_back(spmv_opencl_run *r, const void *memory);

/* Moves what host steps use of the workspace: with to_host what they read, else what they wrote. A
 * workspace that is shared goes there whole, or stays. */
void spmv_opencl_run_move_parts(spmv_opencl_run *r, int32_t access, int to_host);

int spmv_opencl_run_y_is_shared(const spmv_opencl_run *r); /* host and device have y in one place */
void spmv_opencl_run_bring_y(spmv_opencl_run *r); /* the host is to use y, and the device has the
                                                     newest */
void spmv_opencl_run_send_y(spmv_opencl_run *r); /* the device is to use y, and the host has the
                                                    newest */

/* ---- all of it: opencl/step_runner.c --------------------------------------------------------- */

spmv_status spmv_opencl_run_steps(spmv_opencl_run *r);

/* What came of it: `status`, that of spmv_opencl_run_steps, or of what failed first; SPMV_DEBUG
 * tells of it. */
spmv_status spmv_opencl_run_status(const spmv_opencl_run *r, spmv_status status);

#endif
