/* cuda/run.h: a multiplication on a CUDA device, while it runs.
 *
 * A stream keeps its order, so that each command waits for the one before it. After the first call
 * that fails nothing more is started; the code of that call is kept. The device's context is
 * current. */
#ifndef SPMV_CUDA_RUN_H
#define SPMV_CUDA_RUN_H

#include "runtime/device/cuda/plan.h"
#include "runtime/device/launch_list.h"
#include "runtime/device/step_times.h"

typedef struct spmv_cuda_run {
    spmv_cuda_plan *p;
    spmv_cuda_slot *slot;
    spmv_job job;                /* y: where the host has it, if anywhere */
    spmv_cuda_stream stream;
    spmv_cuda_pointer x, y;      /* what kernels get */
    int x_is_copy, y_is_copy;    /* these are the slot's, the vectors the host's */
    int y_is_shared;             /* host and device have y in one place */
    int y_is_home;               /* the host has the newest y */
    spmv_cuda_event start, stop; /* of a kernel, in a profile */
    spmv_times times;
    const char *doing;           /* the step that is under way */
    spmv_cuda_result code;       /* of the first call that failed */
    spmv_status status;          /* what else failed, with its text in err */
    spmv_error *err;
} spmv_cuda_run;

/* Enters the context, and where host and kernels take turns at memory, takes the device's turn; and
 * the way back. Leave whatever enter returns. */
spmv_status spmv_cuda_run_enter(const spmv_cuda_run *r, spmv_cuda_scope *scope);
void spmv_cuda_run_leave(const spmv_cuda_run *r, const spmv_cuda_scope *scope);

int spmv_cuda_run_is_failed(const spmv_cuda_run *r);

/* Keeps the code of a call, if it is the first that failed. */
void spmv_cuda_run_check(spmv_cuda_run *r, spmv_cuda_result code);

/* Host to device and back, in the stream; nothing after a failure. */
void spmv_cuda_run_write(spmv_cuda_run *r, spmv_cuda_pointer to, const void *from, size_t bytes);
void spmv_cuda_run_read(spmv_cuda_run *r, void *to, spmv_cuda_pointer from, size_t bytes);

/* Until all of this multiplication has ended and the host may use what it shares with the
 * device. */
void spmv_cuda_run_wait(spmv_cuda_run *r);

/* Copies have ended, for the profile. */
void spmv_cuda_run_note_copies(spmv_cuda_run *r, const char *name, double start);

/* Whether kernels get the caller's vector as it is: memory of the device, or managed; and whether
 * they can: SPMV_INVALID_ARGUMENT in r->status otherwise. */
int spmv_cuda_run_take_vector(spmv_cuda_run *r, const char *name, const spmv_cuda_found *found,
                              size_t bytes);

/* Moves what host steps use of the workspace: with to_host what they read, else what they wrote. */
void spmv_cuda_run_move_parts(spmv_cuda_run *r, int32_t access, int to_host);

void spmv_cuda_run_bring_y(spmv_cuda_run *r); /* the host is to use y, and the device has the
                                                 newest */
void spmv_cuda_run_send_y(spmv_cuda_run *r); /* the device is to use y, and the host has the
                                                newest */

/* All of the list: cuda/step_runner.c. */
void spmv_cuda_run_steps(spmv_cuda_run *r, const spmv_launch_list *list);

/* What came of it, in words in r->err too. */
spmv_status spmv_cuda_run_status(const spmv_cuda_run *r);

/* What a call returns: SPMV_DEBUG and the caller's error, if it has one, get the words. `where`
 * opens them where there are none yet. */
spmv_status spmv_cuda_run_tell(const char *where, spmv_status status, const spmv_error *found,
                               spmv_error *err);

#endif
