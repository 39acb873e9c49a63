/* permutation.c: see permutation.h. */
#include "bench/matrices/permutation.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"

void bench_permute(const int32_t *order, int64_t rows, size_t bytes, const void *natural,
                   void *ordered)
{
    for (int64_t k = 0; k < rows; k++)
        memcpy((char *)ordered + (size_t)k * bytes,
               (const char *)natural + (size_t)(order ? order[k] : k) * bytes, bytes);
}

void bench_unpermute(const int32_t *order, int64_t rows, size_t bytes, const void *ordered,
                     void *natural)
{
    for (int64_t k = 0; k < rows; k++)
        memcpy((char *)natural + (size_t)(order ? order[k] : k) * bytes,
               (const char *)ordered + (size_t)k * bytes, bytes);
}

spmv_status bench_permuted_execute(const spmv_plan *plan, double alpha, const void *x, double beta,
                                   const void *before, void *workspace, void *y)
{
    spmv_plan_info info = { .struct_size = sizeof info };
    spmv_status status = spmv_plan_query(plan, &info);

    if (status)
        return status;
    const size_t bytes = bench_value_bytes(info.module->value_type);
    void *own_x = malloc((size_t)info.cols * bytes + 1);
    void *own_y = malloc((size_t)info.rows * bytes + 1);
    if (own_x && own_y) {
        if (info.x_permutation)
            bench_permute(info.x_permutation, info.cols, bytes, x, own_x);
        bench_permute(info.y_permutation, info.rows, bytes, before, own_y);
        status = spmv_execute(plan, alpha, info.x_permutation ? own_x : x, beta, own_y, workspace);
        bench_unpermute(info.y_permutation, info.rows, bytes, own_y, y);
    } else {
        status = SPMV_OUT_OF_MEMORY;
    }
    free(own_x);
    free(own_y);
    return status;
}

bool bench_is_permutation(const int32_t *order, int64_t rows)
{
    bool *seen = calloc((size_t)rows + 1, sizeof *seen);
    bool good = seen != NULL;

    for (int64_t k = 0; k < rows && good; k++) {
        good = order[k] >= 0 && order[k] < rows && !seen[order[k]];
        if (good)
            seen[order[k]] = true;
    }
    free(seen);
    return good;
}
