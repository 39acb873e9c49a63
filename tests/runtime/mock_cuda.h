/* mock_cuda.h: a CUDA driver and an NVRTC of our own in one library, which run kernels of
 * toy_device.c on the CPU, as late as they may (mock_cuda_streams.c), and fail where they are told
 * to. The test opens the same shared object as libspmv does and so shares this. */
#ifndef MOCK_CUDA_H
#define MOCK_CUDA_H

#include "runtime/device/cuda/api.h"

enum { MOCK_DEVICES = 2, MOCK_ARCHITECTURES = 8, MOCK_OPTIONS = 256 };

typedef struct cuda_control {
    const char *failing;         /* the function that fails, by its name in the library; NULL: none
                                    does */
    int fail_at;                 /* at which of its calls, from 1 */
    int code;                    /* with this error */
    int bad_launch;              /* which of the launches from now on fails as it runs, from 1; 0:
                                    none: its context is broken from then on */
    int overtaking;              /* each so many-th command is overtaken by what is ready in other
                                    streams: 1: each */
    int devices;                 /* how many there are */
    const char *name[MOCK_DEVICES];
    int capability[MOCK_DEVICES];
    int is_prohibited[MOCK_DEVICES];
    int is_integrated, has_managed, has_concurrent_managed, has_one_address_space;
    int work_group_size, local_memory, largest_grid;
    int kernel_work_group_size;  /* that a kernel can have, as it was compiled */
    size_t largest_allocation;
    size_t piece;                /* what is allocated from now on is mapped piece by piece, as by
                                    cuMemMap: bytes of one; 0: whole */
    int gap;                     /* the piece, from 1, that is not mapped; 0: all are */
    int architecture[MOCK_ARCHITECTURES];    /* that NVRTC knows, ascending; 0: no more */
    const char *log;             /* of a program that does not compile */
    const char *load_log;        /* of an image that is not taken */
    const char *refused;         /* images that begin with this are not taken; NULL: all are */
    char options[MOCK_OPTIONS];  /* of the last compilation, between spaces */
    char source[MOCK_OPTIONS];   /* its text's beginning */
    char image[64];              /* that was loaded last */
    int compiled, loaded;        /* programs that were */
    int calls;                   /* of the failing function so far */
    int live;                    /* objects that were created and not released */
    int managed;                 /* allocations of managed memory */
    int misuses;                 /* objects used after their end, of another kind or context; no
                                    context; memory of the wrong place; managed memory when it is
                                    not the host's */
} cuda_control;

/* Exported as "mock_cuda_control": gives it, set to what a good device is. */
typedef cuda_control *mock_cuda_get(void);

/* Exported as "mock_cuda_count": runs what nobody waits for, and counts what is left. */
typedef void mock_cuda_counts(void);

/* Exported as "mock_cuda_depth": contexts on the calling thread's stack. */
typedef int mock_cuda_depths(void);

/* What an application may use and libspmv does not. */
typedef struct mock_graph *spmv_cuda_graph;
enum { CU_CAPTURE_MODE_GLOBAL = 0, CU_STREAM_NON_BLOCKING = 1 };

#define MOCK_CUDA_FUNCTIONS(F)                                                                     \
    F(StreamBeginCapture, cuStreamBeginCapture_v2, (spmv_cuda_stream, int))                        \
    F(StreamEndCapture, cuStreamEndCapture, (spmv_cuda_stream, spmv_cuda_graph *))                 \
    F(GraphLaunch, cuGraphLaunch, (spmv_cuda_graph, spmv_cuda_stream))                             \
    F(GraphDestroy, cuGraphDestroy, (spmv_cuda_graph))                                             \
    F(EventQuery, cuEventQuery, (spmv_cuda_event))

#endif
