/* value_set.c: see value_set.h. */
#include "bench/matrices/value_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/random.h"

bool bench_value_set_parse(const char *text, bench_value_set *out)
{
    char *end;

    *out = (bench_value_set){ .distinct = 0, .single = strcmp(text, "f32") == 0 };
    if (out->single || strcmp(text, "random") == 0)
        return true;
    if (text[0] < '1' || text[0] > '9')
        return false;
    out->distinct = strtoll(text, &end, 10);
    return *end == '\0' && out->distinct <= BENCH_VALUE_SET_MOST;
}

const char *bench_value_set_name(const bench_value_set *set, char *buffer, size_t bytes)
{
    if (set->distinct > 1)
        snprintf(buffer, bytes, "%lld different values", (long long)set->distinct);
    else
        snprintf(buffer, bytes, "%s", set->distinct == 1 ? "equal values"
                                      : set->single      ? "random values of f32"
                                                         : "random values");
    return buffer;
}

/* Two of three different values are thirds, which f32 rounds. */
static double draw(const bench_value_set *set, bench_random *random)
{
    if (set->distinct > 0)
        return (double)(1 + bench_random_below(random, set->distinct)) / 3;
    const double value = 2 * bench_random_unit(random) - 1;
    return set->single ? (double)(float)value : value;
}

void bench_value_set_apply(const bench_value_set *set, uint64_t seed, bench_matrix *matrix)
{
    const spmv_csr *csr = &matrix->csr;

    for (int64_t row = 0; row < csr->rows; row++)
        for (int64_t k = bench_csr_offset(csr, row); k < bench_csr_offset(csr, row + 1); k++) {
            const int64_t col = matrix->col_idx[k] - csr->base;
            const uint64_t low = (uint64_t)(row < col ? row : col);
            const uint64_t high = (uint64_t)(row < col ? col : row);
            bench_random random = bench_random_stream(seed, 16 + low, high);
            const double value = draw(set, &random);
            if (csr->value_type == SPMV_F32)
                ((float *)matrix->val)[k] = (float)value;
            else
                ((double *)matrix->val)[k] = value;
        }
}
