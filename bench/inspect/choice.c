/* choice.c: see choice.h. */
#include "bench/inspect/choice.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "bench/inspect/candidates.h"
#include "bench/inspect/storage.h"
#include "bench/output/table.h"
#include "bench/output/terminal.h"

enum { WHOLE_CSR = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL };

typedef struct sentence {
    char text[600];
    size_t used;
} sentence;

/* Appends; a text that is too long is cut. */
__attribute__((format(printf, 2, 3))) static void add(sentence *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    if (length > 0)
        s->used += (size_t)length;
    if (s->used > sizeof s->text - 1)
        s->used = sizeof s->text - 1;
}

/* ---- the reason ---------------------------------------------------------------------------- */

static void add_rows(sentence *s, const bench_structure *m)
{
    const bench_row_lengths *l = &m->lengths;

    if (m->nnz == 0)
        add(s, "no nonzeros");
    else if (m->rows == 1)
        add(s, "one row of %lld", (long long)l->max);
    else if (l->min == l->max)
        add(s, "rows of %lld", (long long)l->max);
    else if (20 * m->half_rows < m->rows)
        add(s, "rows of %lld to %lld, half of the nonzeros in %.2g%% of them", (long long)l->min,
            (long long)l->max, 100 * (double)m->half_rows / (double)m->rows);
    else if ((double)l->max <= 2 * l->average)
        add(s, "rows of %lld to %lld", (long long)l->min, (long long)l->max);
    else
        add(s, "rows of %lld to %lld, on average %.1f", (long long)l->min, (long long)l->max,
            l->average);
    for (int i = BENCH_BLOCK_EDGES - 1; i >= 0; i--)
        if (m->block[i].full > 0.95) {
            add(s, " in full blocks of %d x %d", BENCH_BLOCK_LEAST + i, BENCH_BLOCK_LEAST + i);
            break;
        }
}

/* What a method makes use of. The storage of strips depends on the matrix. */
static void add_use(sentence *s, const spmv_plan *plan, const char *method,
                    const bench_structure *m)
{
    static const struct { const char *method, *use; } uses[] = {
        { "csr_scalar", "short enough for a plain loop" },
        { "csr_vector", "long enough for vectors" },
        { "csr_adaptive", "added in blocks of rows, in three ways" },
        { "csr5", "cut into tiles of equally many nonzeros" },
        { "speculative", "cut into tiles without regard to rows" },
        { "evc_hyb", "sorted by length, short ones side by side" },
    };
    const double diagonals = bench_storage_share(plan, m->nnz, "nonzeros in diagonals");
    const double runs = bench_storage_share(plan, m->nnz, "nonzeros in runs");
    const double lanes = bench_storage_share(plan, m->nnz, "nonzeros in lanes and long rows");
    const double wide = bench_storage_share(plan, m->nnz, "with 32-bit columns");
    const double windows = 100 * m->window;

    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (strcmp(method, uses[i].method) == 0)
            add(s, ", %s", uses[i].use);
    if (diagonals >= 0.1)
        add(s, ", %.0f%% of the nonzeros on diagonals", 100 * diagonals);
    if (runs >= 0.1 && windows > 95)
        add(s, ", windows of %d columns full", BENCH_WINDOW);
    else if (runs >= 0.1)
        add(s, ", windows of %d columns %.0f%% full", BENCH_WINDOW, windows);
    if (lanes >= 0.1 && lanes < 0.995)
        add(s, ", %.0f%% of the", 100 * lanes);
    if (lanes >= 0.1)
        add(s, "%s nonzeros alone, with columns of %d bits", lanes < 0.995 ? "" : ",",
            wide < 0.5 * lanes ? 16 : 32);
}

/* The candidate with the least cost of a multiplication of those that convert nothing, which read
 * the caller's CSR. False: there is none. */
static bool find_best_of_csr(const spmv_plan *plan, spmv_candidate *best)
{
    spmv_candidate candidate = { .struct_size = sizeof candidate };
    bool found = false;

    for (size_t i = 0; !spmv_plan_explain(plan, i, &candidate); i++)
        if (!candidate.why_not && candidate.borrows == WHOLE_CSR &&
            (!found || candidate.cost < best->cost)) {
            *best = candidate;
            found = true;
        }
    return found;
}

/* "rows of 81, windows of 4 columns full, so strips: 18.6 bytes moved a nonzero, against 20.7 by
 * csr_vector, the best that keeps CSR; preparing pays from 137 multiplications on" */
static void write_reason(const bench_candidates *c, const bench_structure *m, sentence *s)
{
    spmv_candidate chosen = { .struct_size = sizeof chosen }, other = chosen;

    spmv_plan_explain(c->plan, 0, &chosen);
    const char *method = chosen.module->method;
    const double runs = bench_candidate_pays_from(c, &chosen), nnz = (double)m->nnz;
    add_rows(s, m);
    if (m->nnz > 0)
        add_use(s, c->plan, method, m);
    add(s, ", so %s", method);
    if (m->nnz == 0)
        return;
    if (c->measured) {
        add(s, ": %.3g us measured for a multiplication, the least with preparing for %d of them",
            1e6 * chosen.seconds, (int)c->runs);
        return;
    }
    add(s, ": %.*f bytes moved a nonzero", chosen.cost < 100 * nnz ? 1 : 0, chosen.cost / nnz);
    if (chosen.borrows == WHOLE_CSR)
        add(s, ", and no conversion pays in %d multiplication%s", (int)c->runs,
            c->runs == 1 ? "" : "s");
    else if (find_best_of_csr(c->plan, &other))
        add(s, ", against %.1f by %s, the best that keeps CSR", other.cost / nnz,
            other.module->method);
    if (runs > 1)
        add(s, "; preparing pays from %.0f multiplications on", runs);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void add_number(bench_table *table, double number, const char *format)
{
    bench_table_add(table, isfinite(number) && number > 0 ? format : "-", number);
}

/* Columns that a narrow line has no space for are left out. */
static void print_table(const bench_candidates *c, const spmv_csr *csr, int columns, FILE *out)
{
    enum { WITH_RATIO = 48, WITH_PREPARE = 58 };
    const bool ratio = columns >= WITH_RATIO, prepare = columns >= WITH_PREPARE;
    const bool stored = ratio || !c->measured;
    bench_table *table = bench_table_create(3U + stored + ratio + prepare + c->measured, 1);
    spmv_candidate candidate = { .struct_size = sizeof candidate };
    const double nnz = (double)csr->nnz;

    bench_table_add(table, "%s", "method");
    if (stored)
        bench_table_add(table, "%s", "stored");
    bench_table_add(table, "%s", "moved");
    if (ratio)
        bench_table_add(table, "%s", "of CSR");
    if (prepare)
        bench_table_add(table, "%s", "prepare");
    bench_table_add(table, "%s", "pays from");
    if (c->measured)
        bench_table_add(table, "%s", "us");
    for (size_t i = 0; !spmv_plan_explain(c->plan, i, &candidate); i++) {
        if (candidate.why_not)
            continue;
        bench_table_add(table, "%s", candidate.module->method);
        if (stored)
            add_number(table, bench_candidate_matrix_bytes(&candidate, csr) / nnz, "%.2f");
        add_number(table, candidate.cost / nnz, "%.1f");
        if (ratio)
            add_number(table, candidate.cost / c->csr_bytes, "%.2f");
        if (prepare)
            add_number(table, candidate.build_cost / candidate.cost, "%.1f");
        add_number(table, bench_candidate_pays_from(c, &candidate), "%.0f");
        if (c->measured)
            add_number(table, 1e6 * candidate.seconds, "%.4g");
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
}

/* The sizes of the matrix that the product is of. */
static spmv_csr sizes_of(const spmv_csr *csr, const spmv_plan_options *options)
{
    spmv_csr sizes = *csr;

    if (options->transposed) {
        sizes.rows = csr->cols;
        sizes.cols = csr->rows;
    }
    return sizes;
}

static void print_legend(int columns, FILE *out)
{
    bench_print_wrapped("legend", "bytes a nonzero: stored = of the matrix, in the plan and in "
                        "arrays that it borrows; moved = estimate for a multiplication, computing "
                        "included; of CSR = moved over the least that CSR moves; prepare and pays "
                        "from in multiplications", columns, out);
}

bool bench_choice_print(spmv_device *device, const spmv_csr *csr, const bench_structure *structure,
                        const spmv_plan_options *options, int columns, FILE *out, spmv_error *error)
{
    spmv_plan *plan = NULL;
    spmv_plan_info info = { .struct_size = sizeof info };
    sentence reason = { .used = 0 };

    if (spmv_plan_create(device, csr, options, &plan, error))
        return false;
    const spmv_csr sizes = sizes_of(csr, options);
    const bench_candidates c = { plan, bench_csr_bytes(&sizes, 0), options->expected_runs,
                                 options->measure };
    spmv_plan_query(plan, &info);
    write_reason(&c, structure, &reason);
    bench_print_wrapped("chosen", info.module->name, columns, out);
    bench_print_wrapped("reason", reason.text, columns, out);
    bench_storage_print(plan, csr, columns, out);
    if (csr->nnz > 0) {
        fputc('\n', out);
        print_table(&c, &sizes, columns, out);
        bench_candidates_print_left_out(plan, "", out);
        print_legend(columns, out);
    }
    spmv_plan_destroy(plan);
    return true;
}
