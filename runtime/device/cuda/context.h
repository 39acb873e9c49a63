/* cuda/context.h: the context that a device lives in, and entering it for a call. */
#ifndef SPMV_CUDA_CONTEXT_H
#define SPMV_CUDA_CONTEXT_H

#include "runtime/device/cuda/state.h"

/* The context, device and stream that the caller's queue (NULL: none), its thread and `wanted`
 * (NULL: any) come to. */
spmv_status spmv_cuda_context_open(spmv_cuda_state *state, const char *wanted,
                                   spmv_cuda_stream queue, spmv_error *err);
void spmv_cuda_context_close(spmv_cuda_state *state);

/* What a thread had before, until it leaves. */
typedef struct spmv_cuda_scope {
    int is_entered, is_relaxed;
    int mode;                            /* of captures */
} spmv_cuda_scope;

/* Makes the context current, and lets the thread make calls that a capture elsewhere forbids: they
 * have nothing to do with it. Leave whatever it returns. */
spmv_cuda_result spmv_cuda_enter(const spmv_cuda_state *state, spmv_cuda_scope *scope);
void spmv_cuda_leave(const spmv_cuda_state *state, const spmv_cuda_scope *scope);

/* Until what was started in the stream has ended; where the driver does not wait for that, all of
 * the context: memory that is in use must not go. */
spmv_cuda_result spmv_cuda_settle(const spmv_cuda_state *state, spmv_cuda_stream stream);

/* Whether the stream is being captured; with an error it is not known to be. */
spmv_cuda_result spmv_cuda_is_captured(const spmv_cuda_state *state, spmv_cuda_stream stream,
                                       int *is_captured);

#endif
