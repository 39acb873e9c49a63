/* mock_cuda_streams.c: streams, commands, events and graphs of the mock CUDA driver.
 *
 * Commands run as late and as much out of order as CUDA allows. A command runs when something waits
 * for it: after the earlier commands of its stream, after the events that it waits for, after
 * earlier commands of streams that synchronise with its stream (one of the two is the default
 * stream), and after commands of other streams that are ready. Copies from and to the host do the
 * same, as they may for pinned memory. A missing wait therefore finds garbage.
 *
 * A stream that is being captured keeps its commands for a graph, where they run one after another.
 * Waiting for the stream, or in it for a command outside of the graph, is an error that spoils the
 * capture.
 */
#include "mock_cuda_objects.h"

#include <stdlib.h>
#include <string.h>

typedef enum command_kind { COPY_IN, COPY_OUT, LAUNCH, RECORD, WAIT } command_kind;

/* What an application lets a graph own. */
typedef struct mock_user_object {
    int references;
    void (*end)(void *);
    void *data;
} mock_user_object;

/* A graph's references to such objects, which its launches share. */
enum { MOST_OWNED = 8 };
typedef struct owned {
    int references;              /* the graph, and its launches that have not ended */
    int count;
    mock_user_object *object[MOST_OWNED];
} owned;

typedef struct command {
    struct command *next;                /* started after this one */
    command_kind kind;
    object *stream, *context;
    int runs;                            /* it is about to run, after its predecessors */
    spmv_cuda_pointer memory;            /* COPY_... */
    void *host;
    size_t bytes;
    mark *mark;                          /* RECORD, WAIT */
    const toy_kernel *kernel;            /* LAUNCH */
    char value[MOST_ARGUMENTS][8];
    int64_t items;
    owned *owned;                        /* of the last command of a graph's launch */
} command;

/* The commands of a captured stream. */
typedef struct mock_graph {
    struct mock_graph *next;
    command *first;
    int mode;
    int is_spoiled, is_open;
    uint64_t number;             /* of the capture */
    owned *owned;                /* NULL: nothing */
} mock_graph;

static command *first;
static mock_graph *graphs;
static uint64_t captures;        /* so far */
static int pending_launches;
_Thread_local int capture_mode;

static object legacy = {.kind = STREAM}, per_thread = {.kind = STREAM};

/* ---- marks --------------------------------------------------------------------------------- */

void mark_release(mark *m)
{
    if (m != NULL && --m->references == 0)
        free(m);
}

/* ---- what graphs own ----------------------------------------------------------------------- */

static void user_object_release(mock_user_object *o, int count)
{
    o->references -= count;
    misuses += o->references < 0;
    if (o->references > 0)
        return;
    o->end(o->data);
    live--;
    free(o);
}

static void owned_release(owned *o)
{
    if (o == NULL || --o->references > 0)
        return;
    for (int i = 0; i < o->count; i++)
        user_object_release(o->object[i], 1);
    free(o);
}

/* ---- running ------------------------------------------------------------------------------- */

static void launch(const command *c)
{
    const void *argument[MOST_ARGUMENTS] = {NULL};

    for (int i = 0; i < c->kernel->argument_count; i++) {
        spmv_cuda_pointer address;

        argument[i] = c->value[i];
        if (!c->kernel->is_pointer[i])
            continue;
        memcpy(&address, c->value[i], sizeof address);
        argument[i] = address != 0 ? device_data(address, 1, c->context) : NULL;
        if (address != 0 && argument[i] == NULL) {
            misuses++;
            return;
        }
    }
    for (int64_t item = 0; item < c->items; item++)
        c->kernel->run(argument, item);
}

static void copy(const command *c)
{
    void *data = device_data(c->memory, c->bytes, c->context);

    if (data == NULL)
        misuses++;
    else if (c->kind == COPY_IN)
        memcpy(data, c->host, c->bytes);
    else
        memcpy(c->host, data, c->bytes);
}

static void act(command *c)
{
    if (c->kind == LAUNCH && control.bad_launch > 0 && --control.bad_launch == 0)
        c->context->is_bad = 1;
    if (c->kind == RECORD)
        c->mark->is_done = 1;
    if (c->context->is_bad)
        return;
    managed_protect(0);
    if (c->kind == LAUNCH)
        launch(c);
    else if (c->kind == COPY_IN || c->kind == COPY_OUT)
        copy(c);
}

static void run(command *c);

/* Whether one is the default stream and the other synchronises with it. */
static int is_legacy_pair(const object *a, const object *b)
{
    return (a == &legacy && !(b->flags & CU_STREAM_NON_BLOCKING)) ||
           (b == &legacy && !(a->flags & CU_STREAM_NON_BLOCKING));
}

static int is_behind(const command *c, const command *earlier)
{
    return c->stream == earlier->stream || (c->context == earlier->context &&
                                            is_legacy_pair(c->stream, earlier->stream));
}

/* Runs the commands that must end before c. */
static void run_predecessors(const command *c)
{
    for (command *o = first; o != NULL && o != c;) {
        if (!o->runs && is_behind(c, o)) {
            run(o);
            o = first;
        } else {
            o = o->next;
        }
    }
    if (c->kind == WAIT && !c->mark->is_done && c->mark->command != NULL)
        run(c->mark->command);
}

static int is_ready(const command *c)
{
    if (c->runs || (c->kind == WAIT && !c->mark->is_done))
        return 0;
    for (const command *o = first; o != c; o = o->next)
        if (is_behind(c, o))
            return 0;
    return 1;
}

/* Runs the commands that are ready now and may overtake c. Commands that become ready by that have
 * to wait, so that streams alternate. */
static void run_overtaking(const command *c)
{
    static int is_overtaking, turn;
    command *ready[16];
    int count = 0;

    if (is_overtaking || ++turn % control.overtaking != 0)
        return;
    for (command *o = first; o != NULL; o = o->next)
        if (o != c && is_ready(o) && count < 16)
            ready[count++] = o;
    is_overtaking = 1;
    for (int i = 0; i < count; i++)
        run(ready[i]);
    is_overtaking = 0;
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
    pending_launches -= c->kind == LAUNCH;
    managed_protect(pending_launches > 0);
    if (c->kind == RECORD)
        c->mark->command = NULL;
    mark_release(c->mark);
    owned_release(c->owned);
    free(c);
}

/* Runs the commands of the stream. NULL: of all streams. */
static void run_all(const object *stream)
{
    for (command *c = first; c != NULL;) {
        if (stream == NULL || c->stream == stream) {
            run(c);
            c = first;
        } else {
            c = c->next;
        }
    }
}

static void free_graph(mock_graph *graph)
{
    mock_graph **link = &graphs;

    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    while (graph->first != NULL) {
        command *c = graph->first;
        graph->first = c->next;
        mark_release(c->mark);
        free(c);
    }
    owned_release(graph->owned);
    free(graph);
}

void streams_run(void)
{
    run_all(NULL);
}

void streams_reset(void)
{
    run_all(NULL);
    while (graphs != NULL)
        free_graph(graphs);
    capture_mode = CU_CAPTURE_MODE_GLOBAL;
}

/* ---- starting ------------------------------------------------------------------------------ */

static object *stream_of(spmv_cuda_stream handle)
{
    if (handle == NULL || handle == CU_STREAM_LEGACY)
        return &legacy;
    return handle == CU_STREAM_PER_THREAD ? &per_thread : check(handle, STREAM);
}

static command *append(command **list, command c)
{
    command *made = malloc(sizeof *made);

    *made = c;
    made->next = NULL;
    if (made->mark != NULL)
        made->mark->references++;
    while (*list != NULL)
        list = &(*list)->next;
    *list = made;
    return made;
}

/* Adds a copy of the command to the stream, or to the graph that the stream is captured into. */
static command *start(object *stream, command c)
{
    c.stream = stream;
    c.context = current();
    if (stream->graph != NULL)
        return append(&stream->graph->first, c);
    if (c.kind == LAUNCH) {
        pending_launches++;
        managed_protect(1);
    }
    return append(&first, c);
}

static spmv_cuda_result start_copy(const char *function, spmv_cuda_stream handle, command c)
{
    const spmv_cuda_result code = enter(function, IN_CONTEXT);
    object *stream = code == CU_SUCCESS ? stream_of(handle) : NULL;

    if (stream == NULL)
        return leave(code != CU_SUCCESS ? code : INVALID_HANDLE);
    if (c.bytes == 0 || device_data(c.memory, c.bytes, current()) == NULL) {
        misuses++;
        return leave(CU_INVALID_VALUE);
    }
    start(stream, c);
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuMemcpyHtoDAsync_v2(spmv_cuda_pointer to, const void *from, size_t bytes,
                                      spmv_cuda_stream stream)
{
    command c = {.kind = COPY_IN, .memory = to, .bytes = bytes};

    memcpy(&c.host, &from, sizeof from);
    return start_copy("cuMemcpyHtoDAsync_v2", stream, c);
}

spmv_cuda_result cuMemcpyDtoHAsync_v2(void *to, spmv_cuda_pointer from, size_t bytes,
                                      spmv_cuda_stream stream)
{
    return start_copy("cuMemcpyDtoHAsync_v2", stream,
                      (command){.kind = COPY_OUT, .memory = from, .host = to, .bytes = bytes});
}

spmv_cuda_result cuLaunchKernel(spmv_cuda_function function, unsigned grid_x, unsigned grid_y,
                                unsigned grid_z, unsigned x, unsigned y, unsigned z,
                                unsigned shared, spmv_cuda_stream handle, void **argument,
                                void **extra)
{
    const spmv_cuda_result code = enter("cuLaunchKernel", IN_CONTEXT);
    const object *o = code == CU_SUCCESS ? check(function, FUNCTION) : NULL;
    object *stream = o != NULL ? stream_of(handle) : NULL;
    command c = {.kind = LAUNCH};

    if (stream == NULL)
        return leave(code != CU_SUCCESS ? code : INVALID_HANDLE);
    if (grid_x == 0 || grid_x > (unsigned)control.largest_grid || grid_y != 1 || grid_z != 1 ||
        x == 0 || x > (unsigned)control.work_group_size || y != 1 || z != 1 || extra != NULL ||
        (shared > (unsigned)control.local_memory && shared > (unsigned)control.requested))
        return leave(CU_INVALID_VALUE);
    control.given = (int)shared;
    c.kernel = o->kernel;
    c.items = (int64_t)grid_x * x;
    for (int i = 0; i < c.kernel->argument_count; i++)
        memcpy(c.value[i], argument[i],
               c.kernel->is_pointer[i] ? sizeof(spmv_cuda_pointer) : (size_t)c.kernel->bytes[i]);
    start(stream, c);
    return leave(CU_SUCCESS);
}

/* ---- streams ------------------------------------------------------------------------------- */

spmv_cuda_result cuStreamCreate(spmv_cuda_stream *stream, unsigned flags)
{
    const spmv_cuda_result code = enter("cuStreamCreate", IN_CONTEXT);
    object *o;

    if (code != CU_SUCCESS)
        return leave(code);
    o = create(STREAM);
    o->flags = (int)flags;
    *stream = (spmv_cuda_stream)(void *)o;
    return leave(CU_SUCCESS);
}

/* The commands of the stream run to their end first. */
spmv_cuda_result cuStreamDestroy_v2(spmv_cuda_stream stream)
{
    const spmv_cuda_result code = enter("cuStreamDestroy_v2", IN_CONTEXT);
    object *o = check(stream, STREAM);

    if (o != NULL) {
        run_all(o);
        destroy(o);
    }
    return leave(code);
}

/* The result of a wait. */
static spmv_cuda_result state_of(const object *context)
{
    return context->is_bad ? LAUNCH_FAILED : CU_SUCCESS;
}

static spmv_cuda_result spoil(mock_graph *graph, spmv_cuda_result code)
{
    graph->is_spoiled = 1;
    return code;
}

static spmv_cuda_result synchronise(object *stream)
{
    if (stream == NULL)
        return INVALID_HANDLE;
    if (stream->graph != NULL)
        return spoil(stream->graph, CAPTURE_UNSUPPORTED);
    run_all(stream);
    return state_of(current());
}

spmv_cuda_result cuStreamSynchronize(spmv_cuda_stream stream)
{
    const spmv_cuda_result code = enter("cuStreamSynchronize", IN_CONTEXT | UNSAFE);

    return leave(code == CU_SUCCESS ? synchronise(stream_of(stream)) : code);
}

spmv_cuda_result cuCtxSynchronize(void)
{
    const spmv_cuda_result code = enter("cuCtxSynchronize", IN_CONTEXT | UNSAFE);

    if (code != CU_SUCCESS)
        return leave(code);
    run_all(NULL);
    return leave(state_of(current()));
}

/* ---- events -------------------------------------------------------------------------------- */

spmv_cuda_result cuEventCreate(spmv_cuda_event *event, unsigned flags)
{
    const spmv_cuda_result code = enter("cuEventCreate", IN_CONTEXT);
    object *o;

    if (code != CU_SUCCESS)
        return leave(code);
    o = create(EVENT);
    o->flags = (int)flags;
    *event = (spmv_cuda_event)(void *)o;
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuEventDestroy_v2(spmv_cuda_event event)
{
    const spmv_cuda_result code = enter("cuEventDestroy_v2", IN_CONTEXT);
    object *o = check(event, EVENT);

    if (o != NULL)
        destroy(o);
    return leave(code);
}

static void record(object *event, object *stream)
{
    mark_release(event->mark);
    event->mark = NULL;
    event->graph = stream->graph;
    if (stream->graph != NULL)
        return;
    event->mark = calloc(1, sizeof *event->mark);
    event->mark->references = 1;
    event->mark->command = start(stream, (command){.kind = RECORD, .mark = event->mark});
}

spmv_cuda_result cuEventRecord(spmv_cuda_event event, spmv_cuda_stream handle)
{
    const spmv_cuda_result code = enter("cuEventRecord", IN_CONTEXT);
    object *o = code == CU_SUCCESS ? check(event, EVENT) : NULL;
    object *stream = o != NULL ? stream_of(handle) : NULL;

    if (stream == NULL)
        return leave(code != CU_SUCCESS ? code : INVALID_HANDLE);
    record(o, stream);
    return leave(CU_SUCCESS);
}

/* Waits for the event in the host. */
static spmv_cuda_result await(const object *event)
{
    if (event == NULL)
        return INVALID_HANDLE;
    if (event->graph != NULL)
        return spoil(event->graph, CAPTURED_EVENT);
    if (event->mark != NULL && event->mark->command != NULL)
        run(event->mark->command);
    return state_of(current());
}

spmv_cuda_result cuEventSynchronize(spmv_cuda_event event)
{
    const spmv_cuda_result code = enter("cuEventSynchronize", IN_CONTEXT | UNSAFE);

    return leave(code == CU_SUCCESS ? await(check(event, EVENT)) : code);
}

spmv_cuda_result cuEventQuery(spmv_cuda_event event)
{
    const spmv_cuda_result code = enter("cuEventQuery", IN_CONTEXT | UNSAFE);
    const object *o = check(event, EVENT);

    if (code != CU_SUCCESS || o == NULL)
        return leave(code != CU_SUCCESS ? code : INVALID_HANDLE);
    return leave(o->mark != NULL && !o->mark->is_done ? NOT_READY : CU_SUCCESS);
}

spmv_cuda_result cuEventElapsedTime(float *milliseconds, spmv_cuda_event start_event,
                                    spmv_cuda_event stop_event)
{
    const spmv_cuda_result code = enter("cuEventElapsedTime", IN_CONTEXT);
    const object *a = check(start_event, EVENT), *b = check(stop_event, EVENT);

    if (code != CU_SUCCESS)
        return leave(code);
    if (a == NULL || b == NULL || ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING) ||
        a->mark == NULL || b->mark == NULL)
        return leave(INVALID_HANDLE);
    if (!a->mark->is_done || !b->mark->is_done)
        return leave(NOT_READY);
    *milliseconds = 2;
    return leave(CU_SUCCESS);
}

/* Waits for the event in the stream. */
static spmv_cuda_result wait_for(object *stream, const object *event)
{
    if (stream == NULL || event == NULL)
        return INVALID_HANDLE;
    if (event->graph != NULL && event->graph == stream->graph)
        return CU_SUCCESS;       /* the graph's order is that of the stream */
    if (event->graph != NULL) {
        misuses++;               /* the stream would join the capture */
        return CAPTURE_ISOLATION;
    }
    if (event->mark == NULL)
        return CU_SUCCESS;
    if (stream->graph != NULL)
        return spoil(stream->graph, CAPTURE_ISOLATION);
    start(stream, (command){.kind = WAIT, .mark = event->mark});
    return CU_SUCCESS;
}

spmv_cuda_result cuStreamWaitEvent(spmv_cuda_stream stream, spmv_cuda_event event, unsigned flags)
{
    const spmv_cuda_result code = enter("cuStreamWaitEvent", IN_CONTEXT);

    if (code == CU_SUCCESS && flags != 0)
        misuses++;
    return leave(code == CU_SUCCESS ? wait_for(stream_of(stream), check(event, EVENT)) : code);
}

/* ---- captures and graphs ------------------------------------------------------------------- */

int captures_are_global(void)
{
    for (const mock_graph *g = graphs; g != NULL; g = g->next)
        if (g->is_open && g->mode == CU_CAPTURE_MODE_GLOBAL)
            return 1;
    return 0;
}

void captures_spoil(void)
{
    for (mock_graph *g = graphs; g != NULL; g = g->next)
        if (g->is_open && g->mode == CU_CAPTURE_MODE_GLOBAL)
            g->is_spoiled = 1;
}

#ifndef MOCK_OLD
spmv_cuda_result cuStreamGetCtx(spmv_cuda_stream handle, spmv_cuda_context *context)
{
    const spmv_cuda_result code = enter("cuStreamGetCtx", ANYWHERE);
    object *o = handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD || handle == NULL
                    ? NULL : (object *)(void *)handle;

    if (code != CU_SUCCESS)
        return leave(code);
    if (o == NULL && current() == NULL)
        return leave(CU_INVALID_CONTEXT);
    if (o != NULL && o->kind != STREAM)
        return leave(INVALID_HANDLE);
    *context = (spmv_cuda_context)(void *)(o != NULL ? o->context : current());
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuStreamIsCapturing(spmv_cuda_stream stream, int *how)
{
    const spmv_cuda_result code = enter("cuStreamIsCapturing", IN_CONTEXT);
    const object *o = code == CU_SUCCESS ? stream_of(stream) : NULL;

    if (o != NULL)
        *how = o->graph == NULL ? CU_CAPTURE_NONE : o->graph->is_spoiled ? 2 : 1;
    return leave(code == CU_SUCCESS && o == NULL ? INVALID_HANDLE : code);
}

spmv_cuda_result cuStreamGetCaptureInfo_v2(spmv_cuda_stream stream, int *how, uint64_t *number,
                                           spmv_cuda_graph *graph, void *nodes, void *count)
{
    const spmv_cuda_result code = enter("cuStreamGetCaptureInfo_v2", IN_CONTEXT);
    const object *o = code == CU_SUCCESS ? stream_of(stream) : NULL;

    if (nodes != NULL || count != NULL)
        misuses++;
    if (o != NULL && graph != NULL)
        *graph = control.hides_graphs ? NULL : (spmv_cuda_graph)(void *)o->graph;
    if (o != NULL)
        *how = o->graph == NULL ? CU_CAPTURE_NONE : 1;
    if (o != NULL && o->graph != NULL)
        *number = o->graph->number;
    return leave(code == CU_SUCCESS && o == NULL ? INVALID_HANDLE : code);
}

spmv_cuda_result cuThreadExchangeStreamCaptureMode(int *mode)
{
    const spmv_cuda_result code = enter("cuThreadExchangeStreamCaptureMode", ANYWHERE);
    const int before = capture_mode;

    if (code == CU_SUCCESS) {
        capture_mode = *mode;
        *mode = before;
    }
    return leave(code);
}
spmv_cuda_result cuUserObjectCreate(spmv_cuda_user_object *made, void *data, void (*end)(void *),
                                    unsigned references, unsigned flags)
{
    const spmv_cuda_result code = enter("cuUserObjectCreate", ANYWHERE);
    mock_user_object *o;

    if (code != CU_SUCCESS)
        return leave(code);
    if (references == 0 || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return leave(CU_INVALID_VALUE);
    o = malloc(sizeof *o);
    *o = (mock_user_object){(int)references, end, data};
    live++;
    *made = (spmv_cuda_user_object)(void *)o;
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuUserObjectRelease(spmv_cuda_user_object handle, unsigned count)
{
    (void)enter("cuUserObjectRelease", ANYWHERE);
    user_object_release((mock_user_object *)(void *)handle, (int)count);
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuGraphRetainUserObject(spmv_cuda_graph handle, spmv_cuda_user_object given,
                                         unsigned count, unsigned flags)
{
    const spmv_cuda_result code = enter("cuGraphRetainUserObject", ANYWHERE);
    mock_graph *graph = (mock_graph *)(void *)handle;

    if (code != CU_SUCCESS)
        return leave(code);
    if (graph->owned == NULL) {
        graph->owned = calloc(1, sizeof *graph->owned);
        graph->owned->references = 1;
    }
    if (count != 1 || flags != CU_GRAPH_USER_OBJECT_MOVE || graph->owned->count == MOST_OWNED)
        return leave(CU_INVALID_VALUE);
    graph->owned->object[graph->owned->count++] = (mock_user_object *)(void *)given;
    return leave(CU_SUCCESS);
}
#endif

spmv_cuda_result cuStreamBeginCapture_v2(spmv_cuda_stream stream, int mode)
{
    object *o;
    mock_graph *graph = calloc(1, sizeof *graph);

    (void)enter("cuStreamBeginCapture_v2", ANYWHERE);
    o = (object *)(void *)stream;
    graph->mode = mode;
    graph->is_open = 1;
    graph->number = ++captures;
    graph->next = graphs;
    graphs = o->graph = graph;
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuStreamEndCapture(spmv_cuda_stream stream, spmv_cuda_graph *handle)
{
    mock_graph *graph;
    object *o;

    (void)enter("cuStreamEndCapture", ANYWHERE);
    o = (object *)(void *)stream;
    graph = o->graph;
    *handle = (spmv_cuda_graph)(void *)graph;
    o->graph = NULL;
    graph->is_open = 0;
    if (!graph->is_spoiled)
        return leave(CU_SUCCESS);
    free_graph(graph);
    *handle = NULL;
    return leave(CAPTURE_INVALIDATED);
}

spmv_cuda_result cuGraphLaunch(spmv_cuda_graph launched, spmv_cuda_stream handle)
{
    const mock_graph *graph = (const mock_graph *)(void *)launched;
    object *stream;

    (void)enter("cuGraphLaunch", ANYWHERE);
    stream = (object *)(void *)handle;
    for (const command *c = graph->first; c != NULL; c = c->next) {
        command again = *c;
        again.mark = NULL;
        if (c->next == NULL && graph->owned != NULL) {
            graph->owned->references++;
            again.owned = graph->owned;
        }
        start(stream, again)->context = stream->context;
    }
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuGraphDestroy(spmv_cuda_graph graph)
{
    (void)enter("cuGraphDestroy", ANYWHERE);
    free_graph((mock_graph *)(void *)graph);
    return leave(CU_SUCCESS);
}
