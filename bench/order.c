/* order.c: see order.h. */
#include "bench/order.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrix.h"

void bench_order_apply(const int32_t *order, int64_t rows, size_t bytes, const void *natural,
                       void *ordered)
{
    for (int64_t k = 0; k < rows; k++)
        memcpy((char *)ordered + (size_t)k * bytes,
               (const char *)natural + (size_t)(order ? order[k] : k) * bytes, bytes);
}

void bench_order_undo(const int32_t *order, int64_t rows, size_t bytes, const void *ordered,
                      void *natural)
{
    for (int64_t k = 0; k < rows; k++)
        memcpy((char *)natural + (size_t)(order ? order[k] : k) * bytes,
               (const char *)ordered + (size_t)k * bytes, bytes);
}

spmv_status bench_order_execute(const spmv_plan *plan, double alpha, const void *x, double beta,
                                const void *before, void *workspace, void *y)
{
    spmv_plan_info info = { .struct_size = sizeof info };
    spmv_status status = spmv_plan_query(plan, &info);

    if (status)
        return status;
    const size_t bytes = bench_value_bytes(info.module->value_type);
    void *ordered = malloc((size_t)info.rows * bytes + 1);
    if (!ordered)
        return SPMV_OUT_OF_MEMORY;
    bench_order_apply(info.y_permutation, info.rows, bytes, before, ordered);
    status = spmv_execute(plan, alpha, x, beta, ordered, workspace);
    bench_order_undo(info.y_permutation, info.rows, bytes, ordered, y);
    free(ordered);
    return status;
}

bool bench_order_is_permutation(const int32_t *order, int64_t rows)
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
