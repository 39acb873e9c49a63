/* report.c: what a report computes. See report.h. */
#include "bench/report/report.h"

#include <math.h>
#include <string.h>

#include "bench/inspect/candidates.h"

double bench_report_csr_bytes(const bench_report *report)
{
    return bench_product_bytes(&report->problem->product, &report->problem->csr,
                               report->problem->beta != 0);
}

bench_row bench_report_row(const bench_report *report, size_t contender)
{
    const bench_contender *c = &report->contenders[contender];
    const spmv_csr *csr = &report->problem->csr;
    const double t = report->runners[contender].time.median;
    const double csr_bytes = bench_report_csr_bytes(report);
    const double vectors = bench_product_vector_bytes(&report->problem->product, csr,
                                                      report->problem->beta != 0);
    bench_row row = { 0, 0, 0, 0, 0, 0 };

    if (t > 0) {
        row.gflops = 2e-9 * (double)csr->nnz * report->problem->product.columns / t;
        row.rate = csr_bytes / t;
        row.prepare = c->prepare_seconds / t;
        row.update = c->update_seconds / t;
    }
    if (report->read_rate > 0)
        row.share = row.rate / report->read_rate;
    row.layout = (double)c->info.layout_bytes / (csr_bytes - vectors);
    return row;
}

double bench_report_companion(const bench_report *report, bench_companion_kind kind,
                              size_t contender, double *ratio)
{
    const bench_runner *runner = report->companion[kind].runners;
    const bool is_timed = runner && runner[contender].samples > 0;

    *ratio = is_timed ? runner[contender].other_ratio.median : NAN;
    return is_timed ? runner[contender].time.median : NAN;
}

/* Bytes that values stored in fewer bytes save. The layout has space for them in their type, of
 * which a multiplication reads what is used. */
static double saved_bytes(const bench_contender *c)
{
    const spmv_csr *csr = &c->problem->csr;
    spmv_figure figure[SPMV_MAX_FIGURES];
    int32_t count = 0;

    if (spmv_plan_figures(c->plan, figure, &count))
        return 0;
    for (int32_t i = 0; i < count; i++)
        if (strcmp(figure[i].name, "bytes of a value") == 0)
            return (double)csr->nnz *
                   ((double)bench_value_bytes(csr->value_type) - figure[i].value);
    return 0;
}

/* As bench_report_matrix_bytes, of a contender. */
static int64_t matrix_bytes(const bench_contender *c)
{
    const bench_problem *p = c->problem;
    spmv_csr sizes = p->csr;
    const spmv_candidate candidate = { .layout_bytes = c->info.layout_bytes,
                                       .borrows = c->info.borrows };

    sizes.rows = bench_product_outputs(&p->product, &p->csr);
    sizes.cols = bench_product_inputs(&p->product, &p->csr);
    if (c->plan)
        return (int64_t)(bench_candidate_matrix_bytes(&candidate, &sizes) - saved_bytes(c));
    if (!c->peer_state)
        return -1;
    return c->info.layout_bytes > 0 ? (int64_t)c->info.layout_bytes
        : (int64_t)(bench_product_bytes(&p->product, &p->csr, false) -
                    bench_product_vector_bytes(&p->product, &p->csr, false));
}

int64_t bench_report_matrix_bytes(const bench_report *report, size_t contender)
{
    return matrix_bytes(&report->contenders[contender]);
}

double bench_report_of_type_bytes(const bench_report *report, size_t contender)
{
    const bench_contender *other = report->companion[BENCH_OF_TYPE].contenders;
    const bench_problem *p = report->problem;
    const double vectors = bench_product_vector_bytes(&p->product, &p->csr, p->beta != 0);
    const int64_t bytes = bench_report_matrix_bytes(report, contender);
    const int64_t other_bytes = other && other[contender].problem
                                    ? matrix_bytes(&other[contender]) : -1;

    return bytes < 0 || other_bytes < 0 ? NAN
        : ((double)bytes + vectors) / ((double)other_bytes + vectors);
}
