/* mock_opencl_objects.h: objects of the mock OpenCL library, which counts them and checks every
 * handle. */
#ifndef TEST_MOCK_OPENCL_OBJECTS_H
#define TEST_MOCK_OPENCL_OBJECTS_H

#include "mock_opencl.h"
#include "runtime/device/opencl/api.h"
#include "toy_device.h"

#include <pthread.h>
#include <stdatomic.h>

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

#define DECLARE(result, name, parameters) EXPORT result cl##name parameters;
OCL_FUNCTIONS(DECLARE)
OCL_OPENING_FUNCTIONS(DECLARE)
OCL_SHARING_FUNCTIONS(DECLARE)
OCL_SUBGROUP_FUNCTIONS(DECLARE)

enum { MOST_ARGUMENTS = 24 };

typedef enum object_kind { CONTEXT = 0x5eed, QUEUE, PROGRAM, KERNEL, MEMORY, EVENT } object_kind;

/* Arguments of a kernel, as they were last set. */
typedef struct arguments {
    char value[MOST_ARGUMENTS][8];
    size_t bytes[MOST_ARGUMENTS];
    int is_shared[MOST_ARGUMENTS];       /* a pointer to shared memory */
} arguments;

struct command;

typedef struct object {
    object_kind kind;
    atomic_int references;
    struct object *context;              /* QUEUE, MEMORY */
    spmv_opencl_bits properties;         /* QUEUE */
    size_t bytes;                        /* MEMORY */
    char *data;
    const toy_kernel *kernel;            /* KERNEL */
    arguments arguments;
    int is_done, is_failed;              /* EVENT */
    struct command *command;             /* EVENT: its pending command; else NULL */
} object;

extern mock_control control;
extern atomic_int misuses;

/* Whether this call must fail. */
int fails(const char *function);

void *create(const char *function, object_kind kind, spmv_opencl_int *code);
object *check(const void *handle, object_kind kind);
spmv_opencl_int retain(const void *handle, object_kind kind);
spmv_opencl_int release(const void *handle, object_kind kind);
spmv_opencl_int answer(const void *value, size_t bytes, size_t size, void *out, size_t *needed);

/* The address for kernels of shared memory. NULL: kernels may not use the memory now. */
void *device_address(const void *shared);

/* Runs all pending commands. */
void commands_reset(void);

/* Gives shared memory to the host (mapping) or to the device (unmapping). */
void shared_change_turn(const void *memory, int to_host);

/* Frees the shared memory of an earlier test. */
void shared_reset(void);

enum { GARBAGE = 0xa9 };                 /* contents of unwritten memory */

extern pthread_mutex_t mutex;            /* guards commands and shared memory */

extern char device_object;

#endif
