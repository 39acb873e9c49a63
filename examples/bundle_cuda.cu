// bundle_cuda.cu: a CUDA program with a bundle of kernels, which needs no other library.
//
//     spmvgen --target generic-cuda --type f64 --offsets i32 --bundle bundle
//     nvcc -O2 -I bundle bundle_cuda.cu bundle/*.cu bundle/*.c -o bundle_cuda
#include <stdio.h>

#include "spmv_kernels.h"

int main()
{
    static const int32_t row_ptr[] = {0, 2, 5, 5, 7}, col_idx[] = {0, 1, 0, 1, 2, 2, 3};
    static const double val[] = {4, 1, 1, 4, 1, 1, 4}, x[] = {1, 2, 3, 4};
    double *device_x, *device_y, y[] = {100, 100, 100, 100};
    spmv_error error;
    int devices = 0;

    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("there is no CUDA device\n");
        return 77;
    }
    spmv_matrix *a = spmv_matrix_create_f64(4, 4, row_ptr, col_idx, val, &error);
    if (a == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (cudaMalloc((void **)&device_x, sizeof x) != cudaSuccess ||
        cudaMalloc((void **)&device_y, sizeof y) != cudaSuccess)
        return 1;
    cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y, sizeof y, cudaMemcpyHostToDevice);

    // In CUDA's default stream, as are the copies.
    if (spmv_multiply_f64(a, 2.0, device_x, 0.5, device_y, NULL) != SPMV_OK) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaMemcpy(y, device_y, sizeof y, cudaMemcpyDeviceToHost);
    printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

    spmv_matrix_destroy(a);
    cudaFree(device_x);
    cudaFree(device_y);
    return !(y[0] == 62 && y[1] == 74 && y[2] == 50 && y[3] == 88);
}
