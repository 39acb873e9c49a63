/* opencl/run.h: a multiplication on an OpenCL device, while it runs.
 *
 * Every command waits for the one before it: on a queue that keeps its order by itself, else by
 * events. After the first call that fails nothing more is enqueued; the code of that call is kept. */
#ifndef SPMV_OPENCL_RUN_H
#define SPMV_OPENCL_RUN_H

#include "runtime/device/opencl/plan.h"
#include "runtime/device/step_times.h"

typedef struct ocl_run {
    const ocl_plan *p;
    ocl_lane *lane;
    spmv_job job;                /* y: where the host has it, if anywhere */
    ocl_queue queue;
    ocl_bits properties;         /* the queue's */
    ocl_area x, y;               /* what the device sees of the vectors */
    ocl_event last;              /* of the newest command; NULL where nobody needs it */
    int is_enqueue;              /* nobody waits: `last` must be known */
    int x_rides;                 /* x lies in y's allocation, and changes hands with it */
    int y_is_home;               /* the host has the newest y */
    spmv_times times;
    const char *doing;           /* the step that is under way */
    ocl_int code;                /* of the first call that failed */
    spmv_status status;          /* what else failed, with its text in err */
    spmv_error *err;             /* may be NULL */
} ocl_run;

/* ---- commands ------------------------------------------------------------------------------ */

int ocl_run_is_failed(const ocl_run *r);

/* What a command waits for, and where its event goes: the last arguments of each clEnqueue... */
#define OCL_WAITS(r) (ocl_uint)((r)->last != NULL), (r)->last != NULL ? &(r)->last : NULL
#define OCL_EVENT(r, event) (ocl_run_wants_event(r) ? (event) : NULL)

int ocl_run_wants_event(const ocl_run *r);
void ocl_run_follow(ocl_run *r, ocl_event event);      /* a command was enqueued */
void ocl_run_write(ocl_run *r, ocl_memory buffer, const void *data, size_t bytes);
void ocl_run_read(ocl_run *r, ocl_memory buffer, void *data, size_t bytes);

/* Until all commands of this multiplication have ended. */
void ocl_run_wait(ocl_run *r);

/* All that follows waits for these events. Nothing was enqueued yet. */
void ocl_run_wait_for(ocl_run *r, ocl_uint count, const ocl_event *event);

/* Has the command ended, well or not? */
int ocl_event_is_over(const ocl_state *state, ocl_event event);

/* ---- memory that takes turns --------------------------------------------------------------- */

/* Shared memory, or NULL, to the device and back to the host. */
void ocl_run_lend(ocl_run *r, const void *memory);
void ocl_run_take_back(ocl_run *r, const void *memory);

/* Moves what host steps use of the workspace: with to_host what they read, else what they wrote. A
 * workspace that is shared goes there whole, or stays. */
void ocl_run_move_parts(ocl_run *r, int32_t access, int to_host);

int ocl_run_y_is_shared(const ocl_run *r);             /* host and device have y in one place */
void ocl_run_bring_y(ocl_run *r);      /* the host is to use y, and the device has the newest */
void ocl_run_send_y(ocl_run *r);       /* the device is to use y, and the host has the newest */

/* ---- all of it: opencl/step_runner.c ------------------------------------------------------------- */

spmv_status ocl_run_steps(ocl_run *r);

/* What came of it: `status`, that of ocl_run_steps, or of what failed first; SPMV_DEBUG tells of it. */
spmv_status ocl_run_status(const ocl_run *r, spmv_status status);

#endif
