/* rounded.c: see rounded.h. */
#include "bench/matrices/rounded.h"

#include <math.h>
#include <stdlib.h>

#include "bench/matrices/matrix.h"
#include "runtime/library/matrix/half.h"

const char *bench_rounded_name(spmv_value_type type)
{
    return type == SPMV_F16 ? "f16" : type == SPMV_BF16 ? "bf16" : type == SPMV_F32 ? "f32" : "f64";
}

static size_t bytes_of(spmv_value_type type)
{
    return type == SPMV_F16 || type == SPMV_BF16 ? sizeof(uint16_t) : bench_value_bytes(type);
}

/* Stores a value in a narrow type. Returns the number that is stored. */
static double put_narrow(spmv_value_type type, void *narrow, int64_t k, double value)
{
    uint16_t *const half = narrow;

    if (type == SPMV_F32)
        return ((float *)narrow)[k] = (float)value;
    half[k] = type == SPMV_F16 ? spmv_f16_of_double(value) : spmv_bf16_of_double(value);
    return type == SPMV_F16 ? spmv_float_of_f16(half[k]) : spmv_float_of_bf16(half[k]);
}

static void put_wide(spmv_value_type type, void *wide, int64_t k, double value)
{
    if (type == SPMV_F32)
        ((float *)wide)[k] = (float)value;
    else
        ((double *)wide)[k] = value;
}

spmv_status bench_rounded_create(const spmv_csr *csr, spmv_value_type type, bench_rounded *out,
                                 int64_t *too_large)
{
    const size_t count = (size_t)csr->nnz + 1;

    *out = (bench_rounded){ .type = type, .narrow = malloc(count * bytes_of(type)),
                            .wide = malloc(count * bench_value_bytes(csr->value_type)) };
    if (!out->narrow || !out->wide) {
        bench_rounded_destroy(out);
        return SPMV_OUT_OF_MEMORY;
    }
    for (int64_t k = 0; k < csr->nnz; k++) {
        const double value = bench_csr_value(csr, k);
        const double rounded = put_narrow(type, out->narrow, k, value);
        if (isinf(rounded) && !isinf(value)) {
            *too_large = k;
            bench_rounded_destroy(out);
            return SPMV_INVALID_ARGUMENT;
        }
        put_wide(csr->value_type, out->wide, k, rounded);
    }
    return SPMV_OK;
}

void bench_rounded_destroy(bench_rounded *rounded)
{
    free(rounded->narrow);
    free(rounded->wide);
    *rounded = (bench_rounded){ .narrow = NULL };
}
