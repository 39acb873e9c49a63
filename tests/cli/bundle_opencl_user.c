/* bundle_opencl_user.c METHOD...: a program with a bundle for OpenCL, in a context and in queues of
 * its own. test_bundle_opencl.py compiles it for each type:
 *
 *     REAL, OFFSET   the types, such as double and int32_t
 *     VALUES         their names in functions, such as f64,
 *     MATRIX         and f64_i64
 *     HEADER         of the bundle
 *
 * With headers of OpenCL 1 it uses no shared memory.
 *
 * All values are small integers, so that any order of additions gives the same sums. Exits with 77,
 * and the reason, without a device that can run this.
 */
#include HEADER

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASTE(a, b) a##b
#define NAMED(a, b) PASTE(a, b)
#define CREATE NAMED(spmv_matrix_create_, MATRIX)
#define CREATE_WITH NAMED(NAMED(spmv_matrix_create_, MATRIX), _with)
#define UPDATE NAMED(spmv_matrix_update_, VALUES)
#define MULTIPLY NAMED(spmv_multiply_, VALUES)
#define MULTIPLY_SVM NAMED(spmv_multiply_svm_, VALUES)
#define PROFILE_SVM NAMED(spmv_profile_svm_, VALUES)

enum { ROWS = 3000, COLS = 2500, LONG_ROW = 4000, MOST = 40000, SKIPPED = 77 };

static int faults;

static void check(int is_good, const char *method, const char *what)
{
    if (!is_good)
        printf("not ok: %s: %s\n", method, what);
    faults += !is_good;
}

static void need(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "cannot %s: error %d\n", what, (int)code);
    exit(1);
}

/* ---- the matrix ---------------------------------------------------------------------------- */

static OFFSET row_ptr[ROWS + 1];
static int32_t col_idx[MOST];
static REAL val[MOST], x[COLS], first[ROWS], y[ROWS];

static uint32_t draw(uint32_t most)
{
    static uint32_t state = 1;

    state = state * 1664525u + 1013904223u;
    return (state >> 8) % most;
}

/* Empty rows at both ends and in between, short rows, and one of LONG_ROW entries. */
static void make_matrix(void)
{
    for (int i = 0; i < ROWS; i++) {
        const int length = i < 5 || i > ROWS - 70 ? 0 : i == 1000 ? LONG_ROW : (int)draw(20) - 4;

        row_ptr[i + 1] = row_ptr[i];
        for (int k = 0; k < length; k++, row_ptr[i + 1]++) {
            col_idx[row_ptr[i + 1]] = (int32_t)draw(COLS);
            val[row_ptr[i + 1]] = (REAL)((int)draw(9) - 4);
        }
    }
    for (int i = 0; i < COLS; i++)
        x[i] = (REAL)((int)draw(9) - 4);
    for (int i = 0; i < ROWS; i++)
        first[i] = (REAL)((int)draw(9) - 4);
}

static int is_expected(const REAL *found, int alpha, int beta)
{
    for (int i = 0; i < ROWS; i++) {
        REAL sum = 0;

        for (OFFSET k = row_ptr[i]; k < row_ptr[i + 1]; k++)
            sum += val[k] * x[col_idx[k]];
        sum = (REAL)alpha * sum + (beta != 0 ? (REAL)beta * first[i] : 0);
        if (found[i] != sum) {
            printf("row %d: expected %g, found %g\n", i, (double)sum, (double)found[i]);
            return 0;
        }
    }
    return 1;
}

/* ---- the device ---------------------------------------------------------------------------- */

static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue, loose_queue, other_queue;

static cl_context make_context(void)
{
    cl_int code;
    cl_context made = clCreateContext(NULL, 1, &device, NULL, NULL, &code);

    need(code, "make a context");
    return made;
}

static cl_command_queue make_queue(cl_context of, cl_command_queue_properties properties)
{
    cl_int code;
    cl_command_queue made = clCreateCommandQueue(of, device, properties, &code);

    need(code, "make a queue");
    return made;
}

static cl_mem make_buffer(cl_context of, size_t count, const REAL *data)
{
    cl_int code;
    cl_mem made = clCreateBuffer(of, CL_MEM_READ_WRITE, count * sizeof *data, NULL, &code);

    need(code, "make a buffer");
    if (data != NULL && of == context)
        need(clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, count * sizeof *data, data, 0, NULL,
                                  NULL), "write a buffer");
    return made;
}

static void read_y(cl_mem from, cl_uint count, const cl_event *after)
{
    memset(y, 0xff, sizeof y);
    need(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof y, y, count, after, NULL), "read y");
}

static void open_device(void)
{
    cl_platform_id platform;

    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        printf("there is no OpenCL device\n");
        exit(SKIPPED);
    }
    context = make_context();
    other_context = make_context();
    queue = make_queue(context, 0);
    loose_queue = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    other_queue = make_queue(other_context, 0);
}

static void close_device(void)
{
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(loose_queue);
    clReleaseCommandQueue(other_queue);
    clReleaseContext(context);
    clReleaseContext(other_context);
}

/* ---- what is tested ------------------------------------------------------------------------ */

static void try_scalars(spmv_matrix *a, const char *method, cl_mem on_device_x)
{
    static const int scalar[][2] = { { 1, 0 }, { 2, -1 }, { 0, 3 }, { -1, 1 } };
    REAL not_a_number[ROWS];
    cl_mem out;

    for (int i = 0; i < ROWS; i++)
        not_a_number[i] = (REAL)NAN;
    for (size_t s = 0; s < sizeof scalar / sizeof scalar[0]; s++) {
        const int alpha = scalar[s][0], beta = scalar[s][1];
        spmv_error error;

        memset(&error, 0, sizeof error);
        out = make_buffer(context, ROWS, beta != 0 ? first : not_a_number);
        check(MULTIPLY(a, (REAL)alpha, alpha != 0 ? on_device_x : NULL, (REAL)beta, out, NULL, 0,
                       NULL, NULL, &error) == SPMV_OK, method, error.text);
        read_y(out, 0, NULL);
        check(is_expected(y, alpha, beta), method, "y is alpha*A*x + beta*y");
        clReleaseMemObject(out);
    }
}

/* Overlapping multiplications in two queues, one of them out of order, one waiting for the other:
 * y1 = A*x and y1 = 2*A*x + y1 there, y2 = A*x here. */
static void try_queues(spmv_matrix *a, const char *method, cl_mem on_device_x)
{
    cl_mem y1 = make_buffer(context, ROWS, first), y2 = make_buffer(context, ROWS, first);
    cl_event event[3] = { NULL, NULL, NULL };
    spmv_error error;

    check(MULTIPLY(a, 1, on_device_x, 0, y1, loose_queue, 0, NULL, &event[0], &error) == SPMV_OK &&
          MULTIPLY(a, 1, on_device_x, 0, y2, queue, 0, NULL, &event[1], &error) == SPMV_OK &&
          MULTIPLY(a, 2, on_device_x, 1, y1, loose_queue, 1, &event[0], &event[2], &error) ==
              SPMV_OK, method, "it runs in two queues");
    if (event[2] != NULL) {
        read_y(y1, 1, &event[2]);
        check(is_expected(y, 3, 0), method, "y in a queue that is out of order");
        read_y(y2, 0, NULL);
        check(is_expected(y, 1, 0), method, "y in the other queue");
    }
    for (int i = 0; i < 3; i++)
        if (event[i] != NULL)
            clReleaseEvent(event[i]);
    clReleaseMemObject(y1);
    clReleaseMemObject(y2);
}

/* A thread with a queue of its own. */
typedef struct worker {
    pthread_t thread;
    spmv_matrix *a;
    cl_mem x;
    REAL y[ROWS];
    int is_good;
} worker;

enum { WORKERS = 4, RUNS = 5 };

static void *work(void *argument)
{
    worker *w = (worker *)argument;
    cl_command_queue own = make_queue(context, 0);
    cl_mem out = make_buffer(context, ROWS, NULL);

    w->is_good = 1;
    for (int i = 0; i < RUNS; i++)
        w->is_good = w->is_good && MULTIPLY(w->a, 1, w->x, i > 0, out, own, 0, NULL, NULL,
                                            NULL) == SPMV_OK;
    need(clEnqueueReadBuffer(own, out, CL_TRUE, 0, sizeof w->y, w->y, 0, NULL, NULL), "read y");
    clReleaseMemObject(out);
    clReleaseCommandQueue(own);
    return NULL;
}

/* Several threads multiply by one matrix. */
static void try_threads(spmv_matrix *a, const char *method, cl_mem on_device_x)
{
    static worker all[WORKERS];

    for (int i = 0; i < WORKERS; i++) {
        all[i].a = a;
        all[i].x = on_device_x;
        need(pthread_create(&all[i].thread, NULL, work, &all[i]), "start a thread");
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(all[i].thread, NULL);
        check(all[i].is_good && is_expected(all[i].y, RUNS, 0), method, "y of a thread");
    }
}

#ifdef CL_VERSION_2_0

/* The vectors in shared memory of this kind. */
static void try_shared_kind(spmv_matrix *a, const char *method, cl_svm_mem_flags flags)
{
    const int is_fine = flags != 0;
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    REAL *sx = (REAL *)clSVMAlloc(context, CL_MEM_READ_WRITE | flags, sizeof x, 0);
    REAL *sy = (REAL *)clSVMAlloc(context, CL_MEM_READ_WRITE | flags, sizeof y, 0);
    spmv_error error;

    need(sx != NULL && sy != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "allocate shared memory");
    need(clEnqueueSVMMemcpy(queue, CL_TRUE, sx, x, sizeof x, 0, NULL, NULL), "copy x");
    need(clEnqueueSVMMemcpy(queue, CL_TRUE, sy, first, sizeof y, 0, NULL, NULL), "copy y");
    check(MULTIPLY_SVM(a, 2, sx, -1, sy, NULL, 0, NULL, NULL, &error) == SPMV_OK, method,
          "it takes shared memory");
    if (is_fine)
        need(clFinish(queue), "wait");
    else
        need(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, sy, sizeof y, 0, NULL, NULL), "map y");
    check(is_expected(sy, 2, -1), method, is_fine ? "y in fine-grained shared memory"
                                                  : "y in coarse-grained shared memory");
    if (!is_fine)
        need(clEnqueueSVMUnmap(queue, sy, 0, NULL, NULL), "unmap y");
    check(PROFILE_SVM(a, 1, sx, 0, sy, NULL, time, &count, &error) == SPMV_OK && count > 0 &&
          strlen(time[0].name) > 0, method, "it tells the times of its steps");
    check(PROFILE_SVM(a, 1, sx, 0, sy, NULL, NULL, &count, &error) == SPMV_INVALID_ARGUMENT,
          method, "the times need room");
    check(MULTIPLY_SVM(a, 1, sx, 0, sx, NULL, 0, NULL, NULL, &error) == SPMV_ALIASING, method,
          "y is not x");
    need(clFinish(queue), "wait");
    clSVMFree(context, sx);
    clSVMFree(context, sy);
}

/* Returns the name of what was tried. */
static const char *try_shared(spmv_matrix *a, const char *method)
{
    cl_device_svm_capabilities svm = 0;

    (void)clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    if (svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
        try_shared_kind(a, method, 0);
    if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
        try_shared_kind(a, method, CL_MEM_SVM_FINE_GRAIN_BUFFER);
    return svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER ? "fine-grained" : svm ? "coarse-grained" : "none";
}

#else

/* The functions are there, and say what is missing. */
static const char *try_shared(spmv_matrix *a, const char *method)
{
    spmv_error error;

    check(MULTIPLY_SVM(a, 1, x, 0, y, NULL, 0, NULL, NULL, &error) == SPMV_UNSUPPORTED &&
          strstr(error.text, "CL_TARGET_OPENCL_VERSION") != NULL, method, "no shared memory");
    return "none";
}

#endif

static void try_update(spmv_matrix *a, const char *method, cl_mem on_device_x, cl_mem out)
{
    spmv_error error;

    for (int k = 0; k < row_ptr[ROWS]; k++)
        val[k] = -val[k] + 1;
    check(UPDATE(a, val, &error) == SPMV_OK, method, "it takes new values");
    check(MULTIPLY(a, 1, on_device_x, 0, out, NULL, 0, NULL, NULL, &error) == SPMV_OK, method,
          "it multiplies by them");
    read_y(out, 0, NULL);
    check(is_expected(y, 1, 0), method, "y with new values");
}

static void try_errors(spmv_matrix *a, const char *method, cl_mem on_device_x, cl_mem out)
{
    cl_mem short_one = make_buffer(context, 10, NULL);
    cl_mem other = make_buffer(other_context, ROWS, NULL);
    const struct {
        spmv_matrix *matrix;
        cl_mem x, y;
        cl_command_queue queue;
        cl_uint wait_count;
        spmv_status status;
        const char *text;
    } call[] = {
        { NULL, on_device_x, out, NULL, 0, SPMV_INVALID_ARGUMENT, "matrix is NULL" },
        { a, NULL, out, NULL, 0, SPMV_INVALID_ARGUMENT, "x is NULL" },
        { a, on_device_x, NULL, NULL, 0, SPMV_INVALID_ARGUMENT, "y is NULL" },
        { a, short_one, out, NULL, 0, SPMV_INVALID_ARGUMENT, "x is too short" },
        { a, on_device_x, short_one, NULL, 0, SPMV_INVALID_ARGUMENT, "y is too short" },
        { a, on_device_x, other, NULL, 0, SPMV_INVALID_ARGUMENT, "of another context" },
        { a, on_device_x, out, other_queue, 0, SPMV_INVALID_ARGUMENT, "queue is none" },
        { a, on_device_x, out, NULL, 1, SPMV_INVALID_ARGUMENT, "wait_list is NULL" },
        { a, out, out, NULL, 0, SPMV_ALIASING, "x is y" },
    };

    for (size_t i = 0; i < sizeof call / sizeof call[0]; i++) {
        spmv_error error;

        memset(&error, 0, sizeof error);
        check(MULTIPLY(call[i].matrix, 1, call[i].x, 0, call[i].y, call[i].queue,
                       call[i].wait_count, NULL, NULL, &error) == call[i].status &&
              error.status == call[i].status && strstr(error.text, call[i].text) != NULL &&
              strstr(error.text, "multiply_") != NULL, method, call[i].text);
        check(MULTIPLY(call[i].matrix, 1, call[i].x, 0, call[i].y, call[i].queue,
                       call[i].wait_count, NULL, NULL, NULL) == call[i].status, method,
              "an error without a text");
    }
    clReleaseMemObject(short_one);
    clReleaseMemObject(other);
}

static void try_method(const char *method)
{
    spmv_matrix_options options;
    spmv_matrix_info info;
    spmv_error error;
    spmv_matrix *a;

    memset(&options, 0, sizeof options);
    options.method = method;
    a = CREATE_WITH(queue, ROWS, COLS, row_ptr, col_idx, val, &options, &error);
    check(a != NULL, method, a != NULL ? "" : error.text);
    if (a == NULL)
        return;
    check(spmv_matrix_query(a, &info) == SPMV_OK && strcmp(info.method, method) == 0 &&
          info.rows == ROWS && info.nnz == row_ptr[ROWS], method, "the query tells what it is");

    cl_mem on_device_x = make_buffer(context, COLS, x), out = make_buffer(context, ROWS, NULL);
    try_scalars(a, method, on_device_x);
    try_queues(a, method, on_device_x);
    try_threads(a, method, on_device_x);
    printf("%s: shared memory: %s\n", method, try_shared(a, method));
    try_update(a, method, on_device_x, out);
    try_errors(a, method, on_device_x, out);

    /* The matrix waits for its multiplications. */
    check(MULTIPLY(a, 1, on_device_x, 0, out, NULL, 0, NULL, NULL, NULL) == SPMV_OK, method,
          "the last multiplication");
    spmv_matrix_destroy(a);
    read_y(out, 0, NULL);
    check(is_expected(y, 1, 0), method, "y of a matrix that was destroyed");
    clReleaseMemObject(on_device_x);
    clReleaseMemObject(out);
}

static void try_creation(void)
{
    const OFFSET bad[] = { 0, 2, 1 };
    spmv_matrix_options options;
    spmv_error error;
    spmv_matrix *a = CREATE(NULL, ROWS, COLS, row_ptr, col_idx, val, &error);

    check(a == NULL && strstr(error.text, "queue") != NULL, "create", "a queue is needed");
    a = CREATE(queue, 2, 2, bad, col_idx, val, &error);
    check(a == NULL && error.status == SPMV_INVALID_MATRIX, "create", "row_ptr is checked");
    memset(&options, 0, sizeof options);
    options.method = "csr_vectro";
    a = CREATE_WITH(queue, ROWS, COLS, row_ptr, col_idx, val, &options, &error);
    check(a == NULL && error.status == SPMV_UNSUPPORTED, "create", "an unknown method");
    a = CREATE(queue, 0, 0, bad, NULL, NULL, &error);
    check(a != NULL && MULTIPLY(a, 1, NULL, 0, NULL, NULL, 0, NULL, NULL, &error) == SPMV_OK,
          "create", "a matrix of no rows");
    spmv_matrix_destroy(a);
    a = CREATE(queue, ROWS, COLS, row_ptr, col_idx, val, &error);
    check(a != NULL, "create", "the choice of a method");
    spmv_matrix_destroy(a);
    spmv_matrix_destroy(NULL);
}

int main(int count, char **method)
{
    open_device();
    make_matrix();
    try_creation();
    for (int i = 1; i < count; i++)
        try_method(method[i]);
    close_device();
    return faults != 0;
}
