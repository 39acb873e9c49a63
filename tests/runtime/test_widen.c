/* test_widen.c: conversions between f16 or bf16 and wider floats, for all 65536 patterns, and of
 * whole arrays. The expected values are computed by ldexp from sign, exponent and fraction. */
#include "runtime/base/types.h"
#include "runtime/library/matrix/half.h"
#include "runtime/library/matrix/widen.h"

#include "../tap.h"

#include <math.h>
#include <stdlib.h>

/* ---- single values --------------------------------------------------------------------------- */

typedef struct format {
    const char *name;
    spmv_value_type type;
    int fraction, bias;
    float (*widen)(uint16_t half);
    uint16_t (*narrow)(double value);
} format;

static const format formats[] = {
    {"f16", SPMV_F16, 10, 15, spmv_float_of_f16, spmv_f16_of_double},
    {"bf16", SPMV_BF16, 7, 127, spmv_float_of_bf16, spmv_bf16_of_double},
};

static int exponent_of(const format *f, int pattern)
{
    return (pattern & 0x7fff) >> f->fraction;
}

static int fraction_of(const format *f, int pattern)
{
    return pattern & ((1 << f->fraction) - 1);
}

static int is_special(const format *f, int pattern)
{
    return exponent_of(f, pattern) == 2 * f->bias + 1;
}

/* The number that a pattern stands for. Infinity counts as the number after the largest. */
static double number_of(const format *f, int pattern)
{
    const int exponent = exponent_of(f, pattern);
    const double fraction = ldexp(fraction_of(f, pattern), -f->fraction);
    const double magnitude =
        ldexp(exponent != 0 ? 1 + fraction : fraction, (exponent != 0 ? exponent : 1) - f->bias);

    return (pattern & 0x8000) != 0 ? -magnitude : magnitude;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int widens(const format *f, int pattern)
{
    const float value = f->widen((uint16_t)pattern);
    const uint32_t sign = (uint32_t)(pattern & 0x8000) << 16;

    if (is_special(f, pattern) && fraction_of(f, pattern) != 0)
        return bits_of(value) == (sign | 0x7fc00000 |
                                  (uint32_t)fraction_of(f, pattern) << (23 - f->fraction));
    if (is_special(f, pattern))
        return bits_of(value) == (sign | 0x7f800000);
    return (double)value == number_of(f, pattern) && (bits_of(value) & 0x80000000) == sign;
}

static int comes_back(const format *f, int pattern)
{
    const int is_nan = is_special(f, pattern) && fraction_of(f, pattern) != 0;
    const int quiet = is_nan ? pattern | 1 << (f->fraction - 1) : pattern;

    return f->narrow((double)f->widen((uint16_t)pattern)) == quiet;
}

/* Whether numbers between this one and the next round to the nearest, with this sign. */
static int rounds_above(const format *f, int pattern, double sign)
{
    const double below = number_of(f, pattern), above = number_of(f, pattern + 1);
    const double middle = below + (above - below) / 2;
    const int even = pattern + (pattern & 1);
    const int bit = sign < 0 ? 0x8000 : 0;

    return f->narrow(sign * middle) == (even | bit) &&
           f->narrow(sign * nextafter(middle, 0)) == (pattern | bit) &&
           f->narrow(sign * nextafter(middle, above)) == ((pattern + 1) | bit) &&
           f->narrow(sign * nextafter(below, above)) == (pattern | bit) &&
           f->narrow(sign * nextafter(above, below)) == ((pattern + 1) | bit);
}

static void test_format(const format *f)
{
    int widened = 0, back = 0, rounded = 0, finite = 0;

    for (int pattern = 0; pattern < 65536; pattern++) {
        widened += widens(f, pattern);
        back += comes_back(f, pattern);
    }
    for (int pattern = 0; !is_special(f, pattern); pattern++, finite++)
        rounded += rounds_above(f, pattern, 1) + rounds_above(f, pattern, -1);
    ok(widened == 65536, "%s: every pattern is widened to its number: %d", f->name, widened);
    ok(back == 65536, "%s: every number comes back as its pattern: %d", f->name, back);
    ok(rounded == 2 * finite, "%s: numbers between two round to the nearest, or the even: %d of %d",
       f->name, rounded, 2 * finite);
    ok(f->narrow(1e300) == f->narrow((double)INFINITY) &&
       f->narrow(-1e300) == f->narrow(-(double)INFINITY) &&
       f->narrow(1e-300) == 0 && f->narrow(-4.9e-324) == 0x8000,
       "%s: numbers out of range become infinity or zero of their sign", f->name);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Value k of an array that has a pattern of its type for each k. */
static void set(spmv_value_type type, void *val, int64_t k)
{
    if (type == SPMV_F64)
        ((double *)val)[k] = (double)(k % 2000 - 1000) / 7;
    else if (type == SPMV_F32)
        ((float *)val)[k] = (float)(k % 2000 - 1000) / 7;
    else
        ((uint16_t *)val)[k] = (uint16_t)(k % 0x7c00 + 0x8000 * (k % 3 == 0));
}

static double get(spmv_value_type type, const void *val, int64_t k)
{
    return type == SPMV_F64   ? ((const double *)val)[k]
           : type == SPMV_F32 ? (double)((const float *)val)[k]
           : type == SPMV_F16 ? number_of(&formats[0], ((const uint16_t *)val)[k])
                              : number_of(&formats[1], ((const uint16_t *)val)[k]);
}

static double round_to(spmv_value_type type, double value)
{
    return type == SPMV_F32   ? (double)(float)value
           : type == SPMV_F16 ? (double)spmv_float_of_f16(spmv_f16_of_double(value))
           : type == SPMV_BF16 ? (double)spmv_float_of_bf16(spmv_bf16_of_double(value))
                               : value;
}

/* One row with `count` entries; a chunk of threads has 16384 values, a block 256. */
static int converts(const spmv_value_types *types, int64_t count, int32_t threads)
{
    const spmv_threads team = spmv_threads_wanted(threads, NULL, NULL);
    const int64_t row_ptr[] = {0, count};
    int32_t *col_idx = calloc((size_t)count + 1, sizeof *col_idx);
    void *val = calloc((size_t)count + 1, 8), *back = calloc((size_t)count + 1, 8);
    const spmv_csr csr = {.rows = 1, .cols = 1, .nnz = count, .row_ptr = row_ptr,
                          .col_idx = col_idx, .val = val, .offset_type = SPMV_I64,
                          .value_type = types->stored};
    spmv_widened *w = NULL;
    int right;

    for (int64_t k = 0; k < count; k++)
        set(types->stored, val, k);
    /* Values of f32 that are not rounded wait until they are needed. */
    right = spmv_widened_create(&csr, types, 1, &team, &w, NULL) == SPMV_OK &&
            (w->csr.val == NULL) == (types->stored == SPMV_F32 && types->rounded == 0) &&
            spmv_widened_complete(w, &team, NULL) == SPMV_OK;
    if (right)
        spmv_widened_give(w, &team, w->csr.val, back);
    for (int64_t k = 0; k < count && right; k++) {
        const double expected = round_to(types->rounded, get(types->stored, val, k));

        right = get(types->vectors, w->csr.val, k) == expected &&
                get(types->stored, back, k) == expected;
    }
    if (types->rounded == 0)
        right &= memcmp(val, back, (size_t)count * spmv_stored_bytes(types->stored)) == 0;
    spmv_widened_destroy(w);
    free(col_idx);
    free(val);
    free(back);
    return right;
}

static void test_arrays(void)
{
    static const spmv_value_types types[] = {
        {SPMV_F16, (spmv_value_type)0, SPMV_F32},  {SPMV_F16, (spmv_value_type)0, SPMV_F64},
        {SPMV_BF16, (spmv_value_type)0, SPMV_F32}, {SPMV_BF16, (spmv_value_type)0, SPMV_F64},
        {SPMV_F32, (spmv_value_type)0, SPMV_F64},  {SPMV_F32, SPMV_F16, SPMV_F32},
        {SPMV_F32, SPMV_BF16, SPMV_F64},           {SPMV_F64, SPMV_F32, SPMV_F64},
        {SPMV_F64, SPMV_F16, SPMV_F64},            {SPMV_F64, SPMV_BF16, SPMV_F64},
    };
    static const int64_t counts[] = {0, 1, 255, 256, 257, 16384, 16385, 70000};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        int right = 0;

        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            right += converts(&types[i], counts[c], 1) + converts(&types[i], counts[c], 3);
        ok(right == 16, "arrays of %s, rounded to %s, in %s: %d of 16 are right",
           spmv_value_name(types[i].stored),
           types[i].rounded != 0 ? spmv_value_name(types[i].rounded) : "nothing",
           spmv_value_name(types[i].vectors), right);
    }
}

/* The error names the first of several values that are too large, on any number of threads. */
static void test_too_large(void)
{
    const int64_t count = 50000;
    const int32_t row_ptr[] = {0, 100, 20001, 50000};
    double *val = calloc((size_t)count, sizeof *val);
    int32_t *col_idx = calloc((size_t)count, sizeof *col_idx);
    const spmv_csr csr = {.rows = 3, .cols = 1, .nnz = count, .row_ptr = row_ptr,
                          .col_idx = col_idx, .val = val, .offset_type = SPMV_I32,
                          .value_type = SPMV_F64};
    const spmv_value_types types = {SPMV_F64, SPMV_F16, SPMV_F64};

    val[7] = (double)INFINITY;
    val[20000] = -65520;
    val[20001] = 1e6;
    val[49000] = 1e9;
    for (int32_t threads = 1; threads <= 3; threads++) {
        const spmv_threads team = spmv_threads_wanted(threads, NULL, NULL);
        spmv_widened *w = NULL;
        spmv_error err = {SPMV_OK, ""};
        const spmv_status status = spmv_widened_create(&csr, &types, 0, &team, &w, &err);

        if (!ok(status == SPMV_INVALID_ARGUMENT && w == NULL &&
                strstr(err.text, "row 1 (from 0): val[20000] is -65520, too large for f16"),
                "the first finite value that becomes infinite is named, %d threads", (int)threads))
            diag("%d: %s", (int)status, err.text);
    }
    free(val);
    free(col_idx);
}

int main(void)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        test_format(&formats[i]);
    test_arrays();
    test_too_large();
    return tap_done();
}
