/* order.c: see order.h. */
#include "bench/order.h"

#include <stdlib.h>
#include <string.h>

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
