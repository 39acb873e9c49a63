/* candidates.c: see candidates.h. */
#include "bench/inspect/candidates.h"

#include <math.h>
#include <string.h>

#include "bench/matrices/matrix.h"

/* Costs of a multiplication and of building: measured, if available, else estimated. */
static double run_cost(const bench_candidates *c, const spmv_candidate *candidate)
{
    return c->measured ? candidate->seconds : candidate->cost;
}

static double build_cost(const bench_candidates *c, const spmv_candidate *candidate)
{
    return c->measured ? candidate->build_seconds : candidate->build_cost;
}

static bool is_known(const bench_candidates *c, const spmv_candidate *candidate)
{
    return !candidate->why_not && (!c->measured || candidate->seconds > 0);
}

double bench_candidate_pays_from(const bench_candidates *c, const spmv_candidate *candidate)
{
    const double build = build_cost(c, candidate);
    const double run = run_cost(c, candidate);
    spmv_candidate other = { .struct_size = sizeof other };
    double least = 1;

    if (!is_known(c, candidate))
        return 0;
    for (size_t i = 0; !spmv_plan_explain(c->plan, i, &other); i++) {
        const double more = build - build_cost(c, &other);
        const double saved = run_cost(c, &other) - run;
        if (!is_known(c, &other) || more < 0 || other.module == candidate->module)
            continue;
        if (saved < 0 || (more > 0 && saved <= 0))
            return 0;
        if (more > 0)
            least = fmax(least, ceil(more / saved));
    }
    return least;
}

double bench_candidate_matrix_bytes(const spmv_candidate *candidate, const spmv_csr *csr)
{
    double bytes = (double)candidate->layout_bytes;

    if (candidate->borrows & SPMV_BORROWS_ROW_PTR)
        bytes += (double)(csr->rows + 1) * (double)bench_offset_bytes(csr->offset_type);
    if (candidate->borrows & SPMV_BORROWS_COL_IDX)
        bytes += (double)csr->nnz * sizeof(int32_t);
    if (candidate->borrows & SPMV_BORROWS_VAL)
        bytes += (double)csr->nnz * (double)bench_value_bytes(csr->value_type);
    return bytes;
}

/* Whether a candidate before `index` was left out for the same reason. */
static bool is_printed(const spmv_plan *plan, size_t index, const char *why_not)
{
    spmv_candidate before = { .struct_size = sizeof before };

    for (size_t i = 0; i < index && !spmv_plan_explain(plan, i, &before); i++)
        if (before.why_not && strcmp(before.why_not, why_not) == 0)
            return true;
    return false;
}

void bench_candidates_print_left_out(const spmv_plan *plan, const char *before, FILE *out)
{
    spmv_candidate candidate = { .struct_size = sizeof candidate }, other = candidate;

    for (size_t i = 0; !spmv_plan_explain(plan, i, &candidate); i++) {
        if (!candidate.why_not || is_printed(plan, i, candidate.why_not))
            continue;
        fprintf(out, "%sleft out %s", before, candidate.module->method);
        before = "";
        for (size_t k = i + 1; !spmv_plan_explain(plan, k, &other); k++)
            if (other.why_not && strcmp(other.why_not, candidate.why_not) == 0)
                fprintf(out, ", %s", other.module->method);
        fprintf(out, ": %s\n", candidate.why_not);
    }
}
