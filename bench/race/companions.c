/* companions.c: see companions.h. */
#include "bench/race/companions.h"

#include <stdlib.h>

#include "common/fail.h"

/* Whether a product has this companion, and which. */
static bool find_product(const bench_product *main, bench_companion_kind kind, bench_product *out)
{
    *out = *main;
    if (kind == BENCH_OF_A) {
        out->transposed = false;
        return main->transposed;
    }
    if (kind == BENCH_OF_ONE) {
        out->columns = 1;
        return main->columns > 1;
    }
    out->values = (spmv_value_type)0;
    return main->values != 0;
}

bool bench_companions_create(const bench_options *options, const bench_problem *main, size_t count,
                             bench_companion out[BENCH_COMPANIONS], spmv_error *error)
{
    for (int kind = 0; kind < BENCH_COMPANIONS; kind++)
        out[kind] = (bench_companion){ .contenders = NULL };
    for (int kind = 0; kind < BENCH_COMPANIONS; kind++) {
        bench_companion *c = &out[kind];
        bench_product product;
        if (!find_product(&main->product, (bench_companion_kind)kind, &product))
            continue;
        if (!bench_problem_create_beside(options, main, &product, &c->problem, error))
            return false;
        c->contenders = calloc(count + 1, sizeof *c->contenders);
        c->runners = calloc(count + 1, sizeof *c->runners);
        if (!c->contenders || !c->runners)
            return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
    return true;
}

void bench_companions_prepare(bench_companion companion[BENCH_COMPANIONS], size_t index,
                              const bench_candidate *candidate, int threads)
{
    for (int kind = 0; kind < BENCH_COMPANIONS; kind++) {
        bench_companion *c = &companion[kind];
        if (c->contenders)
            bench_contender_prepare(&c->contenders[index], candidate, &c->problem, threads, 1);
    }
}

void bench_companions_prepare_peer(bench_companion companion[BENCH_COMPANIONS], size_t index,
                                   const spmv_peer *peer, int threads, int expected_runs)
{
    for (int kind = 0; kind < BENCH_COMPANIONS; kind++) {
        bench_companion *c = &companion[kind];
        if (c->contenders)
            bench_contender_prepare_peer(&c->contenders[index], peer, &c->problem, threads,
                                         expected_runs, 1);
    }
}

void bench_companions_destroy(bench_companion companion[BENCH_COMPANIONS], size_t count)
{
    for (int kind = 0; kind < BENCH_COMPANIONS; kind++) {
        bench_companion *c = &companion[kind];
        for (size_t i = 0; i < count && c->contenders; i++)
            bench_contender_destroy(&c->contenders[i]);
        free(c->contenders);
        free(c->runners);
        bench_problem_destroy(&c->problem);
    }
}
