/* explain.c: see explain.h. */
#include "bench/report/explain.h"

#include <stdio.h>

#include "bench/inspect/candidates.h"
#include "bench/inspect/storage.h"
#include "bench/output/message.h"
#include "bench/matrices/matrix.h"
#include "bench/race/product.h"
#include "bench/race/source.h"
#include "bench/output/table.h"
#include "bench/output/terminal.h"
#include "common/fail.h"

enum { COLUMNS = 11, WORDS = 2 };

/* Columns of measured times are shown only if candidates were measured. */
static bool is_shown(size_t column, const bench_candidates *v)
{
    return v->measured || column < 7 || column > 8;
}

static void add_heading(bench_table *table, const bench_candidates *v)
{
    static const char *const titles[COLUMNS] = { "method",    "target",      "cost MB",
                                                 "of CSR",    "prepare MB",  "total MB",
                                                 "pays from", "measured us", "build us",
                                                 "layout MB", "borrows" };

    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(i, v))
            bench_table_add(table, "%s", titles[i]);
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

static void add_candidate(bench_table *table, const bench_candidates *v,
                          const spmv_candidate *candidate)
{
    const double runs = bench_candidate_pays_from(v, candidate);

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

static bool print_plan(const bench_candidates *v, const spmv_csr *csr, FILE *out)
{
    bench_table *table = bench_table_create(COLUMNS - (v->measured ? 0 : 2), WORDS);
    spmv_plan_info info = { .struct_size = sizeof info };
    spmv_candidate candidate = { .struct_size = sizeof candidate };

    if (!table)
        return false;
    spmv_plan_query(v->plan, &info);
    fprintf(out, "chosen   %s\nreason   %s\n", info.module->name, info.reason);
    bench_storage_print(v->plan, csr, bench_terminal_columns(out), out);
    fputc('\n', out);
    add_heading(table, v);
    for (size_t i = 0; !spmv_plan_explain(v->plan, i, &candidate); i++)
        if (!candidate.why_not)
            add_candidate(table, v, &candidate);
    bench_table_print(table, out);
    bench_table_destroy(table);
    bench_candidates_print_left_out(v->plan, "\n", out);
    return true;
}

static bool explain_on(spmv_device *device, const bench_options *options, const spmv_csr *csr,
                       FILE *out, spmv_error *error)
{
    const int32_t runs = options->runs ? (int32_t)options->runs : SPMV_EXPECTED_RUNS;
    const bench_product product = bench_product_of(options);
    const spmv_plan_options wanted = { .struct_size = sizeof wanted, .target = options->target,
                                       .threads = (int32_t)options->threads, .expected_runs = runs,
                                       .measure = options->measure,
                                       .transposed = product.transposed,
                                       .round_to = product.values };
    spmv_plan *plan = NULL;

    if (spmv_plan_create(device, csr, &wanted, &plan, error))
        return false;
    const bench_candidates v = { plan, bench_product_bytes(&product, csr, options->beta != 0), runs,
                                 options->measure };
    const bool good = print_plan(&v, csr, out);
    if (!good)
        sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    spmv_plan_destroy(plan);
    return good;
}

bool bench_explain(const bench_options *options, const bench_devices *devices, FILE *out,
                   spmv_error *error)
{
    bench_source source;
    char name[BENCH_PRINTABLE_BYTES];
    bool good = bench_source_create(options, &source, error);

    if (!good)
        return false;
    const spmv_csr *csr = &source.matrix->csr;
    const bench_product product = bench_product_of(options);
    fprintf(out, "matrix   %s: %lld x %lld, %lld nonzeros, %.3g MB in CSR with x and y%s%s%s\n",
            bench_printable(name, source.name),
            (long long)csr->rows, (long long)csr->cols, (long long)csr->nnz,
            bench_product_bytes(&product, csr, options->beta != 0) / 1e6,
            product.transposed ? "; by the transpose" : "",
            product.values ? "; values rounded to " : "", bench_product_values_text(&product));
    for (size_t i = 0; i < devices->count && good; i++)
        good = explain_on(devices->device[i], options, csr, out, error);
    bench_source_destroy(&source);
    return good;
}
