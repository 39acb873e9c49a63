/* narrow.c: see narrow.h. */
#include "narrow.h"

#include "../tap.h"

#include <stdlib.h>

size_t narrow_bytes(spmv_value_type type)
{
    return type == SPMV_F64 ? 8 : type == SPMV_F32 ? 4 : 2;
}

const char *narrow_name(spmv_value_type type)
{
    return type == SPMV_F64 ? "f64" : type == SPMV_F32 ? "f32" : type == SPMV_F16 ? "f16" : "bf16";
}

/* The pattern of a whole number of at most 6 bits: sign, exponent and fraction, by hand. */
static uint16_t half_of(spmv_value_type type, int number)
{
    const int fraction = type == SPMV_F16 ? 10 : 7, bias = type == SPMV_F16 ? 15 : 127;
    const int magnitude = abs(number), sign = number < 0 ? 0x8000 : 0;
    int exponent = 0;

    while (magnitude >> exponent > 1)
        exponent++;
    if (magnitude == 0)
        return 0;
    return (uint16_t)(sign | (exponent + bias) << fraction |
                      (magnitude - (1 << exponent)) << (fraction - exponent));
}

static void set_narrow(spmv_value_type type, void *val, int64_t k, double value)
{
    if (type == SPMV_F64)
        ((double *)val)[k] = value;
    else if (type == SPMV_F32)
        ((float *)val)[k] = (float)value;
    else
        ((uint16_t *)val)[k] = half_of(type, (int)value);
}

void *narrow_values(const sample *s, spmv_value_type type, int factor, void *wide)
{
    void *val = calloc((size_t)s->csr.nnz + 1, narrow_bytes(type));

    for (int64_t k = 0; k < s->csr.nnz; k++) {
        const double value = factor * (double)(k % 9 - 4);

        set_narrow(type, val, k, value);
        sample_set(s, wide, k, value);
    }
    return val;
}

spmv_plan *narrow_plan(spmv_device *device, const spmv_csr *csr, const spmv_plan_options *options)
{
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, csr, options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}
