/* test_rounding.c: the errors of plans with options.round_to are within the bound of spmv.h, and
 * the bound is not much larger than the errors: half of u, or no s, is too little.
 *
 * Values are random, some below the normal range of the type that they are rounded to. The
 * reference is the product of the values before they are rounded, in long double. */
#include "sample.h"

#include "../tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of spmv.h's table. */
typedef struct rounding {
    spmv_value_type type;
    const char *name;
    int digits, least, fraction; /* u = 2^-digits; for values below 2^least, s = 2^-fraction */
} rounding;

static const rounding roundings[] = {
    {SPMV_F32, "f32", 24, -126, 150},
    {SPMV_F16, "f16", 11, -14, 25},
    {SPMV_BF16, "bf16", 8, -126, 134},
};

static uint64_t state = 1;

/* From 0 to 1. */
static double next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * ldexp(1, -53);
}

/* Rows of one kind: near 1, or below the normal range, where u alone is too little. */
static double random_value(const rounding *to, int is_tiny)
{
    const double significand = (1 + next_random()) * (next_random() < 0.5 ? -1 : 1);
    const int exponent = (int)(next_random() * 8);

    return ldexp(significand, is_tiny ? to->least - 1 - exponent : exponent - 4);
}

/* What is known of all rows of a plan. */
typedef struct errors {
    long double worst;           /* over the bound */
    int beyond_half;             /* rows that would be beyond the bound with half of u */
    int beyond_normal;           /* rows that would be beyond it without s */
} errors;

/* Adds the errors of y = alpha*A*x + beta*y_old. */
static void add_errors(const sample *s, const rounding *to, double alpha, double old,
                       const void *y, errors *e)
{
    const long double eps = s->csr.value_type == SPMV_F32 ? FLT_EPSILON : DBL_EPSILON;
    const int32_t *row_ptr = (const int32_t *)s->row_ptr;

    for (int64_t row = 0; row < s->csr.rows; row++) {
        const long double n = row_ptr[row + 1] > row_ptr[row] ? row_ptr[row + 1] - row_ptr[row] : 1;
        long double sum = old, size = fabs(old), relative = 0, absolute = 0;

        for (int32_t k = row_ptr[row]; k < row_ptr[row + 1]; k++) {
            const double x = sample_get(s, s->x, s->col_idx[k]), a = sample_get(s, s->val, k);
            const long double term = (long double)alpha * a * x;

            sum += term;
            size += fabsl(term);
            relative += ldexpl(fabsl(term), -to->digits);
            if (fabs(a) < ldexp(1, to->least))
                absolute += ldexpl(fabsl((long double)alpha * x), -to->fraction);
        }
        /* Twice, since long double may be no wider than double. */
        const long double of_vectors = 2 * (2 * n * eps * size);
        const long double error = fabsl((long double)sample_get(s, y, row) - sum);
        const long double bound = of_vectors + relative + absolute;

        e->worst = fmaxl(e->worst, bound > 0 ? error / bound : error > 0 ? 2 : 0);
        e->beyond_half += absolute == 0 && error > of_vectors + relative / 2;
        e->beyond_normal += absolute > 0 && error > of_vectors + relative;
    }
}

/* beta*y is 0 where values are tiny: its rounding would hide theirs. */
static int measure(spmv_device *device, const spmv_module *module, const rounding *to, int is_tiny,
                   errors *e)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = module->method,
                                       .target = module->target, .round_to = to->type};
    const double alpha = -1.5, beta = is_tiny ? 0 : 0.5, old = 0.25;
    sample *s = sample_create(250, 60, 0, module->value_type, SPMV_I32);
    void *y = sample_vector(s, s->csr.rows, old);
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    int good;

    for (int64_t k = 0; k < s->csr.nnz; k++)
        sample_set(s, s->val, k, random_value(to, is_tiny));
    for (int64_t col = 0; col < s->csr.cols; col++)
        sample_set(s, s->x, col, 2 * next_random() - 1);
    good = spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_OK &&
           spmv_execute(plan, alpha, s->x, beta, y, NULL) == SPMV_OK;
    if (good)
        add_errors(s, to, alpha, beta * old, y, e);
    else
        diag("%s: %s", module->name, err.text);
    spmv_plan_destroy(plan);
    sample_destroy(s);
    free(y);
    return good;
}

/* In f32, products of values below 2^-126 err by more than the bound, which is of sums without
 * underflow. */
static int has_range(const spmv_module *module, const rounding *to)
{
    return module->value_type == SPMV_F64 || to->type == SPMV_F16;
}

static void test_module(spmv_device *device, const spmv_module *module, const rounding *to)
{
    errors e = {0, 0, 0};
    int good = 1;

    for (int is_tiny = 0; is_tiny <= has_range(module, to); is_tiny++)
        good &= measure(device, module, to, is_tiny, &e);
    ok(good && e.worst <= 1, "%s, rounded to %s: errors are at most %.2f of the bound",
       module->name, to->name, (double)e.worst);
    ok(e.beyond_half > 0 && (e.beyond_normal > 0) == has_range(module, to),
       "%d rows need all of u, %d need s", e.beyond_half, e.beyond_normal);
}

int main(void)
{
    spmv_device *device = NULL;
    size_t count;

    spmv_device_open(NULL, &device, NULL);
    count = spmv_device_module_count(device);
    for (size_t i = 0; i < count; i++) {
        const spmv_module *module = spmv_device_module(device, i);

        if (module->offset_type != SPMV_I32 || module->ops->symmetric || module->ops->transposes)
            continue;
        for (size_t r = 0; r < sizeof roundings / sizeof roundings[0]; r++)
            if (module->value_type == SPMV_F64 || roundings[r].type != SPMV_F32)
                test_module(device, module, &roundings[r]);
    }
    if (count == 0)
        skip("no modules are linked into the library");
    spmv_device_close(device);
    return tap_done();
}
