/* mock_opencl.h: an OpenCL library of our own, which runs kernels of toy_device.c on the CPU, as
 * late as it may (mock_commands.c), and fails where it is told to. The test opens the same shared
 * object as libspmv does and so shares this. */
#ifndef MOCK_OPENCL_H
#define MOCK_OPENCL_H

#include <stddef.h>
#include <stdint.h>

typedef struct mock_control {
    const char *failing;         /* the function that fails, without "cl"; NULL: none does */
    int fail_at;                 /* at which of its calls, from 1 */
    int code;                    /* with this error */
    int bad_launch;              /* which of the launches from now on fails as it runs, from 1; 0:
                                    none */
    int overtaking;              /* on a queue out of order each so many-th command is overtaken by
                                    what is ready: 1: each */
    int platforms, devices;      /* how many there are */
    const char *name;            /* of the devices */
    int has_f64;
    size_t work_group_size;
    uint64_t local_memory, largest_buffer;
    int is_unified;              /* host and device have one memory */
    uint64_t svm;                /* how they share it: OCL_SVM_... */
    const char *log;             /* of a build that fails */
    const char *extensions;      /* of the devices */
    size_t subgroup_size;        /* of kernels */
    size_t subgroup_sizes[2];    /* that kernels can ask for; 0: none */
    int from_binary;             /* programs that were made from a binary */
    int calls;                   /* of the failing function so far */
    int live;                    /* objects that were created and not released */
    int misuses;                 /* of objects: released twice, of another kind, out of range; of
                                    shared memory when it is not one's turn */
    int shared;                  /* allocations of shared memory */
} mock_control;

/* Exported as "mock_opencl_control": gives it, set to what a good device is. */
typedef mock_control *mock_control_get(void);

#endif
