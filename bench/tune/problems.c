/* problems.c: see problems.h. */
#include "bench/tune/problems.h"

#include <stdlib.h>

#include "bench/yardsticks/machine.h"

/* Bytes that plans of a heat may need. Below, the problems are dropped. */
static const double kept_free = 4e9;

bool bench_problems_begin(const bench_options *options, const bench_inputs *inputs,
                          const char *type, bench_problems *out)
{
    *out = (bench_problems){ .options = options, .inputs = inputs, .type = type };
    out->problem = calloc(inputs->count + 1, sizeof *out->problem);
    return out->problem != NULL;
}

static void forget(bench_problem *problem)
{
    bench_problem_destroy(problem);
    *problem = (bench_problem){ .x = NULL };
}

void bench_problems_end(bench_problems *problems)
{
    for (size_t i = 0; problems->problem && i < problems->inputs->count; i++)
        forget(&problems->problem[i]);
    free(problems->problem);
    *problems = (bench_problems){ .problem = NULL };
}

const bench_problem *bench_problems_get(bench_problems *problems, size_t input, spmv_error *error)
{
    bench_problem *problem = &problems->problem[input];
    bench_options one = bench_inputs_options(problems->options, problems->inputs, input);

    if (!problem->source.matrix) {
        const double free_bytes = bench_available_bytes();
        for (size_t i = 0; i < problems->inputs->count && free_bytes > 0; i++)
            if (free_bytes < kept_free)
                forget(&problems->problem[i]);
        one.type = problems->type;
        if (!bench_problem_create(&one, problem, error)) {
            *problem = (bench_problem){ .x = NULL };
            return NULL;
        }
    }
    return problem;
}
