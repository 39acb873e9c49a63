/* contender.c: see contender.h. */
#include "contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/order.h"

enum {
    PLANS = 5,                   /* made to time one */
    UPDATES = 5                  /* done to time one */
};

static const double prepare_budget = 1.0;  /* seconds, after which fewer plans are enough */

#define fail(contender, ...) \
    snprintf((contender)->failure, sizeof(contender)->failure, __VA_ARGS__)

static size_t y_bytes(const bench_contender *c)
{
    const spmv_csr *csr = &c->problem->source.matrix->csr;
    return (size_t)csr->rows * bench_value_bytes(csr->value_type);
}

/* Makes plans until the time of one is known, and keeps the last. */
static bool make_plan(bench_contender *c, int threads)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = c->module->method, .target = c->module->target,
        .threads = threads, .settings = c->settings,
    };
    double seconds[PLANS];
    const double begin = bench_seconds();
    size_t count = 0;

    while (count < PLANS && (count == 0 || bench_seconds() - begin < prepare_budget)) {
        spmv_error err = { SPMV_OK, "" };
        spmv_plan_destroy(c->plan);
        const double before = bench_seconds();
        const spmv_status status =
            spmv_plan_create(c->device, &c->problem->source.matrix->csr, &options, &c->plan, &err);
        seconds[count++] = bench_seconds() - before;
        if (status) {
            fail(c, "%s", err.text[0] ? err.text : spmv_status_text(status));
            return false;
        }
    }
    c->prepare_seconds = bench_median(seconds, count);
    c->info.struct_size = sizeof c->info;
    if (spmv_plan_query(c->plan, &c->info) || c->info.module != c->module) {
        fail(c, "the plan uses another module than the one asked for");
        return false;
    }
    return true;
}

/* Times updates; the values are those that the plan has. */
static bool update_values(bench_contender *c)
{
    double seconds[UPDATES];
    spmv_error err = { SPMV_OK, "" };

    for (size_t i = 0; i < UPDATES; i++) {
        const double before = bench_seconds();
        if (spmv_plan_update_values(c->plan, c->problem->source.matrix->csr.val, &err)) {
            fail(c, "%s", err.text);
            return false;
        }
        seconds[i] = bench_seconds() - before;
    }
    c->update_seconds = bench_median(seconds, UPDATES);
    return true;
}

const void *bench_contender_x(const bench_contender *contender)
{
    return contender->x ? contender->x : contender->problem->x;
}

int bench_contender_run(void *contender)
{
    const bench_contender *c = contender;
    const bench_problem *p = c->problem;

    return (int)spmv_execute(c->plan, p->alpha, bench_contender_x(c), p->beta, c->y, NULL);
}

/* Gives the contender an x of its own, if its plan has x in another order or its device sees only what
 * spmv_alloc gives; false: no memory. */
static bool order_x(bench_contender *c)
{
    const spmv_csr *csr = &c->problem->source.matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);

    if (!c->info.x_permutation && !c->module->program)
        return true;
    if (spmv_alloc(c->device, (size_t)csr->cols * bytes + 1, &c->x))
        return false;
    bench_order_apply(c->info.x_permutation, csr->cols, bytes, c->problem->x, c->x);
    return true;
}

/* Multiplies from the problem's y. The result is in the order of rows; the plan's y may not be. */
static bool multiply(bench_contender *c, void *result)
{
    const spmv_csr *csr = &c->problem->source.matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);

    bench_order_apply(c->info.y_permutation, csr->rows, bytes, c->problem->before, c->y);
    const int status = bench_contender_run(c);
    if (status)
        fail(c, "execute: %s", spmv_status_text((spmv_status)status));
    else
        bench_order_undo(c->info.y_permutation, csr->rows, bytes, c->y, result);
    return !status;
}

void bench_contender_prepare(bench_contender *contender, bench_candidate candidate,
                             const bench_problem *problem, const bench_names *settings,
                             int threads)
{
    bench_contender *c = contender;

    *c = (bench_contender){ .module = candidate.module, .problem = problem,
                            .device = candidate.device };
    bench_selection_settings(c->module, settings, c->settings, sizeof c->settings);
    if (!make_plan(c, threads) || !update_values(c))
        return;
    c->result = malloc(y_bytes(c) + 1);
    if (!c->result || spmv_alloc(c->device, y_bytes(c) + 1, &c->y) || !order_x(c)) {
        fail(c, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        return;
    }
    if (!multiply(c, c->result))
        return;
    c->verdict = bench_reference_check(problem->reference, problem->alpha, problem->beta,
                                       problem->before, c->result, false);
    if (c->verdict.wrong)
        fail(c, "%lld rows are wrong; row %lld: expected %.17g within %.3g, found %.17g",
             (long long)c->verdict.wrong, (long long)c->verdict.row, c->verdict.expected,
             c->verdict.bound, c->verdict.found);
    c->correct = c->verdict.wrong == 0;
}

void bench_contender_finish(bench_contender *contender)
{
    bench_contender *c = contender;
    const bench_problem *p = c->problem;
    void *again = c->correct ? malloc(y_bytes(c) + 1) : NULL;

    if (!again)
        return;
    bench_split_measure(c->plan, p->alpha, bench_contender_x(c), p->beta, c->y, &c->split);
    c->correct = multiply(c, again);
    if (c->correct && memcmp(again, c->result, y_bytes(c)) != 0) {
        fail(c, "the same multiplication gave other bits after the timed ones");
        c->correct = false;
    }
    free(again);
}

void bench_contender_destroy(bench_contender *contender)
{
    spmv_plan_destroy(contender->plan);
    spmv_free(contender->device, contender->x);
    spmv_free(contender->device, contender->y);
    free(contender->result);
    *contender = (bench_contender){ .module = NULL };
}
