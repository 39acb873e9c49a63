/* test_settings.c: options.settings, "name=value,...": accepted and refused texts. */
#include "sample.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

static spmv_device *device;
static sample *s;

static spmv_status create(const char *method, const char *settings, spmv_plan **plan,
                          spmv_error *err)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .settings = settings, .threads = 1};

    return spmv_plan_create(device, &s->csr, &options, plan, err);
}

/* The module's first figure, the number of chunks, which depends on the setting `stripe`. */
static double chunks_of(const char *settings)
{
    spmv_figure figure[SPMV_MAX_FIGURES] = {{"", "", -1}};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    int32_t count = 0;

    if (create("toy_sorted", settings, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    else
        spmv_plan_figures(plan, figure, &count);
    spmv_plan_destroy(plan);
    return figure[0].value;
}

static void test_taken(void)
{
    ok(chunks_of(NULL) == 16 && chunks_of("") == 16, "without settings the initial values hold");
    ok(chunks_of("stripe=8") == 8, "a setting is used");
    ok(chunks_of("stripe=1") == 64 && chunks_of("stripe=64") == 1, "so are both ends of its range");
    ok(chunks_of("permuted=1,stripe=16") == 4 && chunks_of("stripe=16,permuted=1") == 4,
       "several settings, in any order");
    ok(chunks_of(" stripe = 8 , permuted = 0 ") == 8, "spaces around names and values are ignored");
    ok(chunks_of("stripe=8,") == 8, "a comma at the end is ignored");
}

static void test_refused(void)
{
    static const struct {
        const char *what, *method, *settings, *text;
    } cases[] = {
        {"a mistyped name", "toy_sorted", "strip=8",
         "method 'toy_sorted' has no setting 'strip'; did you mean 'stripe'?"},
        {"two swapped letters in capitals", "toy_sorted", "STIRPE=8", "did you mean 'stripe'?"},
        {"an unknown name", "toy_sorted", "omega=8",
         "has no setting 'omega'; it has 'permuted', 'stripe'"},
        {"a setting of a method without any", "toy_rows", "stripe=8", "it has none"},
        {"less than the least", "toy_sorted", "stripe=0",
         "stripe is '0'; expected a whole number from 1 to 64: rows of a chunk"},
        {"more than the most", "toy_sorted", "stripe=65", "stripe is '65'"},
        {"more than any number", "toy_sorted", "stripe=99999999999999999999",
         "stripe is '99999999999999999999'"},
        {"less than any number", "toy_sorted", "stripe=-99999999999999999999", "stripe is '-999"},
        {"a fraction", "toy_sorted", "stripe=4.5", "stripe is '4.5'"},
        {"a word", "toy_sorted", "stripe=many", "stripe is 'many'"},
        {"no value", "toy_sorted", "stripe=", "stripe is ''"},
        {"no equals sign", "toy_sorted", "stripe", "'stripe' is no \"name=value\""},
        {"no name", "toy_sorted", "=8", "'=8' is no \"name=value\""},
        {"an empty entry", "toy_sorted", "stripe=8,,permuted=1", "is no \"name=value\""},
        {"a comma alone", "toy_sorted", ",", "',' is no \"name=value\""},
        {"another separator", "toy_sorted", "stripe=8;permuted=1", "stripe is '8;permuted=1'"},
        {"one twice", "toy_sorted", "stripe=8,permuted=0,stripe=8", "'stripe' is given twice"},
        {"a name too long", "toy_sorted",
         "a23456789b123456789c123456789d123456789e123456789f123456789g12345=1",
         "is longer than 63 letters"},
        {"a value too long", "toy_sorted", "stripe=00000000000000000000000000000008",
         "is longer than 31 letters"},
        {"settings without a method", NULL, "stripe=8", "settings belong to a method: name it"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_error err = {SPMV_OK, ""};
        spmv_plan *plan = (spmv_plan *)&err;     /* anything but NULL */

        ok(create(cases[i].method, cases[i].settings, &plan, &err) == SPMV_INVALID_ARGUMENT &&
           err.status == SPMV_INVALID_ARGUMENT && plan == NULL, "refused: %s", cases[i].what);
        if (!ok(strstr(err.text, "options.settings") && strstr(err.text, cases[i].text),
                "and the text says '%s'", cases[i].text))
            diag("%s", err.text);
        ok(create(cases[i].method, cases[i].settings, &plan, NULL) == SPMV_INVALID_ARGUMENT,
           "the error may be NULL");
    }
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    s = sample_create(64, 40, 1, SPMV_F64, SPMV_I32);
    test_taken();
    test_refused();
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}
