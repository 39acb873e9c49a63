/* cuda/state.h: an open CUDA device: one context and one stream. The context is the caller's, else
 * the device's primary context, which the CUDA runtime uses, too. The device holds a reference to a
 * primary context, also the caller's; other contexts have no references, and the caller keeps them.
 * The stream is the caller's, else the backend's. Calls may run concurrently. */
#ifndef SPMV_CUDA_STATE_H
#define SPMV_CUDA_STATE_H

#include "runtime/device/backend.h"
#include "runtime/device/cuda/api.h"

#include <pthread.h>

/* How memory is shared with the host: cuda/memory.h. */
typedef enum spmv_cuda_sharing { CU_SEPARATE, CU_IN_TURNS, CU_AT_ANY_TIME } spmv_cuda_sharing;

/* Who owns the context, and so how it is released. */
typedef enum spmv_cuda_owner { CU_OF_NOBODY, CU_OF_CALLER, CU_OF_DEVICE, CU_OF_LIBSPMV }
    spmv_cuda_owner;

typedef struct spmv_cuda_state {
    spmv_backend_state base;             /* its name ends in " (sm_NN)" */
    spmv_cuda_api api;
    spmv_cuda_device device;
    spmv_cuda_context context;
    spmv_cuda_owner owner;
    spmv_cuda_stream stream;
    int owns_stream;
    spmv_cuda_sharing sharing;
    int is_sharing_forced;               /* by SPMV_MEMORY, which overrides the targets */
    pthread_mutex_t turn;                /* held while a run uses memory that is shared in
                                            turns */
    pthread_mutex_t captures;            /* held while a list of slots of captures is read or
                                            changed */
    struct spmv_cuda_program *programs;  /* that plans use: cuda/program.h */
    pthread_mutex_t programs_busy;       /* held while that list is read or changed */
    int capability;                      /* 10 * major + minor */
    int driver_version;
    int work_group_size;                 /* the most work-items of a work-group */
    int local_memory;                    /* bytes that a work-group may declare */
    int dynamic_memory;                  /* bytes that it may have, with those given at launch */
    int subgroup_size;
    int64_t largest_grid;                /* work-groups */
    int is_unified;                      /* host and device have one memory */
    int has_one_address_space;           /* host and device: a pointer determines whose memory
                                            it points to */
    int has_managed, has_concurrent_managed;
} spmv_cuda_state;

#endif
