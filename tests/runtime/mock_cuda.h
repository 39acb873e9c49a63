/* mock_cuda.h: a mock CUDA driver and NVRTC in one library. The mock runs kernels of toy_device.c
 * on the CPU, as late as it may (mock_cuda_streams.c), and makes chosen calls fail. Test and
 * libspmv open the same shared object, so the test controls the mock by this struct. */
#ifndef TEST_MOCK_CUDA_H
#define TEST_MOCK_CUDA_H

#include "runtime/device/cuda/api.h"

enum { MOCK_DEVICES = 2, MOCK_ARCHITECTURES = 8, MOCK_OPTIONS = 256 };

typedef struct cuda_control {
    const char *failing;         /* the function that fails, as the library names it; NULL: none */
    int fail_at;                 /* the number of the call that fails, from 1 */
    int code;                    /* the error that it returns */
    int bad_launch;              /* the number of the launch that fails as it runs, from 1, and
                                    breaks its context; 0: none */
    int overtaking;              /* n: ready commands of other streams overtake each n-th command */
    int devices;                 /* number of devices */
    const char *name[MOCK_DEVICES];
    int capability[MOCK_DEVICES];
    int is_prohibited[MOCK_DEVICES];
    int is_integrated, has_managed, has_concurrent_managed, has_one_address_space;
    int work_group_size, local_memory, largest_grid;
    int dynamic_memory;          /* what local memory may be on request */
    int requested;               /* what was requested last, for any kernel */
    int given;                   /* dynamic local memory of the last launch */
    int kernel_work_group_size;  /* the largest that a compiled kernel supports */
    size_t largest_allocation;
    size_t piece;                /* bytes of the pieces that new allocations are mapped in, as by
                                    cuMemMap; 0: they are mapped as a whole */
    int contexts_own;            /* destroying a context destroys all that is in it, as the driver
                                    does; otherwise that counts as left */
    int hides_graphs;            /* of a captured stream the driver does not tell the graph */
    int gap;                     /* the piece that is not mapped, from 1; 0: none */
    int architecture[MOCK_ARCHITECTURES];    /* that NVRTC knows, ascending; 0 ends the list */
    const char *log;             /* of a program that does not compile */
    const char *load_log;        /* of an image that is rejected */
    const char *refused;         /* images that begin with this are rejected; NULL: none is */
    char options[MOCK_OPTIONS];  /* of the last compilation, separated by spaces */
    char source[MOCK_OPTIONS];   /* the beginning of its text */
    char image[64];              /* the last that was loaded */
    int compiled, loaded;        /* numbers of programs */
    int calls;                   /* of the failing function so far */
    int all_calls;               /* of all functions */
    int live;                    /* objects that were created and not released */
    int managed;                 /* allocations of managed memory */
    int misuses;                 /* objects used after their end, or of another kind or context;
                                    calls without a context; memory of the wrong place; managed
                                    memory that the host uses out of turn */
} cuda_control;

/* Exported as "mock_cuda_control": resets the mock to a good device and returns its control. */
typedef cuda_control *mock_cuda_get(void);

/* Exported as "mock_cuda_count": runs all pending commands, and updates live and misuses. */
typedef void mock_cuda_counts(void);

/* Exported as "mock_cuda_depth": contexts on the calling thread's stack. */
typedef int mock_cuda_depths(void);

/* Functions that an application may use and libspmv does not. */
enum { CU_CAPTURE_MODE_GLOBAL = 0, CU_STREAM_NON_BLOCKING = 1 };

#define MOCK_CUDA_FUNCTIONS(F)                                                                     \
    F(StreamBeginCapture, cuStreamBeginCapture_v2, (spmv_cuda_stream, int))                        \
    F(StreamEndCapture, cuStreamEndCapture, (spmv_cuda_stream, spmv_cuda_graph *))                 \
    F(GraphLaunch, cuGraphLaunch, (spmv_cuda_graph, spmv_cuda_stream))                             \
    F(GraphDestroy, cuGraphDestroy, (spmv_cuda_graph))                                             \
    F(EventQuery, cuEventQuery, (spmv_cuda_event))

#endif
