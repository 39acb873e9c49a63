/* mock_opencl_commands.c: queues, commands and memory of the mock OpenCL library.
 *
 * Commands run as late and as much out of order as OpenCL allows. A command runs when something
 * waits for it, after the commands that it waits for. On an in-order queue it also runs after the
 * earlier commands; on an out-of-order queue, after all other commands that are ready. A missing
 * wait therefore reads garbage. Waiting for a command of another queue that was not flushed is a
 * misuse, since the command may never run. A command fails if a command fails that it waits for.
 */
#include "mock_opencl_objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WAITED_FOR_ONE_THAT_FAILED = -14 };

typedef enum command_kind { READ, WRITE, LAUNCH, MARKER, MAP, UNMAP } command_kind;

typedef struct command {
    struct command *next;                /* enqueued after this one */
    command_kind kind;
    object *queue;
    object *event;
    object *wait[4];
    spmv_opencl_uint waits;
    int is_flushed;
    int runs;                            /* it is about to run, after its predecessors */
    void *shared;                        /* MAP, UNMAP */
    object *memory;                      /* READ, WRITE */
    size_t offset, bytes;
    void *host;
    const toy_kernel *kernel;            /* LAUNCH */
    arguments arguments;
    size_t items;
} command;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static command *first;

/* ---- commands ------------------------------------------------------------------------------ */

static void launch(const command *c)
{
    const void *argument[MOST_ARGUMENTS] = { NULL };

    for (int i = 0; i < c->kernel->argument_count; i++) {
        void *pointer;

        argument[i] = c->arguments.value[i];
        if (c->arguments.bytes[i] == 0)
            atomic_fetch_add(&misuses, 1);
        if (!c->kernel->is_pointer[i])
            continue;
        memcpy(&pointer, c->arguments.value[i], sizeof pointer);
        if (c->arguments.is_shared[i]) {
            argument[i] = device_address(pointer);
            if (argument[i] == NULL) {
                atomic_fetch_add(&misuses, 1);
                return;
            }
        } else {
            argument[i] = pointer != NULL && check(pointer, MEMORY) ? ((object *)pointer)->data
                                                                    : NULL;
        }
    }
    for (size_t item = 0; item < c->items; item++)
        c->kernel->run(argument, (int64_t)item);
}

static int keeps_order(const object *queue)
{
    return !(queue->properties & OCL_QUEUE_OUT_OF_ORDER);
}

static void run(command *c);

/* Runs the commands that must end before c. */
static void run_predecessors(const command *c)
{
    for (spmv_opencl_uint i = 0; i < c->waits; i++) {
        command *o = c->wait[i]->command;
        if (c->wait[i]->is_done || o == NULL)
            continue;
        if (o->queue != c->queue && !o->is_flushed)
            atomic_fetch_add(&misuses, 1);
        run(o);
    }
    if (!keeps_order(c->queue))
        return;
    for (command *o = first; o != NULL && o != c;) {
        if (o->queue == c->queue) {
            run(o);
            o = first;
        } else {
            o = o->next;
        }
    }
}

static int is_ready(const command *c)
{
    for (spmv_opencl_uint i = 0; i < c->waits; i++)
        if (!c->wait[i]->is_done)
            return 0;
    return !c->runs && !keeps_order(c->queue);
}

/* Runs the commands that are ready now and may overtake c. Commands that become ready by that have
 * to wait, so that chains of commands alternate. */
static void run_overtaking(const command *c)
{
    static int is_overtaking, turn;
    command *ready[16];
    int count = 0;

    if (keeps_order(c->queue) || is_overtaking || ++turn % control.overtaking != 0)
        return;
    for (command *o = first; o != NULL; o = o->next)
        if (o != c && is_ready(o) && count < 16)
            ready[count++] = o;
    is_overtaking = 1;
    for (int i = 0; i < count; i++)
        run(ready[i]);
    is_overtaking = 0;
}

static void act(command *c)
{
    for (spmv_opencl_uint i = 0; i < c->waits; i++)
        c->event->is_failed |= c->wait[i]->is_failed;
    if (c->kind == LAUNCH && control.bad_launch > 0 && --control.bad_launch == 0)
        c->event->is_failed = 1;
    if (c->event->is_failed)
        return;
    if (c->kind == READ)
        memcpy(c->host, c->memory->data + c->offset, c->bytes);
    else if (c->kind == WRITE)
        memcpy(c->memory->data + c->offset, c->host, c->bytes);
    else if (c->kind == LAUNCH)
        launch(c);
    else if (c->kind != MARKER)
        shared_change_turn(c->shared, c->kind == MAP);
}

/* Runs c and removes it from the list. */
static void run(command *c)
{
    command **link = &first;

    if (c->runs)
        return;
    c->runs = 1;
    run_predecessors(c);
    run_overtaking(c);
    act(c);
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    for (spmv_opencl_uint i = 0; i < c->waits; i++)
        release(c->wait[i], EVENT);
    if (c->memory != NULL)
        release(c->memory, MEMORY);
    if (c->kind == LAUNCH)
        for (int i = 0; i < c->kernel->argument_count; i++) {
            void *pointer;
            memcpy(&pointer, c->arguments.value[i], sizeof pointer);
            if (c->kernel->is_pointer[i] && !c->arguments.is_shared[i] && pointer != NULL)
                release(pointer, MEMORY);
        }
    c->event->is_done = 1;
    c->event->command = NULL;
    release(c->event, EVENT);
    release(c->queue, QUEUE);
    free(c);
}

void commands_reset(void)
{
    while (first != NULL)
        run(first);
}

static void flush(const object *queue)
{
    for (command *c = first; c != NULL; c = c->next)
        c->is_flushed |= c->queue == queue;
}

/* Runs a command that is waited for. Returns whether it succeeded. */
static int run_now(command *c)
{
    object *event = c->event;
    int is_good;

    retain(event, EVENT);
    flush(c->queue);
    run(c);
    is_good = !event->is_failed;
    release(event, EVENT);
    return is_good;
}

/* Adds a copy of c to the list; a blocking command runs at once. */
static spmv_opencl_int enqueue(const char *function, command c, spmv_opencl_queue queue,
                               spmv_opencl_uint waits, const spmv_opencl_event *wait,
                               spmv_opencl_event *event, int blocking)
{
    command *made, **link = &first;
    int is_good = 1;

    c.queue = check(queue, QUEUE);
    c.waits = waits;
    if (fails(function) || c.queue == NULL || waits > 4 || (waits > 0) != (wait != NULL))
        return control.code;
    pthread_mutex_lock(&mutex);
    for (spmv_opencl_uint i = 0; i < waits; i++) {
        c.wait[i] = check(wait[i], EVENT);
        retain(wait[i], EVENT);
    }
    c.event = create("an event", EVENT, NULL);
    made = malloc(sizeof *made);
    *made = c;
    c.event->command = made;
    retain(queue, QUEUE);
    if (c.memory != NULL)
        retain(c.memory, MEMORY);
    if (c.kind == LAUNCH)
        for (int i = 0; i < c.kernel->argument_count; i++) {
            void *pointer;
            memcpy(&pointer, c.arguments.value[i], sizeof pointer);
            if (c.kernel->is_pointer[i] && !c.arguments.is_shared[i] && pointer != NULL)
                retain(pointer, MEMORY);
        }
    if (event != NULL) {
        retain(c.event, EVENT);
        *event = (spmv_opencl_event)(void *)c.event;
    }
    while (*link != NULL)
        link = &(*link)->next;
    *link = made;
    if (blocking)
        is_good = run_now(made);
    pthread_mutex_unlock(&mutex);
    return is_good ? OCL_SUCCESS : WAITED_FOR_ONE_THAT_FAILED;
}

/* ---- queues -------------------------------------------------------------------------------- */

spmv_opencl_queue clCreateCommandQueue(spmv_opencl_context context, spmv_opencl_device device,
                                       spmv_opencl_bits properties, spmv_opencl_int *code)
{
    object *o = check(context, CONTEXT) != NULL ? create("CreateCommandQueue", QUEUE, code) : NULL;

    (void)device;
    if (o != NULL) {
        o->properties = properties;
        o->context = (object *)(void *)context;
    }
    return (spmv_opencl_queue)(void *)o;
}

spmv_opencl_int clRetainCommandQueue(spmv_opencl_queue queue)
{
    return fails("RetainCommandQueue") ? control.code : retain(queue, QUEUE);
}

spmv_opencl_int clReleaseCommandQueue(spmv_opencl_queue queue) { return release(queue, QUEUE); }

spmv_opencl_int clGetCommandQueueInfo(spmv_opencl_queue queue, spmv_opencl_uint what, size_t size,
                                      void *out, size_t *needed)
{
    const object *o = check(queue, QUEUE);
    void *const device = &device_object;

    if (fails("GetCommandQueueInfo") || o == NULL)
        return control.code;
    switch (what) {
    case OCL_QUEUE_CONTEXT: return answer(&o->context, sizeof o->context, size, out, needed);
    case OCL_QUEUE_DEVICE: return answer(&device, sizeof device, size, out, needed);
    case OCL_QUEUE_PROPERTIES:
        return answer(&o->properties, sizeof o->properties, size, out, needed);
    default: return -30;
    }
}

spmv_opencl_int clFlush(spmv_opencl_queue queue)
{
    pthread_mutex_lock(&mutex);
    flush(check(queue, QUEUE));
    pthread_mutex_unlock(&mutex);
    return fails("Flush") ? control.code : OCL_SUCCESS;
}

spmv_opencl_int clFinish(spmv_opencl_queue queue)
{
    const object *o = check(queue, QUEUE);

    pthread_mutex_lock(&mutex);
    flush(o);
    for (command *c = first; c != NULL;) {
        if (c->queue == o) {
            run(c);
            c = first;
        } else {
            c = c->next;
        }
    }
    pthread_mutex_unlock(&mutex);
    return fails("Finish") ? control.code : OCL_SUCCESS;
}

/* ---- memory -------------------------------------------------------------------------------- */

spmv_opencl_memory clCreateBuffer(spmv_opencl_context context, spmv_opencl_bits flags, size_t bytes,
                                  void *host, spmv_opencl_int *code)
{
    object *o;

    (void)flags;
    (void)host;
    if (bytes == 0 || check(context, CONTEXT) == NULL)
        atomic_fetch_add(&misuses, 1);
    if (bytes > control.largest_buffer) {
        *code = -61;
        return NULL;
    }
    o = create("CreateBuffer", MEMORY, code);
    if (o != NULL) {
        o->context = (object *)(void *)context;
        o->bytes = bytes;
        o->data = malloc(bytes);
        memset(o->data, GARBAGE, bytes);
    }
    return (spmv_opencl_memory)(void *)o;
}

spmv_opencl_int clReleaseMemObject(spmv_opencl_memory memory) { return release(memory, MEMORY); }

spmv_opencl_int clGetMemObjectInfo(spmv_opencl_memory memory, spmv_opencl_uint what, size_t size,
                                   void *out, size_t *needed)
{
    const object *o = (const object *)(const void *)memory;

    if (fails("GetMemObjectInfo") || o->kind != MEMORY)
        return -38;
    return what == OCL_MEM_SIZE ? answer(&o->bytes, sizeof o->bytes, size, out, needed)
                                : answer(&o->context, sizeof o->context, size, out, needed);
}

static object *check_range(spmv_opencl_memory memory, size_t offset, size_t bytes)
{
    object *o = check(memory, MEMORY);

    if (o != NULL && bytes > 0 && offset <= o->bytes && bytes <= o->bytes - offset)
        return o;
    atomic_fetch_add(&misuses, 1);
    return NULL;
}

spmv_opencl_int clEnqueueReadBuffer(spmv_opencl_queue queue, spmv_opencl_memory memory,
                                    spmv_opencl_uint blocking, size_t offset, size_t bytes,
                                    void *out, spmv_opencl_uint waits,
                                    const spmv_opencl_event *wait, spmv_opencl_event *event)
{
    const command c = {.kind = READ, .memory = check_range(memory, offset, bytes), .offset = offset,
                       .bytes = bytes, .host = out};

    return c.memory != NULL
               ? enqueue("EnqueueReadBuffer", c, queue, waits, wait, event, blocking != 0) : -30;
}

spmv_opencl_int clEnqueueWriteBuffer(spmv_opencl_queue queue, spmv_opencl_memory memory,
                                     spmv_opencl_uint blocking, size_t offset, size_t bytes,
                                     const void *data, spmv_opencl_uint waits,
                                     const spmv_opencl_event *wait, spmv_opencl_event *event)
{
    command c = {.kind = WRITE, .memory = check_range(memory, offset, bytes), .offset = offset,
                 .bytes = bytes};

    memcpy(&c.host, &data, sizeof data);
    return c.memory != NULL
               ? enqueue("EnqueueWriteBuffer", c, queue, waits, wait, event, blocking != 0) : -30;
}

spmv_opencl_int clEnqueueSVMMap(spmv_opencl_queue queue, spmv_opencl_uint blocking,
                                spmv_opencl_bits flags, void *memory, size_t bytes,
                                spmv_opencl_uint waits, const spmv_opencl_event *wait,
                                spmv_opencl_event *event)
{
    (void)flags;
    (void)bytes;
    return enqueue("EnqueueSVMMap", (command){.kind = MAP, .shared = memory}, queue, waits, wait,
                   event, blocking != 0);
}

spmv_opencl_int clEnqueueSVMUnmap(spmv_opencl_queue queue, void *memory, spmv_opencl_uint waits,
                                  const spmv_opencl_event *wait, spmv_opencl_event *event)
{
    return enqueue("EnqueueSVMUnmap", (command){ .kind = UNMAP, .shared = memory }, queue, waits,
                   wait, event, 0);
}

/* ---- kernels and events -------------------------------------------------------------------- */

spmv_opencl_int clEnqueueNDRangeKernel(spmv_opencl_queue queue, spmv_opencl_kernel kernel,
                                       spmv_opencl_uint dimensions, const size_t *offset,
                                       const size_t *global, const size_t *local,
                                       spmv_opencl_uint waits, const spmv_opencl_event *wait,
                                       spmv_opencl_event *event)
{
    const object *o = check(kernel, KERNEL);
    command c = {.kind = LAUNCH};

    (void)offset;
    if (o == NULL)
        return -48;
    if (dimensions != 1 || *global % *local != 0)
        atomic_fetch_add(&misuses, 1);
    c.kernel = o->kernel;
    c.arguments = o->arguments;
    c.items = *global;
    return enqueue("EnqueueNDRangeKernel", c, queue, waits, wait, event, 0);
}

spmv_opencl_int clEnqueueMarkerWithWaitList(spmv_opencl_queue queue, spmv_opencl_uint waits,
                                            const spmv_opencl_event *wait, spmv_opencl_event *event)
{
    return enqueue("EnqueueMarkerWithWaitList", (command){ .kind = MARKER }, queue, waits, wait,
                   event, 0);
}

spmv_opencl_int clWaitForEvents(spmv_opencl_uint count, const spmv_opencl_event *event)
{
    int is_good = 1;

    pthread_mutex_lock(&mutex);
    for (spmv_opencl_uint i = 0; i < count; i++) {
        object *o = check(event[i], EVENT);
        if (o != NULL && o->command != NULL)
            is_good &= run_now(o->command);
        else if (o != NULL)
            is_good &= !o->is_failed;
    }
    pthread_mutex_unlock(&mutex);
    return fails("WaitForEvents") ? control.code
           : is_good ? OCL_SUCCESS : WAITED_FOR_ONE_THAT_FAILED;
}

spmv_opencl_int clGetEventInfo(spmv_opencl_event event, spmv_opencl_uint what, size_t size,
                               void *out, size_t *needed)
{
    const object *o = check(event, EVENT);
    spmv_opencl_int status;

    if (fails("GetEventInfo") || o == NULL || what != OCL_EVENT_COMMAND_EXECUTION_STATUS)
        return control.code;
    pthread_mutex_lock(&mutex);
    status = !o->is_done ? 3 : o->is_failed ? -5 : 0;    /* 3: queued */
    pthread_mutex_unlock(&mutex);
    return answer(&status, sizeof status, size, out, needed);
}

spmv_opencl_int clGetEventProfilingInfo(spmv_opencl_event event, spmv_opencl_uint what, size_t size,
                                        void *out, size_t *needed)
{
    const uint64_t time = what == OCL_PROFILING_COMMAND_END ? 3000000 : 1000000;
    const object *o = check(event, EVENT);

    if (fails("GetEventProfilingInfo") || o == NULL || !o->is_done)
        return control.code;
    return answer(&time, sizeof time, size, out, needed);
}

spmv_opencl_int clRetainEvent(spmv_opencl_event event)
{
    return fails("RetainEvent") ? control.code : retain(event, EVENT);
}

spmv_opencl_int clReleaseEvent(spmv_opencl_event event) { return release(event, EVENT); }
