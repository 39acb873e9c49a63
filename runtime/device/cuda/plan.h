/* cuda/plan.h: the structs of a plan on a CUDA device. */
#ifndef SPMV_CUDA_PLAN_H
#define SPMV_CUDA_PLAN_H

#include "runtime/device/cuda/program.h"
#include "runtime/device/device_plan.h"

typedef struct spmv_cuda_slot {
    spmv_slot base;
    int is_pending;              /* commands of an enqueue may still run; `done` follows them */
    spmv_cuda_event done;
} spmv_cuda_slot;

/* A graph's hold on a slot. The graph and the slot share it; the last frees it. */
typedef struct spmv_cuda_claim {
    _Atomic int references;
    _Atomic int is_held;
} spmv_cuda_claim;

/* A slot for a capture; see cuda/slots.h. The state's mutex `captures` protects it, except `slot`,
 * which belongs to the thread that took it. */
typedef struct spmv_cuda_captured {
    spmv_cuda_slot slot;
    struct spmv_cuda_captured *next;
    spmv_cuda_claim *claim;      /* NULL: no graph has held it yet */
    uint64_t number;             /* of the capture; 0: unknown */
    spmv_cuda_stream stream;     /* of the capture */
    pthread_t thread;            /* that began it in this stream */
    int is_taken;                /* an enqueue uses the slot */
} spmv_cuda_captured;

typedef struct spmv_cuda_plan {
    spmv_device_plan base;
    spmv_cuda_program *program;
    _Atomic int has_graphs;      /* an enqueue was captured: arrays must keep their addresses */
    _Atomic int has_unmarked;    /* an enqueue left kernels that no event of a slot follows */
    _Atomic(spmv_cuda_stream) known;     /* the last stream that was found to be of the context */
    spmv_cuda_slot slot[SPMV_SLOTS];     /* the plan's own, and pooled ones */
    spmv_cuda_slot in_order;     /* for enqueues in the device's stream */
    _Atomic int in_order_is_taken;
    spmv_cuda_captured *captured;        /* the slots of captures */
} spmv_cuda_plan;

#endif
