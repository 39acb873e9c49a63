/* explain.c: see explain.h. */
#include "bench/report/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/output/message.h"
#include "bench/matrices/matrix.h"
#include "bench/race/source.h"
#include "bench/output/table.h"

enum { COLUMNS = 11, WORDS = 2 };

/* Data for the table of a plan's candidates. */
typedef struct view {
    const spmv_plan *plan;
    double csr_bytes;
    int32_t runs;                /* expected by the plan */
    bool measured;               /* candidates have measured times */
} view;

/* Columns of measured times are shown only if candidates were measured. */
static bool is_shown(size_t column, const view *v)
{
    return v->measured || column < 7 || column > 8;
}

static void add_heading(bench_table *table, const view *v)
{
    static const char *const titles[COLUMNS] = { "method",    "target",      "cost MB",
                                                 "of CSR",    "prepare MB",  "total MB",
                                                 "pays from", "measured us", "build us",
                                                 "layout MB", "borrows" };

    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(i, v))
            bench_table_add(table, "%s", titles[i]);
}

/* Costs of a multiplication and of building: measured, if available, else estimated. */
static double cost(const view *v, const spmv_candidate *candidate)
{
    return v->measured ? candidate->seconds : candidate->cost;
}

static double build_cost(const view *v, const spmv_candidate *candidate)
{
    return v->measured ? candidate->build_seconds : candidate->build_cost;
}

static bool is_known(const view *v, const spmv_candidate *candidate)
{
    return !candidate->why_not && (!v->measured || candidate->seconds > 0);
}

/* The number of multiplications from which a candidate, building included, costs at most as much as
 * each candidate that builds cheaper. 0 if there is no such number, or if another candidate builds
 * at the same cost and multiplies faster. */
static double pays_from(const view *v, const spmv_candidate *candidate)
{
    spmv_candidate other = { .struct_size = sizeof other };
    double least = 1;

    if (!is_known(v, candidate))
        return 0;
    for (size_t i = 0; !spmv_plan_explain(v->plan, i, &other); i++) {
        const double more = build_cost(v, candidate) - build_cost(v, &other);
        const double saved = cost(v, &other) - cost(v, candidate);
        if (!is_known(v, &other) || more < 0 || other.module == candidate->module)
            continue;
        if (saved < 0 || (more > 0 && saved <= 0))
            return 0;
        if (more > 0)
            least = fmax(least, ceil(more / saved));
    }
    return least;
}

/* The arrays of the CSR that a plan borrows, by the bits of SPMV_BORROWS_... */
static const char *const borrowed[] = { "-",   "row_ptr",      "col_idx",      "structure",
                                        "val", "row_ptr, val", "col_idx, val", "CSR" };

static void add_megabytes(bench_table *table, double bytes)
{
    bench_table_add(table, bytes < 1e10 ? "%.4g" : "%.0f", bytes / 1e6);
}

static void add_microseconds(bench_table *table, double seconds)
{
    const double us = seconds * 1e6;

    bench_table_add(table, us <= 0 ? "-" : us < 1e4 ? "%.4g" : "%.0f", us);
}

static void add_candidate(bench_table *table, const view *v, const spmv_candidate *candidate)
{
    const double runs = pays_from(v, candidate);

    bench_table_add(table, "%s", candidate->module->method);
    bench_table_add(table, "%s", candidate->module->target);
    add_megabytes(table, candidate->cost);
    bench_table_add(table, "%.2f", candidate->cost / v->csr_bytes);
    add_megabytes(table, candidate->build_cost);
    add_megabytes(table, candidate->build_cost + v->runs * candidate->cost);
    bench_table_add(table, runs > 0 ? "%.0f" : "-", runs);
    if (v->measured) {
        add_microseconds(table, candidate->seconds);
        add_microseconds(table, candidate->build_seconds);
    }
    add_megabytes(table, (double)candidate->layout_bytes);
    bench_table_add(table, "%s", borrowed[candidate->borrows & 7]);
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

/* Prints each reason once, after the methods that it applies to. */
static void print_left_out(const spmv_plan *plan, FILE *out)
{
    spmv_candidate candidate = { .struct_size = sizeof candidate }, other = candidate;
    const char *before = "\n";

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

static bool print_plan(const view *v, FILE *out)
{
    bench_table *table = bench_table_create(COLUMNS - (v->measured ? 0 : 2), WORDS);
    spmv_plan_info info = { .struct_size = sizeof info };
    spmv_candidate candidate = { .struct_size = sizeof candidate };

    if (!table)
        return false;
    spmv_plan_query(v->plan, &info);
    fprintf(out, "chosen   %s\nreason   %s\n\n", info.module->name, info.reason);
    add_heading(table, v);
    for (size_t i = 0; !spmv_plan_explain(v->plan, i, &candidate); i++)
        if (!candidate.why_not)
            add_candidate(table, v, &candidate);
    bench_table_print(table, out);
    bench_table_destroy(table);
    print_left_out(v->plan, out);
    return true;
}

static bool explain_on(spmv_device *device, const bench_options *options, const spmv_csr *csr,
                       FILE *out, char *message, size_t message_bytes)
{
    const int32_t runs = options->runs ? (int32_t)options->runs : SPMV_EXPECTED_RUNS;
    const spmv_plan_options wanted = { .struct_size = sizeof wanted, .target = options->target,
                                       .threads = (int32_t)options->threads, .expected_runs = runs,
                                       .measure = options->measure };
    spmv_plan *plan = NULL;
    spmv_error err = { SPMV_OK, "" };

    if (spmv_plan_create(device, csr, &wanted, &plan, &err)) {
        snprintf(message, message_bytes, "%s", err.text);
        return false;
    }
    const view v = { plan, bench_csr_bytes(csr, options->beta != 0), runs, options->measure };
    const bool good = print_plan(&v, out);
    if (!good)
        snprintf(message, message_bytes, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    spmv_plan_destroy(plan);
    return good;
}

bool bench_explain(const bench_options *options, const bench_devices *devices, FILE *out,
                   char *message, size_t message_bytes)
{
    bench_source source;
    char name[BENCH_PRINTABLE_BYTES];
    bool good = bench_source_create(options, &source, message, message_bytes);

    if (!good)
        return false;
    const spmv_csr *csr = &source.matrix->csr;
    fprintf(out, "matrix   %s: %lld x %lld, %lld nonzeros, %.3g MB in CSR with x and y\n",
            bench_printable(name, source.name),
            (long long)csr->rows, (long long)csr->cols, (long long)csr->nnz,
            bench_csr_bytes(csr, options->beta != 0) / 1e6);
    for (size_t i = 0; i < devices->count && good; i++)
        good = explain_on(devices->device[i], options, csr, out, message, message_bytes);
    bench_source_destroy(&source);
    return good;
}
