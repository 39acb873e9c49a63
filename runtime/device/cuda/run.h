/* cuda/run.h: a multiplication on a CUDA device, while it runs.
 *
 * A stream keeps its order, so that each command waits for the one before it. After the first call that
 * fails nothing more is started; the code of that call is kept. The device's context is current. */
#ifndef SPMV_CUDA_RUN_H
#define SPMV_CUDA_RUN_H

#include "runtime/device/cuda/plan.h"
#include "runtime/device/launch_list.h"
#include "runtime/device/step_times.h"

typedef struct cu_run {
    cu_plan *p;
    cu_lane *lane;
    spmv_job job;                /* y: where the host has it, if anywhere */
    cu_stream stream;
    cu_pointer x, y;             /* what kernels get */
    int x_is_copy, y_is_copy;    /* these are the lane's, the vectors the host's */
    int y_is_shared;             /* host and device have y in one place */
    int y_is_home;               /* the host has the newest y */
    cu_event start, stop;        /* of a kernel, in a profile */
    spmv_times times;
    const char *doing;           /* the step that is under way */
    cu_result code;              /* of the first call that failed */
    spmv_status status;          /* what else failed, with its text in err */
    spmv_error *err;
} cu_run;

/* Enters the context, and where host and kernels take turns at memory, takes the device's turn; and
 * the way back. Leave whatever enter returns. */
spmv_status cu_run_enter(const cu_run *r, cu_scope *scope);
void cu_run_leave(const cu_run *r, const cu_scope *scope);

int cu_run_is_failed(const cu_run *r);

/* Keeps the code of a call, if it is the first that failed. */
void cu_run_check(cu_run *r, cu_result code);

/* Host to device and back, in the stream; nothing after a failure. */
void cu_run_write(cu_run *r, cu_pointer to, const void *from, size_t bytes);
void cu_run_read(cu_run *r, void *to, cu_pointer from, size_t bytes);

/* Until all of this multiplication has ended and the host may use what it shares with the device. */
void cu_run_wait(cu_run *r);

/* Copies have ended, for the profile. */
void cu_run_note_copies(cu_run *r, const char *name, double start);

/* Whether kernels get the caller's vector as it is: memory of the device, or managed; and whether they
 * can: SPMV_INVALID_ARGUMENT in r->status otherwise. */
int cu_run_take_vector(cu_run *r, const char *name, const cu_found *found, size_t bytes);

/* Moves what host steps use of the workspace: with to_host what they read, else what they wrote. */
void cu_run_move_parts(cu_run *r, int32_t access, int to_host);

void cu_run_bring_y(cu_run *r);        /* the host is to use y, and the device has the newest */
void cu_run_send_y(cu_run *r);         /* the device is to use y, and the host has the newest */

/* All of the list: cuda/step_runner.c. */
void cu_run_steps(cu_run *r, const spmv_launch_list *list);

/* What came of it, in words in r->err too. */
spmv_status cu_run_status(const cu_run *r);

/* What a call returns: SPMV_DEBUG and the caller's error, if it has one, get the words. `where` opens
 * them where there are none yet. */
spmv_status cu_run_tell(const char *where, spmv_status status, const spmv_error *found,
                        spmv_error *err);

#endif
