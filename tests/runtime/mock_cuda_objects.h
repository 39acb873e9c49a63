/* mock_cuda_objects.h: objects of the mock CUDA driver, which counts them and checks every handle.
 *  */
#ifndef TEST_MOCK_CUDA_OBJECTS_H
#define TEST_MOCK_CUDA_OBJECTS_H

#include "runtime/device/cuda/nvrtc.h"
#include "mock_cuda.h"
#include "toy_device.h"

#include <pthread.h>

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

#define DECLARE(name, symbol, parameters) EXPORT int symbol parameters;
CU_FUNCTIONS(DECLARE)
CU_NEWER_FUNCTIONS(DECLARE)
MOCK_CUDA_FUNCTIONS(DECLARE)
NVRTC_FUNCTIONS(DECLARE)
NVRTC_NEWER_FUNCTIONS(DECLARE)

enum { MOST_ARGUMENTS = 24, GARBAGE = 0xa9 };

enum {
    LAUNCH_FAILED = 719, INVALID_HANDLE = 400, NOT_READY = 600, CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901, CAPTURE_ISOLATION = 905, CAPTURED_EVENT = 907
};

typedef enum object_kind { CONTEXT = 0x5eed, STREAM, EVENT, MODULE, FUNCTION, SOURCE } object_kind;

struct mock_graph;
struct command;

/* The point of a stream at which an event was recorded. */
typedef struct mark {
    int references;
    int is_done;
    struct command *command;     /* the pending command that records it; else NULL */
} mark;

typedef struct object {
    struct object *next;         /* created before this one */
    object_kind kind;
    struct object *context;      /* STREAM, EVENT, MODULE */
    int device;                  /* CONTEXT */
    int retains;                 /* CONTEXT: of a primary one */
    int is_bad;                  /* CONTEXT: a kernel failed */
    int flags;                   /* STREAM, EVENT */
    struct mock_graph *graph;    /* STREAM: the graph that captures it; EVENT: the graph that it is
                                    recorded in */
    mark *mark;                  /* EVENT: NULL: not recorded */
    const toy_kernel *kernel;    /* FUNCTION */
    char image[64];              /* SOURCE: the result of its compilation */
} object;

extern cuda_control control;
extern int live, misuses;

/* ---- calls: mock_cuda.c ---------------------------------------------------------------------- */

/* Requirements and properties of a call, as bits. */
enum {
    ANYWHERE = 0,
    IN_CONTEXT = 1,              /* needs a current context */
    UNSAFE = 2,                  /* forbidden during a capture, unless the thread's mode is
                                    relaxed */
    LENIENT = 4                  /* works in a broken context */
};

/* Begins a call and locks the mock. Returns the error that the call must return, or CU_SUCCESS. */
spmv_cuda_result enter(const char *function, int how);
spmv_cuda_result leave(spmv_cuda_result code);

object *create(object_kind kind);
void destroy(object *o);

/* The object of a handle. NULL, and a misuse, if its kind or context is wrong. */
object *check(const void *handle, object_kind kind);

/* The thread's current context; NULL: none. */
object *current(void);

/* ---- memory: mock_cuda_memory.c -------------------------------------------------------------- */

/* The contents at an address of device memory. NULL: no memory of this context. */
void *device_data(spmv_cuda_pointer address, size_t bytes, const object *context);

/* Protects managed memory from the host while a kernel is pending, if access is in turns. */
void managed_protect(int is_pending);
void memory_reset(void);

/* Frees the memory of a context. */
void memory_end(const object *context);

/* ---- streams: mock_cuda_streams.c ------------------------------------------------------------ */

/* Makes every global capture fail at its end. */
void captures_spoil(void);
int captures_are_global(void);
extern _Thread_local int capture_mode;

/* Runs all pending commands. */
void streams_run(void);

/* Runs all pending commands and frees all graphs. */
void streams_reset(void);
void mark_release(mark *m);

#endif
