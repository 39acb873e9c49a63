/* mock_opencl.h: a mock OpenCL library. It runs kernels of toy_device.c on the CPU, as late as it
 * may (mock_opencl_commands.c), and makes chosen calls fail. Test and libspmv open the same shared
 * object, so the test controls the mock by this struct. */
#ifndef TEST_MOCK_OPENCL_H
#define TEST_MOCK_OPENCL_H

#include <stddef.h>
#include <stdint.h>

typedef struct mock_control {
    const char *failing;         /* the function that fails, without "cl"; NULL: none */
    int fail_at;                 /* the number of the call that fails, from 1 */
    int code;                    /* the error that it returns */
    int bad_launch;              /* the number of the launch that fails as it runs, from 1; 0:
                                    none */
    int overtaking;              /* n: on an out-of-order queue, ready commands overtake every n-th
                                    command */
    int platforms, devices;      /* their numbers */
    const char *name;            /* of the devices */
    int has_f64;
    size_t work_group_size;
    uint64_t local_memory, largest_buffer;
    int is_unified;              /* host and device have one memory */
    uint64_t svm;                /* the kinds of sharing: OCL_SVM_... */
    const char *log;             /* of a build that fails */
    const char *extensions;      /* of the devices */
    size_t subgroup_size;        /* of kernels */
    size_t subgroup_sizes[2];    /* that kernels can require; 0: none */
    int from_binary;             /* programs that were made from a binary */
    int calls;                   /* of the failing function so far */
    int live;                    /* objects that were created and not released */
    int misuses;                 /* objects released twice, of another kind, or out of range; shared
                                    memory used out of turn */
    int shared;                  /* allocations of shared memory */
} mock_control;

/* Exported as "mock_opencl_control": resets the mock to a good device and returns its control. */
typedef mock_control *mock_control_get(void);

#endif
