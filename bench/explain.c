/* explain.c: see explain.h. */
#include "bench/explain.h"

#include <math.h>
#include <stdio.h>

#include "bench/matrix.h"
#include "bench/source.h"
#include "bench/table.h"

enum { COLUMNS = 10, WORDS = 2 };

static void add_heading(bench_table *table)
{
    static const char *const titles[COLUMNS] = { "method", "target", "cost MB", "of CSR", "prepare MB", "pays from",
                                                 "measured us", "build us", "layout MB", "borrows" };

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(table, "%s", titles[i]);
}

/* From how many multiplications on a candidate costs no more, with its preparing, than each one that prepares less;
 * 0 where that never happens, or another one prepares as much and multiplies faster. */
static double pays_from(const spmv_plan *plan, const spmv_candidate *candidate)
{
    spmv_candidate other = { .struct_size = sizeof other };
    double least = 1;

    for (size_t i = 0; !spmv_plan_explain(plan, i, &other); i++) {
        const double more = candidate->build_cost - other.build_cost;
        const double saved = other.cost - candidate->cost;
        if (other.why_not || more < 0 || other.module == candidate->module)
            continue;
        if (saved < 0 || (more > 0 && saved <= 0))
            return 0;
        if (more > 0)
            least = fmax(least, ceil(more / saved));
    }
    return least;
}

/* The arrays of the CSR that a plan would go on reading, by the bits of SPMV_BORROWS_... */
static const char *const borrowed[] = { "-", "row_ptr", "col_idx", "structure", "val", "row_ptr, val",
                                        "col_idx, val", "CSR" };

static void add_microseconds(bench_table *table, double seconds)
{
    bench_table_add(table, seconds > 0 ? "%.4g" : "-", seconds * 1e6);
}

static void add_candidate(bench_table *table, const spmv_plan *plan, const spmv_candidate *candidate, double csr_bytes)
{
    bench_table_add(table, "%s", candidate->module->method);
    bench_table_add(table, "%s", candidate->module->target);
    if (candidate->why_not) {
        for (size_t i = WORDS; i < COLUMNS; i++)
            bench_table_add(table, "-");
        return;
    }
    bench_table_add(table, "%.4g", candidate->cost / 1e6);
    bench_table_add(table, "%.2f", candidate->cost / csr_bytes);
    bench_table_add(table, "%.4g", candidate->build_cost / 1e6);
    const double runs = pays_from(plan, candidate);
    bench_table_add(table, runs > 0 ? "%.0f" : "-", runs);
    add_microseconds(table, candidate->seconds);
    add_microseconds(table, candidate->build_seconds);
    bench_table_add(table, "%.4g", (double)candidate->layout_bytes / 1e6);
    bench_table_add(table, "%s", borrowed[candidate->borrows & 7]);
}

static bool print_plan(const spmv_plan *plan, double csr_bytes, FILE *out)
{
    const size_t count = spmv_plan_candidate_count(plan);
    bench_table *table = bench_table_create(COLUMNS, WORDS);
    spmv_plan_info info = { .struct_size = sizeof info };
    spmv_candidate candidate = { .struct_size = sizeof candidate };

    if (!table)
        return false;
    spmv_plan_query(plan, &info);
    fprintf(out, "chosen   %s\nreason   %s\n\n", info.module->name, info.reason);
    add_heading(table);
    for (size_t i = 0; i < count && !spmv_plan_explain(plan, i, &candidate); i++)
        add_candidate(table, plan, &candidate, csr_bytes);
    bench_table_print(table, out);
    bench_table_destroy(table);
    for (size_t i = 0; i < count && !spmv_plan_explain(plan, i, &candidate); i++)
        if (candidate.why_not)
            fprintf(out, "%s: %s\n", candidate.module->method, candidate.why_not);
    return true;
}

static bool explain_on(spmv_device *device, const bench_options *options, const spmv_csr *csr,
                       FILE *out, char *message, size_t message_bytes)
{
    const spmv_plan_options wanted = { .struct_size = sizeof wanted, .target = options->target,
                                       .threads = (int32_t)options->threads,
                                       .expected_runs = (int32_t)options->runs,
                                       .measure = options->measure };
    spmv_plan *plan = NULL;
    spmv_error err = { SPMV_OK, "" };

    if (spmv_plan_create(device, csr, &wanted, &plan, &err)) {
        snprintf(message, message_bytes, "%s", err.text);
        return false;
    }
    const bool good = print_plan(plan, bench_csr_bytes(csr, options->beta != 0), out);
    if (!good)
        snprintf(message, message_bytes, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    spmv_plan_destroy(plan);
    return good;
}

bool bench_explain(const bench_options *options, const bench_devices *devices, FILE *out,
                   char *message, size_t message_bytes)
{
    bench_source source;
    bool good = bench_source_create(options, &source, message, message_bytes);

    if (!good)
        return false;
    const spmv_csr *csr = &source.matrix->csr;
    fprintf(out, "matrix   %s: %lld x %lld, %lld nonzeros, %.3g MB in CSR with x and y\n", source.name,
            (long long)csr->rows, (long long)csr->cols, (long long)csr->nnz,
            bench_csr_bytes(csr, options->beta != 0) / 1e6);
    for (size_t i = 0; i < devices->count && good; i++)
        good = explain_on(devices->device[i], options, csr, out, message, message_bytes);
    bench_source_destroy(&source);
    return good;
}
