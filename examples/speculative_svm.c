/* speculative_svm.c: the speculative method on an AMD A10-7850K, as its paper runs it: the matrix
 * and the vectors are in shared virtual memory of OpenCL 2.0 (fine-grained SVM), the GPU multiplies
 * and guesses where rows end, and the CPU repairs y in place. Prints how long each stage takes, and
 * checks y.
 *
 *     spmvgen --target amd-a10-7850k --method speculative --bundle bundle
 *     cc -O2 -I bundle speculative_svm.c bundle/spmv_kernels.c -lOpenCL -lm -o speculative_svm
 *     ./speculative_svm [ROWS [RUNS]]
 *
 * On other devices with fine-grained SVM it runs, too.
 */
#define _POSIX_C_SOURCE 200809L  /* clock_gettime */
#include "spmv_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SKIPPED = 77 };           /* Meson's exit code of a skipped test */

static void check(int is_good, const char *what, const char *why)
{
    if (is_good)
        return;
    fprintf(stderr, "cannot %s%s%s\n", what, why[0] != '\0' ? ": " : "", why);
    exit(1);
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the device ---------------------------------------------------------------------------- */

/* The first device with fine-grained SVM. NULL: none. */
static cl_device_id find_device(void)
{
    cl_platform_id platform[16];
    cl_uint platforms = 0;

    if (clGetPlatformIDs(16, platform, &platforms) != CL_SUCCESS)
        return NULL;
    for (cl_uint p = 0; p < platforms && p < 16; p++) {
        cl_device_id device[16];
        cl_uint devices = 0;

        if (clGetDeviceIDs(platform[p], CL_DEVICE_TYPE_ALL, 16, device, &devices) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < devices && d < 16; d++) {
            cl_device_svm_capabilities svm = 0;

            clGetDeviceInfo(device[d], CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
            if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
                return device[d];
        }
    }
    return NULL;
}

/* A vector in memory that GPU and CPU both use at any time. */
static double *make_vector(cl_context context, int32_t length)
{
    void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                              (size_t)length * sizeof(double), 0);

    check(memory != NULL, "allocate shared virtual memory", "");
    return (double *)memory;
}

/* ---- the matrix ---------------------------------------------------------------------------- */

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    check(memory != NULL, "allocate memory", "");
    return memory;
}

typedef struct matrix {
    int32_t rows;
    int32_t *row_ptr, *col_idx;
    double *val;
} matrix;

static unsigned next_number(void)
{
    static unsigned state = 1;

    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Many rows are short and one in eight is empty, which the kernel cannot guess; some are long. */
static int32_t length_of(int32_t row)
{
    return row % 8 == 3 ? 0 : row % 500 == 1 ? 400 : (int32_t)(next_number() % 12);
}

static matrix make_matrix(int32_t rows)
{
    matrix a;
    int32_t nnz = 0;

    a.rows = rows;
    a.row_ptr = (int32_t *)allocate(((size_t)rows + 1) * sizeof *a.row_ptr);
    for (int32_t r = 0; r < rows; r++) {
        a.row_ptr[r] = nnz;
        nnz += length_of(r);
    }
    a.row_ptr[rows] = nnz;
    a.col_idx = (int32_t *)allocate(((size_t)nnz + 1) * sizeof *a.col_idx);
    a.val = (double *)allocate(((size_t)nnz + 1) * sizeof *a.val);
    for (int32_t k = 0; k < nnz; k++) {
        a.col_idx[k] = (int32_t)(next_number() % (unsigned)rows);
        a.val[k] = (double)(next_number() % 2001) / 1000 - 1;
    }
    return a;
}

/* The largest error of y = A*x, in units of the largest that rounding can cause. */
static double error_of(const matrix *a, const double *x, const double *y)
{
    double largest = 0;

    for (int32_t r = 0; r < a->rows; r++) {
        const int32_t length = a->row_ptr[r + 1] - a->row_ptr[r];
        double sum = 0, size = 0;

        for (int32_t k = a->row_ptr[r]; k < a->row_ptr[r + 1]; k++) {
            sum += a->val[k] * x[a->col_idx[k]];
            size += fabs(a->val[k] * x[a->col_idx[k]]);
        }
        const double error = y[r] == sum ? 0 : fabs(y[r] - sum) / (2.3e-16 * size * (length + 1));
        largest = error <= largest ? largest : error;    /* a NaN is the largest */
    }
    return largest;
}

/* ---- stages -------------------------------------------------------------------------------- */

/* The mean times of the stages, by name: the kernels and the repair by the CPU. */
typedef struct stages {
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count;
} stages;

static void add_stages(stages *sum, const spmv_step_time *time, int32_t count, int runs)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t k = 0;

        while (k < sum->count && strcmp(sum->time[k].name, time[i].name) != 0)
            k++;
        if (k == sum->count) {
            sum->time[k].name = time[i].name;
            sum->time[k].seconds = 0;
            sum->count++;
        }
        sum->time[k].seconds += time[i].seconds / runs;
    }
}

int main(int argc, char **argv)
{
    static const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                                    0};
    const int32_t rows = argc > 1 ? atoi(argv[1]) : 100000;
    const int runs = argc > 2 ? atoi(argv[2]) : 20;
    const cl_device_id device = find_device();
    spmv_matrix_options options;
    spmv_error error;
    stages stage;
    char name[128] = "";

    if (rows < 1 || runs < 1) {
        fprintf(stderr, "usage: speculative_svm [ROWS [RUNS]], each at least 1\n");
        return 2;
    }
    if (device == NULL) {
        printf("there is no OpenCL device with fine-grained SVM\n");
        return SKIPPED;
    }
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, profiling, NULL);
    check(queue != NULL, "make a queue", name);

    const matrix a = make_matrix(rows);
    double *x = make_vector(context, rows), *y = make_vector(context, rows);
    for (int32_t r = 0; r < rows; r++) {
        x[r] = (double)(next_number() % 2001) / 1000 - 1;
        y[r] = NAN;                                      /* is overwritten, not read */
    }

    /* All arrays of the matrix are in SVM, too: copies of a.row_ptr, a.col_idx and a.val, which are
     * kept to check y, and what kernels and CPU tell each other. */
    memset(&options, 0, sizeof options);
    options.method = "speculative";
    options.copy = 1;
    spmv_matrix *multiplier = spmv_matrix_create_f64_with(queue, rows, rows, a.row_ptr, a.col_idx,
                                                          a.val, &options, &error);
    check(multiplier != NULL, "create the matrix", error.text);

    /* One multiplication: the kernels, a wait, and the repair of y by the CPU. */
    check(spmv_multiply_svm_f64(multiplier, 1.0, x, 0.0, y, queue, 0, NULL, NULL, &error) ==
              SPMV_OK, "multiply", error.text);
    check(clFinish(queue) == CL_SUCCESS, "wait", name);
    const double largest = error_of(&a, x, y);

    stage.count = 0;
    for (int i = 0; i < runs; i++) {
        spmv_step_time time[SPMV_MAX_STEPS];
        int32_t count;

        check(spmv_profile_svm_f64(multiplier, 1.0, x, 0.0, y, queue, time, &count, &error) ==
                  SPMV_OK, "profile", error.text);
        add_stages(&stage, time, count, runs);
    }
    const double start = seconds_now();
    for (int i = 0; i < runs; i++)
        check(spmv_multiply_svm_f64(multiplier, 1.0, x, 0.0, y, queue, 0, NULL, NULL, &error) ==
                  SPMV_OK, "multiply", error.text);
    check(clFinish(queue) == CL_SUCCESS, "wait", name);
    const double seconds = (seconds_now() - start) / runs;
    const int is_right = largest <= 1 && error_of(&a, x, y) <= 1;

    for (int32_t i = 0; i < stage.count; i++)
        printf("%-20s %10.3f ms\n", stage.time[i].name, 1e3 * stage.time[i].seconds);
    printf("%s: %d rows, %d nonzeros: %.3f ms, %.2f Gflop/s, y is %s\n", name, (int)rows,
           (int)a.row_ptr[rows], 1e3 * seconds, 2e-9 * a.row_ptr[rows] / seconds,
           is_right ? "right" : "WRONG");

    spmv_matrix_destroy(multiplier);
    clSVMFree(context, x);
    clSVMFree(context, y);
    free(a.row_ptr);
    free(a.col_idx);
    free(a.val);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return !is_right;
}
