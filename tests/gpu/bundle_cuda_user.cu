// bundle_cuda_user.cu: a program that uses a CUDA bundle of all types; test_bundle_cuda.py compiles
// it for GPUs, and as C++98 for the CPU, where it also counts CUDA's calls (fake_cudart.h). Its
// arguments are the bundle's methods. Ends with 0 if every product is right.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#include "spmv_kernels.h"

#ifdef TEST_SHIM_LAUNCH_H
#include "fake_cudart.h"
#endif

enum { ROWS = 700, COLS = 600, MOST = 20, LONG_ROW = 300, SKIPPED = 77 };

static int failures;
static cudaStream_t stream;

static void expect(bool holds, const char *method, const char *what)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "failed: %s: %s\n", method, what);
}

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "cannot %s: %s\n", what, cudaGetErrorString(code));
    exit(2);
}

/* ---- the matrix ---------------------------------------------------------------------------- */

static int32_t row_ptr[ROWS + 1], col_idx[ROWS * MOST + COLS];
static int64_t row_ptr_i64[ROWS + 1];
static double val[ROWS * MOST + COLS], twice[ROWS * MOST + COLS], x[COLS], y[ROWS], before[ROWS];
static float val_f32[ROWS * MOST + COLS], x_f32[COLS], y_f32[ROWS];

static unsigned next_number()
{
    static unsigned state = 7;

    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

// Rows of 0 to MOST - 1 nonzeros, and one that is full. Values are exact in f32.
static void make_matrix()
{
    int32_t k = 0;

    for (int r = 0; r < ROWS; r++) {
        const int length = r == LONG_ROW ? COLS : static_cast<int>(next_number() % MOST);

        row_ptr[r] = k;
        for (int i = 0; i < length; i++, k++) {
            col_idx[k] = r == LONG_ROW ? i : static_cast<int32_t>(next_number() % COLS);
            val[k] = static_cast<double>(next_number() % 2001) / 64 - 15;
            twice[k] = 2 * val[k];
            val_f32[k] = static_cast<float>(val[k]);
        }
    }
    row_ptr[ROWS] = k;
    for (int r = 0; r <= ROWS; r++)
        row_ptr_i64[r] = row_ptr[r];
    for (int c = 0; c < COLS; c++) {
        x[c] = static_cast<double>(next_number() % 1001) / 32 - 15;
        x_f32[c] = static_cast<float>(x[c]);
    }
}

static bool is_right(double factor, double alpha, double beta, double epsilon)
{
    for (int r = 0; r < ROWS; r++) {
        double sum = 0, size = 0;

        for (int32_t k = row_ptr[r]; k < row_ptr[r + 1]; k++) {
            sum += val[k] * factor * x[col_idx[k]];
            size += fabs(val[k] * factor * x[col_idx[k]]);
        }
        // beta == 0: y was NaN.
        const double old = beta == 0 ? 0 : beta * before[r];
        if (!(fabs(alpha * sum + old - y[r]) <=
              64 * epsilon * (fabs(alpha) * size + fabs(old))))
            return false;
    }
    return true;
}

/* ---- products ------------------------------------------------------------------------------ */

// x and y on the device, of either type.
struct vectors {
    bool is_managed;
    void *x, *y;
};

static vectors make_vectors(bool is_managed, const void *from, size_t x_bytes, size_t y_bytes)
{
    vectors made = {is_managed, NULL, NULL};

    if (is_managed) {
        check(cudaDeviceSynchronize(), "wait");
        check(cudaMallocManaged(&made.x, x_bytes, cudaMemAttachGlobal), "allocate x");
        check(cudaMallocManaged(&made.y, y_bytes, cudaMemAttachGlobal), "allocate y");
        memcpy(made.x, from, x_bytes);
        return made;
    }
    check(cudaMalloc(&made.x, x_bytes), "allocate x");
    check(cudaMalloc(&made.y, y_bytes), "allocate y");
    check(cudaMemcpy(made.x, from, x_bytes, cudaMemcpyHostToDevice), "copy x");
    return made;
}

static void free_vectors(const vectors &v)
{
    check(cudaFree(v.x), "free x");
    check(cudaFree(v.y), "free y");
}

static void fill_y(double beta)
{
    for (int r = 0; r < ROWS; r++) {
        before[r] = r % 17 - 8;
        y[r] = beta == 0 ? NAN : before[r];
        y_f32[r] = static_cast<float>(y[r]);
    }
}

static void write_y(const vectors &v, const void *from, size_t bytes)
{
    check(cudaDeviceSynchronize(), "wait");
    if (v.is_managed)
        memcpy(v.y, from, bytes);
    else
        check(cudaMemcpy(v.y, from, bytes, cudaMemcpyHostToDevice), "copy y");
}

static void read_y(const vectors &v, void *to, size_t bytes)
{
    check(cudaDeviceSynchronize(), "wait");
    if (v.is_managed)
        memcpy(to, v.y, bytes);
    else
        check(cudaMemcpy(to, v.y, bytes, cudaMemcpyDeviceToHost), "copy y");
}

static bool product_f64(const spmv_matrix *a, const vectors &v, double factor, double alpha,
                        double beta)
{
    fill_y(beta);
    write_y(v, y, sizeof y);
    const spmv_status status =
        spmv_multiply_f64(a, alpha, static_cast<const double *>(v.x), beta,
                          static_cast<double *>(v.y), stream);
    read_y(v, y, sizeof y);
    return status == SPMV_OK && is_right(factor, alpha, beta, 2.3e-16);
}

static bool product_f32(const spmv_matrix *a, const vectors &v, float alpha, float beta)
{
    fill_y(beta);
    write_y(v, y_f32, sizeof y_f32);
    const spmv_status status =
        spmv_multiply_f32(a, alpha, static_cast<const float *>(v.x), beta,
                          static_cast<float *>(v.y), stream);
    read_y(v, y_f32, sizeof y_f32);
    for (int r = 0; r < ROWS; r++)
        y[r] = y_f32[r];
    return status == SPMV_OK && is_right(1, alpha, beta, 1.2e-7);
}

/* ---- tests --------------------------------------------------------------------------------- */

// Without a step for the CPU a multiplication only launches kernels.
static void check_calls(const spmv_matrix *a, const vectors &v, const char *method,
                        const char *host_step)
{
#ifdef TEST_SHIM_LAUNCH_H
    const long launches = fake_launches(), uncapturable = fake_uncapturable_calls();
    const long allocations = fake_allocations();
    const size_t bytes = fake_copied_bytes();

    spmv_multiply_f64(a, 1, static_cast<const double *>(v.x), 0, static_cast<double *>(v.y),
                      stream);
    expect(fake_launches() > launches, method, "a multiplication launches kernels");
    expect(fake_allocations() == allocations, method, "and allocates nothing");
    if (host_step == NULL)
        expect(fake_uncapturable_calls() == uncapturable && fake_copied_bytes() == bytes, method,
               "it can be captured");
    else if (v.is_managed)
        expect(fake_copied_bytes() == bytes, method, "the CPU repairs y in place");
#else
    static_cast<void>(a);
    static_cast<void>(v);
    static_cast<void>(method);
    static_cast<void>(host_step);
#endif
}

static void check_profile(const spmv_matrix *a, const vectors &v, const char *method,
                          const char *host_step)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = -1;
    bool has_kernel = false, has_host_step = host_step == NULL;

    fill_y(0.5);
    write_y(v, y, sizeof y);
    expect(spmv_profile_f64(a, 2, static_cast<const double *>(v.x), 0.5,
                            static_cast<double *>(v.y), stream, time, &count) == SPMV_OK,
           method, "profile");
    for (int32_t i = 0; i < count; i++) {
        has_kernel = has_kernel || strcmp(time[i].name, "waiting") == 0;
        has_host_step = has_host_step || strcmp(time[i].name, host_step) == 0;
        expect(time[i].seconds >= 0 && time[i].seconds < 60, method, time[i].name);
    }
    read_y(v, y, sizeof y);
    expect(has_kernel && has_host_step && is_right(1, 2, 0.5, 2.3e-16), method,
           "the profile has all steps, and its product is right");
}

static void check_f64(const char *method, bool is_managed)
{
    spmv_matrix_options options;
    spmv_matrix_info info;
    spmv_error error;

    memset(&options, 0, sizeof options);
    options.method = method;
    spmv_matrix *a = spmv_matrix_create_f64_with(ROWS, COLS, row_ptr, col_idx, val, &options,
                                                 &error);
    expect(a != NULL, method, a ? "" : error.text);
    if (a == NULL)
        return;
    const vectors v = make_vectors(is_managed, x, sizeof x, sizeof y);
    expect(spmv_matrix_query(a, &info) == SPMV_OK && strcmp(info.method, method) == 0, method,
           "query");
    printf("%s of %s, ", info.method, info.target);
    expect((strcmp(method, "speculative") == 0 && strcmp(info.target, "tegra-k1") == 0) ==
               (info.host_step != NULL), method, "the K1's speculative method repairs on the CPU");
    expect(product_f64(a, v, 1, 2.5, -0.5), method, "f64");
    expect(product_f64(a, v, 1, 1, 0), method, "beta 0 does not read y");
    expect(product_f64(a, v, 1, 0, 2), method, "alpha 0");
    // The CPU touches nothing while kernels of the first product run.
    expect(spmv_multiply_f64(a, 1, static_cast<const double *>(v.x), 0,
                             static_cast<double *>(v.y), stream) == SPMV_OK &&
               spmv_matrix_query(a, &info) == SPMV_OK &&
               spmv_multiply_f64(a, 1, static_cast<const double *>(v.x), 0,
                                 static_cast<double *>(v.y), stream) == SPMV_OK,
           method, "two products in a row");
    expect(product_f64(a, v, 1, 1, 1), method, "once more");
    check_calls(a, v, method, info.host_step);
    check_profile(a, v, method, info.host_step);
    check(cudaDeviceSynchronize(), "wait");
    expect(spmv_matrix_update_f64(a, twice, &error) == SPMV_OK && product_f64(a, v, 2, 1, 0),
           method, "new values");
    const double *const device_x = static_cast<const double *>(v.x);
    double *const device_y = static_cast<double *>(v.y);
    expect(spmv_multiply_f64(a, 1, device_x, 0, NULL, stream) == SPMV_INVALID_ARGUMENT, method,
           "y is NULL");
    expect(spmv_multiply_f64(a, 1, device_y, 0, device_y, stream) == SPMV_ALIASING, method,
           "y is x");
    expect(spmv_multiply_f32(a, 1, x_f32, 0, y_f32, stream) == SPMV_INVALID_ARGUMENT, method,
           "the other type's function refuses it");
    free_vectors(v);
    spmv_matrix_destroy(a);
}

static void check_others(const char *method, bool is_managed)
{
    spmv_matrix_options options;
    spmv_error error;

    memset(&options, 0, sizeof options);
    options.method = method;
    options.copy = 1;
    spmv_matrix *wide = spmv_matrix_create_f64_i64_with(ROWS, COLS, row_ptr_i64, col_idx, val,
                                                        &options, &error);
    const vectors v = make_vectors(is_managed, x, sizeof x, sizeof y);
    expect(wide && product_f64(wide, v, 1, 1, 0.5), method, wide ? "f64_i64" : error.text);
    free_vectors(v);
    check(cudaDeviceSynchronize(), "wait");
    spmv_matrix *single = spmv_matrix_create_f32_with(ROWS, COLS, row_ptr, col_idx, val_f32,
                                                      &options, &error);
    spmv_matrix *both = spmv_matrix_create_f32_i64_with(ROWS, COLS, row_ptr_i64, col_idx, val_f32,
                                                        &options, &error);
    const vectors w = make_vectors(is_managed, x_f32, sizeof x_f32, sizeof y_f32);
    expect(single && product_f32(single, w, 2.5f, -0.5f), method, single ? "f32" : error.text);
    expect(both && product_f32(both, w, 1, 0), method, both ? "f32_i64" : error.text);
    free_vectors(w);
    spmv_matrix_destroy(wide);
    spmv_matrix_destroy(single);
    spmv_matrix_destroy(both);
}

// Every failing allocation of CUDA gives an error, and nothing is left.
static void check_memory(const char *method)
{
#ifdef TEST_SHIM_LAUNCH_H
    spmv_matrix_options options;
    spmv_error error;
    spmv_matrix *a = NULL;
    long count = 0;

    memset(&options, 0, sizeof options);
    options.method = method;
    for (; a == NULL && count < 50; count++) {
        fake_fail_allocation(count);
        a = spmv_matrix_create_f64_with(ROWS, COLS, row_ptr, col_idx, val, &options, &error);
        expect(a != NULL || (error.status == SPMV_OUT_OF_MEMORY && fake_allocations() == 0),
               method, a ? "" : error.text);
    }
    fake_fail_allocation(-1);
    expect(a != NULL && count > 1, method, "allocations fail one by one");
    spmv_matrix_destroy(a);
    expect(fake_allocations() == 0, method, "nothing is left");
    cudaGetLastError();
#else
    static_cast<void>(method);
#endif
}

static void check_empty()
{
    static const int32_t none[1] = {0};
    spmv_error error;
    spmv_matrix *a = spmv_matrix_create_f64(0, 0, none, NULL, NULL, &error);

    expect(a != NULL, "no rows", a ? "" : error.text);
    expect(a == NULL || spmv_multiply_f64(a, 1, NULL, 0, NULL, stream) == SPMV_OK, "no rows",
           "multiply");
    spmv_matrix_destroy(a);
}

int main(int argc, char **argv)
{
    int devices = 0;

    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("there is no CUDA device\n");
        return SKIPPED;
    }
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "query the device");
    check(cudaStreamCreate(&stream), "make a stream");
    make_matrix();
    for (int i = 1; i < argc; i++)
        for (int is_managed = 0; is_managed <= properties.managedMemory; is_managed++) {
            check_f64(argv[i], is_managed != 0);
            check_others(argv[i], is_managed != 0);
            check_memory(argv[i]);
        }
    check_empty();
    check(cudaStreamDestroy(stream), "destroy the stream");
    expect(cudaGetLastError() == cudaSuccess, "all", "CUDA knows of no error");
    printf("%s: %d failures\n", properties.name, failures);
    return failures != 0;
}
