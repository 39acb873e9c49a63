// speculative_tegra.cu: the speculative method on a Tegra K1, as its paper runs it: the matrix and
// the vectors are in managed memory, the GPU multiplies and guesses where rows end, and the CPU
// repairs y in place. Prints how long each stage takes, and checks y.
//
//     spmvgen --target tegra-k1 --method speculative --bundle bundle
//     nvcc -arch=sm_32 -O2 -I bundle speculative_tegra.cu bundle/*.cu bundle/*.c -o speculative
//     ./speculative [ROWS [RUNS]]
//
// C++98, for CUDA 6.0 and later: any -arch from sm_32 on. On other GPUs it runs, too.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime.h>

#include "spmv_kernels.h"

enum { SKIPPED = 77 };           // Meson's exit code of a skipped test

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "cannot %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void check_status(spmv_status status, const char *what)
{
    if (status == SPMV_OK)
        return;
    fprintf(stderr, "cannot %s: status %d, CUDA says: %s\n", what, static_cast<int>(status),
            cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

// Memory that GPU and CPU share. On a K1 the CPU may use it only while no kernel runs.
template <typename type>
static type *allocate(size_t count)
{
    void *memory = NULL;

    check(cudaMallocManaged(&memory, count * sizeof(type), cudaMemAttachGlobal),
          "allocate managed memory");
    return static_cast<type *>(memory);
}

static double seconds_now()
{
    timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* ---- the matrix ---------------------------------------------------------------------------- */

struct matrix {
    int32_t rows;
    int32_t *row_ptr, *col_idx;
    double *val;
};

static unsigned next_number()
{
    static unsigned state = 1;

    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

// Many rows are short and one in eight is empty, which the kernel cannot guess; some are long.
static int32_t length_of(int32_t row)
{
    return row % 8 == 3 ? 0 : row % 500 == 1 ? 400 : static_cast<int32_t>(next_number() % 12);
}

static matrix make_matrix(int32_t rows)
{
    matrix a;
    int32_t nnz = 0;

    a.rows = rows;
    a.row_ptr = allocate<int32_t>(static_cast<size_t>(rows) + 1);
    for (int32_t r = 0; r < rows; r++) {
        a.row_ptr[r] = nnz;
        nnz += length_of(r);
    }
    a.row_ptr[rows] = nnz;
    a.col_idx = allocate<int32_t>(static_cast<size_t>(nnz) + 1);
    a.val = allocate<double>(static_cast<size_t>(nnz) + 1);
    for (int32_t k = 0; k < nnz; k++) {
        a.col_idx[k] = static_cast<int32_t>(next_number() % static_cast<unsigned>(rows));
        a.val[k] = static_cast<double>(next_number() % 2001) / 1000 - 1;
    }
    return a;
}

// The largest error of y = A*x, in units of the largest that rounding can cause.
static double error_of(const matrix &a, const double *x, const double *y)
{
    double largest = 0;

    for (int32_t r = 0; r < a.rows; r++) {
        double sum = 0, size = 0;

        for (int32_t k = a.row_ptr[r]; k < a.row_ptr[r + 1]; k++) {
            sum += a.val[k] * x[a.col_idx[k]];
            size += fabs(a.val[k] * x[a.col_idx[k]]);
        }
        const double most = 2.3e-16 * size * (a.row_ptr[r + 1] - a.row_ptr[r] + 1);
        const double error = y[r] == sum ? 0 : fabs(y[r] - sum) / most;
        largest = error <= largest ? largest : error;    // a NaN is the largest
    }
    return largest;
}

/* ---- stages -------------------------------------------------------------------------------- */

// The mean times of the stages, by name: kernels, waiting for them, the CPU's repair.
struct stages {
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count;
};

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
    const int32_t rows = argc > 1 ? atoi(argv[1]) : 100000;
    const int runs = argc > 2 ? atoi(argv[2]) : 20;
    int devices = 0;
    cudaDeviceProp device;

    if (rows < 1 || runs < 1) {
        fprintf(stderr, "usage: speculative_tegra [ROWS [RUNS]], each at least 1\n");
        return 2;
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("there is no CUDA device\n");
        return SKIPPED;
    }
    check(cudaGetDeviceProperties(&device, 0), "query the device");
    if (!device.managedMemory) {
        printf("%s has no managed memory\n", device.name);
        return SKIPPED;
    }

    matrix a = make_matrix(rows);
    double *x = allocate<double>(static_cast<size_t>(rows));
    double *y = allocate<double>(static_cast<size_t>(rows));
    for (int32_t r = 0; r < rows; r++) {
        x[r] = static_cast<double>(next_number() % 2001) / 1000 - 1;
        y[r] = NAN;                                      // is overwritten, not read
    }

    // The matrix uses the arrays in place, since they are in managed memory.
    spmv_matrix_options options;
    spmv_error error;
    memset(&options, 0, sizeof options);
    options.method = "speculative";
    spmv_matrix *multiplier = spmv_matrix_create_f64_with(rows, rows, a.row_ptr, a.col_idx, a.val,
                                                          &options, &error);
    if (multiplier == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    cudaStream_t stream;
    check(cudaStreamCreate(&stream), "make a stream");

    // One multiplication: the kernel, a wait, and the repair of y by the CPU.
    check_status(spmv_multiply_f64(multiplier, 1.0, x, 0.0, y, stream), "multiply");
    check(cudaDeviceSynchronize(), "wait");
    const double largest = error_of(a, x, y);

    stages stage;
    stage.count = 0;
    for (int i = 0; i < runs; i++) {
        spmv_step_time time[SPMV_MAX_STEPS];
        int32_t count;

        check_status(spmv_profile_f64(multiplier, 1.0, x, 0.0, y, stream, time, &count),
                     "profile");
        add_stages(&stage, time, count, runs);
    }
    const double start = seconds_now();
    for (int i = 0; i < runs; i++)
        check_status(spmv_multiply_f64(multiplier, 1.0, x, 0.0, y, stream), "multiply");
    check(cudaDeviceSynchronize(), "wait");
    const double seconds = (seconds_now() - start) / runs;
    const double last = error_of(a, x, y);
    const bool is_right = largest <= 1 && last <= 1;

    for (int32_t i = 0; i < stage.count; i++)
        printf("%-20s %10.3f ms\n", stage.time[i].name, 1e3 * stage.time[i].seconds);
    printf("%s: %d rows, %d nonzeros: %.3f ms, %.2f Gflop/s, y is %s\n", device.name,
           static_cast<int>(rows), static_cast<int>(a.row_ptr[rows]), 1e3 * seconds,
           2e-9 * a.row_ptr[rows] / seconds, is_right ? "right" : "WRONG");

    spmv_matrix_destroy(multiplier);
    check(cudaStreamDestroy(stream), "destroy the stream");
    check(cudaFree(x), "free x");
    check(cudaFree(y), "free y");
    check(cudaFree(a.row_ptr), "free row_ptr");
    check(cudaFree(a.col_idx), "free col_idx");
    check(cudaFree(a.val), "free val");
    return is_right ? 0 : 1;
}
