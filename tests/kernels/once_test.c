/* once_test.c: every tiny case once, in the bare runner. Consecutive cases differ in data, base,
 * alpha and beta, order, and setting. */
#include <stdio.h>

#include "suite.h"

static void multiply(suite *s, const test_input *input, size_t turn)
{
    static const double alpha[] = { 0.75, 1, -2 }, beta[] = { 0.5, 0 };
    const bool exact = turn % 2 == 0;
    const property p = exact ? P_EXACT : P_BOUND;
    const bare_order order = (bare_order)(turn % BARE_ORDERS);
    const double a = alpha[turn % 3], b = beta[turn / 3 % 2];

    if (suite_build(s, p, &input->matrix->csr, GUARD_AT_END, order, input->name) &&
        suite_accept(s, p, bare_execute(s->bare, a, input->x, b, input->before, order, input->y),
                     input->name))
        suite_check_result(s, p, input, a, b, input->before, input->y, exact);
}

void test_once(suite *s)
{
    test_cases cases;

    if (!suite_check(s, P_EXACT, test_cases_create(s->module, EFFORT_TINY, &cases),
                     "the test itself has no memory"))
        return;
    for (size_t i = 0; i < cases.count; i++) {
        test_input input;

        test_settings_choose(s, i);
        if (!suite_check(s, P_EXACT,
                         test_input_create(s->module, &cases.item[i], (int32_t)(i / 2 % 2),
                                           i % 2 ? BENCH_MIXED : BENCH_INTEGERS, &input),
                         "the test itself has no memory"))
            break;
        snprintf(s->label, sizeof s->label, "%s", input.name);
        if (test_input_is_tiny(&input))
            multiply(s, &input, i);
        test_input_destroy(&input);
    }
    test_settings_initial(s);
    test_cases_destroy(&cases);
}
