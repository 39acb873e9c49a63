/* experiments.c: the list of all experiments. See experiment.h. */
#include "bench/experiments/experiment.h"

#include <string.h>

static const bench_experiments *const papers[] = {
    &bench_experiments_speculative,
    &bench_experiments_csr5,
    &bench_experiments_csr_adaptive,
    &bench_experiments_evc_hyb,
    &bench_experiments_narrow_values,
};

enum { PAPERS = sizeof papers / sizeof papers[0] };

size_t bench_experiment_count(void)
{
    size_t count = 0;

    for (size_t p = 0; p < PAPERS; p++)
        count += papers[p]->count;
    return count;
}

const bench_experiment *bench_experiment_at(size_t index)
{
    size_t p = 0;

    while (index >= papers[p]->count)
        index -= papers[p++]->count;
    return &papers[p]->experiment[index];
}

const bench_experiment *bench_experiment_find(const char *name)
{
    for (size_t i = 0; i < bench_experiment_count(); i++)
        if (strcmp(bench_experiment_at(i)->name, name) == 0)
            return bench_experiment_at(i);
    return NULL;
}
