/* cuda_client.c: see cuda_client.h. */
#define _XOPEN_SOURCE 700
#include "cuda_client.h"

#include "../tap.h"

#include <dlfcn.h>
#include <stdlib.h>

cuda_control *mock;
spmv_cuda_api cu;
struct cuda_more more;

static void *library;
static mock_cuda_get *get_control;
static mock_cuda_counts *count_objects;
static mock_cuda_depths *count_contexts;

void cuda_begin(int argc, char **argv, cuda_driver driver)
{
    /* An absolute path, since tests change the folder. */
    char *file = argc > 4 ? realpath(argv[driver], NULL) : NULL;

    library = file != NULL ? dlopen(file, RTLD_NOW) : NULL;
    if (library == NULL) {
        diag("usage: MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK");
        exit(1);
    }
    *(void **)&get_control = dlsym(library, "mock_cuda_control");
    *(void **)&count_objects = dlsym(library, "mock_cuda_count");
    *(void **)&count_contexts = dlsym(library, "mock_cuda_depth");
#define LOOK(name, symbol, parameters) *(void **)&cu.name = dlsym(library, #symbol);
    CU_FUNCTIONS(LOOK)
    CU_NEWER_FUNCTIONS(LOOK)
#undef LOOK
#define LOOK(name, symbol, parameters) *(void **)&more.name = dlsym(library, #symbol);
    MOCK_CUDA_FUNCTIONS(LOOK)
#undef LOOK
    setenv("SPMV_CUDA_LIBRARY", file, 1);
    setenv("SPMV_NVRTC_LIBRARY", file, 1);
    free(file);
    toy_device_program.language = "cuda";
    toy_device_program.file = "toy.cu";
    toy_begin();
    cuda_reset();
}

void cuda_end(void)
{
    toy_end();
    dlclose(library);
}

void cuda_reset(void)
{
    mock = get_control();
}

spmv_status open_cuda(void *queue, spmv_device **device, spmv_error *err)
{
    return toy_open("cuda", toy_device_modules, queue, device, err);
}

spmv_plan *open_alone(void *queue, spmv_device **device)
{
    *device = NULL;
    return toy_open("cuda", toy_alone_modules, queue, device, NULL) == SPMV_OK
               ? make_plan(*device, NULL) : NULL;
}

int is_clean(void)
{
    count_objects();
    if (mock->live != 0 || mock->misuses != 0 || count_contexts() != 0)
        diag("%d objects left, %d misuses, %d contexts on the stack", mock->live, mock->misuses,
             count_contexts());
    return mock->live == 0 && mock->misuses == 0 && count_contexts() == 0;
}

int live_objects(void)
{
    count_objects();
    return mock->live;
}

int has_context(spmv_cuda_context context)
{
    spmv_cuda_context found = NULL;

    return cu.CtxGetCurrent(&found) == CU_SUCCESS && found == context &&
           count_contexts() == (context != NULL);
}

static int has_no_context(void)
{
    return has_context(NULL);
}

static void fail(const char *function, int at, int code)
{
    mock->failing = function;
    mock->fail_at = at;
    mock->code = code;
}

static int calls(void)
{
    return mock->calls;
}

const tested_backend cuda = {"cuda", cuda_reset, is_clean, has_no_context, fail, calls};

/* ---- an application ------------------------------------------------------------------------ */

void app_begin(cuda_app *app, unsigned flags)
{
    cu.Init(0);
    cu.CtxCreate(&app->context, 0, 0);
    cu.StreamCreate(&app->stream, flags);
    cu.MemAlloc(&app->x, COLS * sizeof(double));
    cu.MemAlloc(&app->y, ROWS * sizeof(double));
}

void app_end(cuda_app *app)
{
    cu.MemFree(app->x);
    cu.MemFree(app->y);
    cu.StreamDestroy(app->stream);
    cu.CtxDestroy(app->context);
}

void app_end_clean(cuda_app *app, spmv_plan *plan, spmv_device *device)
{
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(app);
    ok(is_clean(), "and all objects are released");
}

void app_write(const cuda_app *app, spmv_cuda_pointer x, const void *from)
{
    cu.MemcpyHtoDAsync(x, from, COLS * sizeof(double), app->stream);
    cu.StreamSynchronize(app->stream);
}

void app_fill(const cuda_app *app, spmv_cuda_pointer y, double value)
{
    double filled[ROWS];

    for (int i = 0; i < ROWS; i++)
        filled[i] = value;
    cu.MemcpyHtoDAsync(y, filled, sizeof filled, app->stream);
    cu.StreamSynchronize(app->stream);
}

int app_reads_right(spmv_cuda_stream stream, spmv_cuda_pointer y, double alpha, double beta,
                    double old)
{
    double read[ROWS] = {0};

    return cu.MemcpyDtoHAsync(read, y, sizeof read, stream) == CU_SUCCESS &&
           cu.StreamSynchronize(stream) == CU_SUCCESS && sample_is_right(s, read, alpha, beta, old);
}

void app_make_streams(spmv_cuda_stream *stream, int count)
{
    for (int i = 0; i < count; i++)
        cu.StreamCreate(&stream[i], CU_STREAM_NON_BLOCKING);
}

void app_end_streams(const spmv_cuda_stream *stream, int count)
{
    for (int i = 0; i < count; i++)
        cu.StreamDestroy(stream[i]);
}

spmv_cuda_graph app_capture(const spmv_plan *plan, spmv_cuda_stream stream, double alpha,
                            spmv_cuda_pointer x, spmv_cuda_pointer y, spmv_status *status,
                            spmv_error *err)
{
    const spmv_enqueue_options options = { .struct_size = sizeof options,
                                           .queue = stream,
                                           .err = err };
    spmv_cuda_graph graph = NULL;

    more.StreamBeginCapture(stream, CU_CAPTURE_MODE_GLOBAL);
    *status = spmv_enqueue(plan, alpha, address(x), 0, address(y), &options);
    return more.StreamEndCapture(stream, &graph) == CU_SUCCESS ? graph : NULL;
}

void *address(spmv_cuda_pointer memory)
{
    return (void *)memory;
}
