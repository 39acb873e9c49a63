/* values.c: see values.h. */
#include "bench/inspect/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 * BENCH_DISTINCT_MOST };        /* of the hash table; a power of two */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Adds a value to an open hash table of bits; false: it was there. 0 marks a free slot, so bits are
 * stored plus 1: no value has all bits set. */
static bool add_value(uint64_t *slot, double value)
{
    uint64_t bits, at;

    value = value == 0 ? 0 : isnan(value) ? NAN : value;
    memcpy(&bits, &value, sizeof bits);
    bits++;
    at = (bits * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
    for (; slot[at % SLOTS] != 0; at++)
        if (slot[at % SLOTS] == bits)
            return false;
    slot[at % SLOTS] = bits;
    return true;
}

spmv_status bench_values_compute(const spmv_csr *csr, bench_values *out)
{
    uint64_t *slot = calloc(SLOTS, sizeof *slot);

    *out = (bench_values){ .distinct = 0 };
    if (!slot)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t k = 0; k < csr->nnz; k++) {
        const double value = bench_csr_value(csr, k);
        out->zeros += value == 0;
        out->non_finite += !isfinite(value);
        out->inexact += (double)(float)value != value && !isnan(value);
        if (out->distinct <= BENCH_DISTINCT_MOST && add_value(slot, value)) {
            if (out->distinct < BENCH_DISTINCT_SHOWN)
                out->shown[out->distinct] = value;
            out->distinct++;
        }
    }
    free(slot);
    if (out->distinct <= BENCH_DISTINCT_SHOWN)
        qsort(out->shown, (size_t)out->distinct, sizeof out->shown[0], compare);
    return SPMV_OK;
}
