/* test_mixed_options.c: plans that round their values, options of types that do not fit each other
 * or a file, and operands that overlap. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "narrow.h"
#include "sample.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static spmv_device *device;

/* ---- rounding -------------------------------------------------------------------------------- */

/* test_rounding.c looks at the products. */
static void test_rounding(spmv_value_type to, double unit, int transposed)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_parts",
                                       .transposed = transposed, .round_to = to};
    sample *s = sample_create(60, 50, 0, SPMV_F64, SPMV_I32);
    const size_t bytes = (size_t)s->csr.nnz * sizeof(double);
    double *val = (double *)s->val, *rounded = malloc(bytes + 1), *before = malloc(bytes + 1);
    spmv_plan_info info = {.struct_size = sizeof info, .reason = ""};
    spmv_error err = {SPMV_OK, ""};
    spmv_plan *plan;
    int right = 1, changed = 0;

    for (int64_t k = 0; k < s->csr.nnz; k++)
        val[k] = sin((double)(k + 1)) * 8;
    memcpy(before, val, bytes);
    plan = narrow_plan(device, &s->csr, &options);
    spmv_plan_query(plan, &info);
    ok(info.rounded_to == to && info.value_type == SPMV_F64 &&
       strstr(info.reason, "its values of f64 are rounded to ") != NULL, "%s: %s", narrow_name(to),
       info.reason);
    ok(spmv_plan_restore_csr(plan, NULL, NULL, rounded, NULL) == SPMV_OK &&
       memcmp(val, before, bytes) == 0, "the rounded values are given, the caller's stay");
    for (int64_t k = 0; k < s->csr.nnz; k++) {
        right &= fabs(rounded[k] - val[k]) <= unit * fabs(val[k]);
        right &= to != SPMV_F32 || rounded[k] == (double)(float)val[k];
        changed += rounded[k] != val[k];
    }
    ok(right && changed > 0, "%d of %ld values are rounded, by at most half a unit", changed,
       (long)s->csr.nnz);
    val[11] = 1e39;
    ok(spmv_plan_update_values(plan, val, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "val[11] is 1e+39, too large for ") != NULL, "%s", err.text);
    memcpy(val, rounded, bytes);
    ok(spmv_plan_restore_csr(plan, NULL, NULL, rounded, NULL) == SPMV_OK &&
       memcmp(val, rounded, bytes) == 0, "after that update nothing is changed");
    spmv_plan_destroy(plan);
    sample_destroy(s);
    free(rounded);
    free(before);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const spmv_csr *csr, spmv_value_type vectors, spmv_value_type to,
                   const char *text)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .vector_type = vectors,
                                       .round_to = to};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status status = spmv_plan_create(device, csr, &options, &plan, &err);

    if (!ok(status == SPMV_INVALID_ARGUMENT && plan == NULL && strstr(err.text, text) != NULL,
            "%s", text))
        diag("%d: %s", (int)status, err.text);
}

static void refuse_file(const spmv_csr *csr, spmv_value_type vectors, spmv_value_type to,
                        const char *text)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .vector_type = vectors,
                                       .round_to = to};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status status = spmv_plan_load(device, csr, &options, "plan", &plan, &err);

    if (!ok(status == SPMV_STALE && plan == NULL && strstr(err.text, text) != NULL, "%s", text))
        diag("%d: %s", (int)status, err.text);
}

static void test_refusals(void)
{
    const spmv_plan_options forgotten = {.vector_type = SPMV_F64}, also = {.round_to = SPMV_F32};
    const spmv_plan_options no_module = {.struct_size = sizeof no_module};
    sample *s = sample_create(60, 50, 0, SPMV_F64, SPMV_I32);
    void *half = narrow_values(s, SPMV_F16, 1, s->val);
    spmv_csr csr = s->csr, narrow = s->csr;
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    narrow.value_type = SPMV_F16;
    narrow.val = half;
    refuse(&csr, (spmv_value_type)7, (spmv_value_type)0, "options.vector_type is 7; expected "
           "SPMV_F32 (32), SPMV_F64 (64), or 0");
    refuse(&csr, SPMV_F16, (spmv_value_type)0, "options.vector_type is 16; expected SPMV_F32");
    refuse(&csr, SPMV_F32, (spmv_value_type)0, "options.vector_type is f32, but the values "
           "(csr.value_type) are f64; expected vectors of the same or a wider type");
    refuse(&csr, (spmv_value_type)0, (spmv_value_type)8, "options.round_to is 8; expected "
           "SPMV_F16 (16), SPMV_BF16 (17), SPMV_F32 (32), SPMV_F64 (64), or 0");
    refuse(&narrow, SPMV_F64, SPMV_F32, "options.round_to is f32, but the values "
           "(csr.value_type) are f16; expected a narrower type");
    refuse(&narrow, SPMV_F64, SPMV_BF16, "options.round_to is bf16, but the values");
    narrow.val = (char *)half + 1;
    refuse(&narrow, SPMV_F64, (spmv_value_type)0, "csr.val is at");
    narrow.val = half;
    narrow.value_type = (spmv_value_type)18;
    refuse(&narrow, SPMV_F64, (spmv_value_type)0, "csr.value_type is 18; expected SPMV_F32 (32), "
           "SPMV_F64 (64), SPMV_F16 (16) or SPMV_BF16 (17)");
    narrow.value_type = SPMV_F16;
    ((double *)s->val)[9] = 65520;
    refuse(&csr, (spmv_value_type)0, SPMV_F16, "val[9] is 65520, too large for f16, which "
           "options.round_to rounds to; scale the matrix or round to SPMV_BF16 or SPMV_F32");
    ok(spmv_plan_create(device, &csr, &forgotten, &plan, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_create(device, &csr, &also, &plan, NULL) == SPMV_INVALID_ARGUMENT,
       "options without struct_size are refused");
    ok(spmv_plan_create(device, &narrow, &no_module, &plan, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "no module for f32 values with i32 row pointers") != NULL, "%s", err.text);
    ok(spmv_plan_create(device, &csr, &(spmv_plan_options){.struct_size = sizeof no_module,
                        .round_to = SPMV_F64}, &plan, NULL) == SPMV_OK,
       "rounding to the type that the values have changes nothing");
    spmv_plan_destroy(plan);
    sample_destroy(s);
    free(half);
}

static void test_files(void)
{
    spmv_plan_options options = {.struct_size = sizeof options, .savable = 1};
    sample *s = sample_create(60, 50, 0, SPMV_F64, SPMV_I32);
    void *val = narrow_values(s, SPMV_F32, 1, s->val);
    spmv_csr narrow = s->csr;
    spmv_plan *plan;

    narrow.value_type = SPMV_F32;
    narrow.val = val;
    options.round_to = SPMV_F32;
    plan = narrow_plan(device, &s->csr, &options);
    spmv_plan_save(plan, "plan", NULL);
    spmv_plan_destroy(plan);
    refuse_file(&narrow, SPMV_F64, (spmv_value_type)0, "csr.value_type is 32, it was 64");
    refuse_file(&s->csr, (spmv_value_type)0, (spmv_value_type)0, "rounds values to f32, but "
                "options.round_to asks for no other type");
    refuse_file(&s->csr, (spmv_value_type)0, SPMV_F16, "options.round_to asks for f16");
    options.round_to = (spmv_value_type)0;
    options.vector_type = SPMV_F64;
    plan = narrow_plan(device, &narrow, &options);
    spmv_plan_save(plan, "plan", NULL);
    spmv_plan_destroy(plan);
    refuse_file(&s->csr, (spmv_value_type)0, (spmv_value_type)0, "csr.value_type is 64, it was 32");
    refuse_file(&narrow, (spmv_value_type)0, (spmv_value_type)0, "for vectors of f64, but the "
                "options and the matrix ask for vectors of f32");
    sample_destroy(s);
    free(val);
}

/* Vectors have the wide type, the output of a restore the narrow one. */
static void test_overlap(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .vector_type = SPMV_F64,
                                       .method = "toy_rows"};
    sample *s = sample_create(50, 50, 0, SPMV_F64, SPMV_I32);
    void *val = narrow_values(s, SPMV_F16, 1, s->val);
    const size_t nnz = (size_t)s->csr.nnz;
    double *vectors = calloc(100, sizeof *vectors);
    char *outputs = calloc(nnz + 2, 8);
    spmv_csr csr = s->csr;
    spmv_plan *plan;

    csr.value_type = SPMV_F16;
    csr.val = val;
    for (int transposed = 0; transposed <= 1; transposed++) {
        spmv_plan_options both = options;

        both.transposed = transposed;
        plan = narrow_plan(device, &csr, &both);
        ok(spmv_execute(plan, 1, vectors, 0, vectors + 49, NULL) == SPMV_ALIASING &&
           spmv_execute(plan, 1, vectors, 0, vectors + 50, NULL) == SPMV_OK,
           "x and y of f64 overlap in their last value, or do not");
        ok(spmv_execute(plan, 1, vectors, 0, (char *)vectors + 404, NULL) == SPMV_INVALID_ARGUMENT,
           "y must have the alignment of f64");
        ok(spmv_plan_restore_csr(plan, NULL, (int32_t *)outputs, outputs + 4 * nnz - 2, NULL) ==
               SPMV_ALIASING &&
           spmv_plan_restore_csr(plan, NULL, (int32_t *)outputs, outputs + 4 * nnz, NULL) ==
               SPMV_OK &&
           memcmp(outputs + 4 * nnz, val, 2 * nnz) == 0,
           "outputs of a restore overlap by 2 bytes, or do not");
        ok(spmv_plan_restore_csr(plan, NULL, NULL, outputs + 1, NULL) == SPMV_INVALID_ARGUMENT &&
           spmv_plan_update_values(plan, (char *)val + 1, NULL) == SPMV_INVALID_ARGUMENT &&
           spmv_plan_update_values(plan, NULL, NULL) == SPMV_INVALID_ARGUMENT,
           "values must have the alignment of f16");
        spmv_plan_destroy(plan);
    }
    sample_destroy(s);
    free(val);
    free(vectors);
    free(outputs);
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    folder_enter();
    for (int transposed = 0; transposed <= 1; transposed++) {
        test_rounding(SPMV_F32, ldexp(1, -24), transposed);
        test_rounding(SPMV_F16, ldexp(1, -11), transposed);
        test_rounding(SPMV_BF16, ldexp(1, -8), transposed);
    }
    test_refusals();
    test_files();
    test_overlap();
    folder_leave();
    spmv_device_close(device);
    return tap_done();
}
