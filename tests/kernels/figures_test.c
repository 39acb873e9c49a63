/* figures_test.c: tests the figures of a layout: their number is within bounds, and each has a
 * unique name, a unit and a finite value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static const struct {
    const char *shape;
    int64_t size;
} inputs[] = {
    { "no-rows", 5 }, { "all-empty", 50 }, { "one-row", 1 }, { "short-rows", 900 },
    { "giant-middle", 20000 }, { "one-of-each", 200 }, { "skewed", 5000 },
};

/* The fault of figure i; NULL: none. */
static const char *figure_fault(const spmv_figure *figure, int32_t i)
{
    if (!figure[i].name || !figure[i].name[0] || !figure[i].unit)
        return "no name or no unit";
    for (int32_t k = 0; k < i; k++)
        if (strcmp(figure[k].name, figure[i].name) == 0)
            return "the name of another one";
    return isfinite(figure[i].value) ? NULL : "not finite";
}

static void check_figures(suite *s, const test_input *input)
{
    static const char untouched[] = "untouched";
    spmv_figure figure[SPMV_MAX_FIGURES + 1];

    for (int i = 0; i <= SPMV_MAX_FIGURES; i++)
        figure[i] = (spmv_figure){ untouched, untouched, 0 };
    const int32_t count = s->module->ops->figures(bare_layout(s->bare), figure);
    if (!suite_check(s, P_CONTRACT, count >= 0 && count <= SPMV_MAX_FIGURES &&
                     figure[SPMV_MAX_FIGURES].name == untouched, "%s: %d figures, at most %d",
                     input->name, count, (int)SPMV_MAX_FIGURES))
        return;
    for (int32_t i = 0; i < count; i++) {
        const char *fault = figure_fault(figure, i);
        suite_check(s, P_CONTRACT, !fault, "%s: figure %d: %s", input->name, i, fault ? fault : "");
    }
}

void test_figures(suite *s)
{
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0] && s->module->ops->figures; i++) {
        const test_case one = { bench_shape_find(inputs[i].shape), inputs[i].size, i + 3 };
        test_input input;
        if (!test_input_create(s->module, &one, 0, BENCH_INTEGERS, &input)) {
            suite_check(s, P_CONTRACT, false, "the test itself has no memory");
            continue;
        }
        snprintf(s->label, sizeof s->label, "figures: %s", input.name);
        if (suite_build(s, P_CONTRACT, &input.matrix->csr, GUARD_AT_END, BARE_WHOLE, input.name))
            check_figures(s, &input);
        test_input_destroy(&input);
    }
}
