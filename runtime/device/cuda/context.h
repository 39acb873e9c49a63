/* cuda/context.h: the context that a device lives in, and entering it for a call. */
#ifndef SPMV_CUDA_CONTEXT_H
#define SPMV_CUDA_CONTEXT_H

#include "runtime/device/cuda/state.h"

/* Chooses context, device and stream: those of the caller's queue, else (NULL) of its thread, else
 * of the device whose name contains `wanted` (NULL: any). */
spmv_status spmv_cuda_context_open(spmv_cuda_state *state, const char *wanted,
                                   spmv_cuda_stream queue, spmv_error *err);
void spmv_cuda_context_close(spmv_cuda_state *state);

/* The thread's settings before it entered, for leaving. */
typedef struct spmv_cuda_scope {
    int is_entered, is_relaxed;
    int mode;                            /* of stream capture */
} spmv_cuda_scope;

/* Makes the context current, and relaxes the thread's capture mode, so that captures of other
 * threads do not forbid its calls. spmv_cuda_leave must follow, also after an error. */
spmv_cuda_result spmv_cuda_enter(const spmv_cuda_state *state, spmv_cuda_scope *scope);
void spmv_cuda_leave(const spmv_cuda_state *state, const spmv_cuda_scope *scope);

/* The same, by one call if the context is current; the capture mode stays. */
spmv_cuda_result spmv_cuda_enter_lightly(const spmv_cuda_state *state, spmv_cuda_scope *scope);

/* Relaxes the capture mode until spmv_cuda_leave, if that is not done yet. */
void spmv_cuda_relax(const spmv_cuda_state *state, spmv_cuda_scope *scope);

/* Waits for the stream; if that fails, for the whole context, since memory in use must not be
 * freed. */
spmv_cuda_result spmv_cuda_settle(const spmv_cuda_state *state, spmv_cuda_stream stream);

/* Whether the stream is being captured. On error *is_captured is 0. */
spmv_cuda_result spmv_cuda_is_captured(const spmv_cuda_state *state, spmv_cuda_stream stream,
                                       int *is_captured);

/* SPMV_UNSUPPORTED if the device's stream is being captured. The arrays of plans are copied in that
 * stream; a capture would record the copies into the graph instead. */
spmv_status spmv_cuda_check_stream(const spmv_cuda_state *state, spmv_error *err);

#endif
