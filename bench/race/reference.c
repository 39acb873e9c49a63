/* reference.c: see reference.h. */
#include "bench/race/reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bench/matrices/matrix.h"

typedef struct reference_row {
    long double sum;             /* of a*x */
    long double magnitude;       /* of |a||x| */
    double rounded_sum, rounded_magnitude;
    int64_t length;
    bool is_small_integer;       /* the sum, below 2^31 */
} reference_row;

struct bench_reference {
    int64_t rows;
    spmv_value_type value_type;
    reference_row row[];
};

static bool is_small_integer(double value)
{
    return fabs(value) < 2147483648.0 && (double)(int64_t)value == value;
}

/* A reference of `rows` sums of nothing. */
static spmv_status create_empty(const spmv_csr *csr, int64_t rows, bench_reference **out)
{
    *out = NULL;
    if ((uint64_t)rows > (SIZE_MAX - sizeof(bench_reference)) / sizeof(reference_row))
        return SPMV_OVERFLOW;
    bench_reference *reference =
        malloc(sizeof *reference + (size_t)rows * sizeof(reference_row));
    if (!reference)
        return SPMV_OUT_OF_MEMORY;
    reference->rows = rows;
    reference->value_type = csr->value_type;
    for (int64_t r = 0; r < rows; r++)
        reference->row[r] = (reference_row){ .sum = 0, .magnitude = 0, .length = 0 };
    *out = reference;
    return SPMV_OK;
}

/* Completes a row from its sums. */
static void finish_row(reference_row *row)
{
    row->rounded_sum = (double)row->sum;
    row->rounded_magnitude = (double)row->magnitude;
    row->is_small_integer = is_small_integer(row->rounded_sum) && row->rounded_sum == row->sum;
}

spmv_status bench_reference_create(const spmv_csr *csr, const void *x, bench_reference **out)
{
    const spmv_status status = create_empty(csr, csr->rows, out);

    for (int64_t r = 0; r < csr->rows && !status; r++) {
        const int64_t begin = bench_csr_offset(csr, r);
        const int64_t end = bench_csr_offset(csr, r + 1);
        long double sum = 0;
        long double magnitude = 0;
        for (int64_t k = begin; k < end; k++) {
            const long double product = (long double)bench_csr_value(csr, k) *
                bench_value(csr->value_type, x, csr->col_idx[k] - csr->base);
            sum += product;
            magnitude += fabsl(product);
        }
        (*out)->row[r] = (reference_row){ .sum = sum, .magnitude = magnitude,
                                          .length = end - begin };
        finish_row(&(*out)->row[r]);
    }
    return status;
}

spmv_status bench_reference_create_transposed(const spmv_csr *csr, const void *x,
                                              bench_reference **out)
{
    const spmv_status status = create_empty(csr, csr->cols, out);

    for (int64_t r = 0; r < csr->rows && !status; r++) {
        const long double factor = bench_value(csr->value_type, x, r);
        const int64_t end = bench_csr_offset(csr, r + 1);
        for (int64_t k = bench_csr_offset(csr, r); k < end; k++) {
            reference_row *row = &(*out)->row[csr->col_idx[k] - csr->base];
            const long double product = (long double)bench_csr_value(csr, k) * factor;
            row->sum += product;
            row->magnitude += fabsl(product);
            row->length++;
        }
    }
    for (int64_t c = 0; c < csr->cols && !status; c++)
        finish_row(&(*out)->row[c]);
    return status;
}

size_t bench_reference_row_bytes(void)
{
    return sizeof(reference_row);
}

void bench_reference_destroy(bench_reference *reference)
{
    free(reference);
}

/* The exact value of a row, and the sum of the magnitudes of its terms. */
static long double expect(const bench_reference *reference, int64_t r, long double alpha,
                          long double beta, const void *before, long double *magnitude)
{
    const reference_row *row = &reference->row[r];
    long double expected = 0;

    *magnitude = 0;
    if (alpha != 0) {
        expected += alpha * row->sum;
        *magnitude += fabsl(alpha) * row->magnitude;
    }
    if (beta != 0) {
        const long double old = beta * bench_value(reference->value_type, before, r);
        expected += old;
        *magnitude += fabsl(old);
    }
    return expected;
}

/* The bound of a row's error; negative if it exceeds the type's range. */
static long double bound_of(const bench_reference *reference, int64_t r, long double alpha,
                            long double magnitude)
{
    const reference_row *row = &reference->row[r];
    const bool single = reference->value_type == SPMV_F32;
    const long double eps = single ? FLT_EPSILON : DBL_EPSILON;
    const long double largest = single ? FLT_MAX : DBL_MAX;
    const long double smallest = single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    const long double n = row->length > 1 ? (long double)row->length : 1;

    /* The sum may overflow before alpha makes it small. */
    if (isfinite(magnitude) && (magnitude > largest || (alpha != 0 && row->magnitude > largest)))
        return -1;
    /* Each operation may also lose up to the smallest number. A reference that is no more precise
     * than the result errs as much. */
    const long double both = !single && LDBL_MANT_DIG == DBL_MANT_DIG ? 2 : 1;
    return both * 2 * n * (eps * magnitude + smallest);
}

/* The error over the bound. */
static double error_of(long double found, long double expected, long double bound)
{
    if (isnan(expected))
        return isnan(found) ? 0 : HUGE_VAL;
    if (!isfinite(expected) || !isfinite(found) || bound == 0)
        return found == expected ? 0 : HUGE_VAL;
    return (double)(fabsl(found - expected) / bound);
}

bench_verdict bench_reference_check(const bench_reference *reference, double alpha, double beta,
                                    const void *before, const void *y, bool exact)
{
    bench_verdict verdict = { .row = -1 };

    if (reference->value_type == SPMV_F32) {
        alpha = (float)alpha;
        beta = (float)beta;
    }
    for (int64_t r = 0; r < reference->rows; r++) {
        const long double found = bench_value(reference->value_type, y, r);
        long double magnitude;
        const long double expected = expect(reference, r, alpha, beta, before, &magnitude);
        if (found == expected && verdict.row >= 0)
            continue;

        const long double bound = bound_of(reference, r, alpha, magnitude);
        if (bound < 0) {
            verdict.unjudged++;
            continue;
        }
        const double error = error_of(found, expected, exact ? 0 : bound);
        const bool first_wrong = error > 1 && verdict.wrong == 0;
        verdict.wrong += error > 1;
        if (first_wrong || verdict.row < 0 || (verdict.wrong == 0 && error > verdict.worst)) {
            verdict.row = r;
            verdict.found = (double)found;
            verdict.expected = (double)expected;
            verdict.bound = exact ? 0 : (double)bound;
        }
        if (error > verdict.worst)
            verdict.worst = error;
    }
    return verdict;
}

/* ---- in double ----------------------------------------------------------------------------- */

static double value_at(spmv_value_type type, const void *values, int64_t r)
{
    return type == SPMV_F32 ? (double)((const float *)values)[r] : ((const double *)values)[r];
}

/* Whether factor * (small integer) is exact in double. True for Inf, NaN and multiples of 1/1024 up
 * to 1024. */
static bool is_exact_factor(double factor)
{
    return !isfinite(factor) || (fabs(factor) <= 1024 && is_small_integer(1024 * factor));
}

/* Whether the reference gives the same Inf or NaN for a row as double. False if a finite number
 * overflowed, or if Inf is multiplied by a sum that was rounded to 0. */
static bool is_genuine(const reference_row *row, double alpha, double sum, double beta,
                       double before, double old)
{
    const bool sum_is = isfinite(sum) || !isfinite(alpha) || !isfinite(row->sum);
    const bool old_is = isfinite(old) || !isfinite(beta) || !isfinite(before);
    const bool zero_is = isfinite(alpha) || row->rounded_sum != 0 || row->is_small_integer;

    return sum_is && old_is && zero_is;
}

/* Whether x is 0, or so large that rounding to a subnormal number is negligible. */
static bool is_zero_or_normal(double magnitude)
{
    return magnitude == 0 || magnitude >= DBL_MIN / DBL_EPSILON;
}

bool bench_reference_agrees(const bench_reference *reference, double alpha, double beta,
                            const void *before, const void *y, bool exact)
{
    const spmv_value_type type = reference->value_type;
    const double u = DBL_EPSILON / 2;
    const double eps = type == SPMV_F32 ? FLT_EPSILON : DBL_EPSILON;
    const double largest = type == SPMV_F32 ? FLT_MAX : DBL_MAX;

    if (type == SPMV_F32) {
        alpha = (float)alpha;
        beta = (float)beta;
    }
    if (exact && !(is_exact_factor(alpha) && is_exact_factor(beta)))
        return false;
    for (int64_t r = 0; r < reference->rows; r++) {
        const reference_row *row = &reference->row[r];
        const double found = value_at(type, y, r);
        const double y_before = beta != 0 ? value_at(type, before, r) : 0;
        const double old = beta != 0 ? beta * y_before : 0;
        const double sum = alpha != 0 ? alpha * row->rounded_sum : 0;
        const double magnitude =
            (alpha != 0 ? fabs(alpha) * row->rounded_magnitude : 0) + fabs(old);
        const double expected = sum + old;
        if (!isfinite(expected)) {
            if (!(isnan(expected) ? isnan(found) : found == expected) ||
                !is_genuine(row, alpha, sum, beta, y_before, old))
                return false;
            continue;
        }
        if (exact) {
            if (found != expected || (alpha != 0 && !row->is_small_integer) ||
                !is_small_integer(y_before))
                return false;
            continue;
        }
        const double n = row->length > 1 ? (double)row->length : 1;
        const double bound = (1 - 8 * DBL_EPSILON) * (2 * n * eps - 3.1 * u) * magnitude;
        if (!(magnitude <= largest / 2 && row->rounded_magnitude <= largest / 2 &&
              is_zero_or_normal(magnitude) && is_zero_or_normal(row->rounded_magnitude) &&
              (row->rounded_magnitude != 0 || row->magnitude == 0) &&
              fabs(found - expected) <= bound))
            return false;
    }
    return true;
}
