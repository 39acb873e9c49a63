/* cuda/plan.h: the structs of a plan on a CUDA device. */
#ifndef SPMV_CUDA_PLAN_H
#define SPMV_CUDA_PLAN_H

#include "runtime/device/cuda/state.h"
#include "runtime/device/device_plan.h"

typedef struct spmv_cuda_slot {
    spmv_slot base;
    int is_pending;              /* commands of an enqueue may still run; `done` follows them */
    spmv_cuda_event done;
    spmv_cuda_stream captured;   /* for a slot that a graph holds: the stream of its capture */
    _Atomic uint64_t capture;    /* and the capture's number; 0: no graph holds the slot */
    _Atomic int is_taken;        /* an enqueue of that capture uses the slot */
} spmv_cuda_slot;

typedef struct spmv_cuda_plan {
    spmv_device_plan base;
    spmv_cuda_module program;
    spmv_cuda_function kernel[SPMV_MAX_KERNELS];
    _Atomic int has_graphs;      /* an enqueue was captured: arrays must keep their addresses */
    _Atomic int has_unmarked;    /* an enqueue left kernels that no event of a slot follows */
    _Atomic(spmv_cuda_stream) known;     /* the last stream that was found to be of the context */
    spmv_cuda_slot slot[SPMV_SLOTS];
} spmv_cuda_plan;

#endif
