/* holdout.c: see holdout.h. */
#include "bench/tune/holdout.h"

#include <stdlib.h>

#include "bench/matrices/random.h"

enum { STREAM = 29, EVERY = 3 };

bench_holdout bench_holdout_make(size_t matrices, uint64_t seed)
{
    bench_random random = bench_random_stream(seed, STREAM, 0);
    bench_holdout out = { .search = calloc(matrices + 1, sizeof *out.search),
                          .validation = calloc(matrices + 1, sizeof *out.validation) };
    size_t *order = calloc(matrices + 1, sizeof *order);

    if (!order || !out.search || !out.validation) {
        free(order);
        bench_holdout_free(&out);
        return out;
    }
    for (size_t i = 0; i < matrices; i++) {      /* i goes to a random place of the first i + 1 */
        const size_t k = (size_t)bench_random_below(&random, (int64_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (size_t i = 0; i < matrices; i++)
        if (i % EVERY == EVERY - 1)
            out.validation[out.validations++] = order[i];
        else
            out.search[out.searches++] = order[i];
    free(order);
    return out;
}

void bench_holdout_free(bench_holdout *holdout)
{
    free(holdout->search);
    free(holdout->validation);
    *holdout = (bench_holdout){ .search = NULL };
}
