/* report.c: a report as tables. See report.h. */
#include "bench/report/report.h"

#include "bench/output/message.h"
#include "bench/output/table.h"
#include "bench/yardsticks/machine.h"

double bench_report_csr_bytes(const bench_report *report)
{
    return bench_csr_bytes(&report->problem->source.matrix->csr, report->problem->beta != 0);
}

bench_row bench_report_row(const bench_report *report, size_t contender)
{
    const bench_contender *c = &report->contenders[contender];
    const spmv_csr *csr = &report->problem->source.matrix->csr;
    const double t = report->runners[contender].median;
    const double csr_bytes = bench_report_csr_bytes(report);
    const double vectors = (double)(csr->rows * (report->problem->beta != 0 ? 2 : 1) + csr->cols) *
                           (double)bench_value_bytes(csr->value_type);
    bench_row row = { 0, 0, 0, 0, 0, 0 };

    if (t > 0) {
        row.gflops = 2e-9 * (double)csr->nnz / t;
        row.rate = csr_bytes / t;
        row.prepare = c->prepare_seconds / t;
        row.update = c->update_seconds / t;
    }
    if (report->read_rate > 0)
        row.share = row.rate / report->read_rate;
    row.layout = (double)c->info.layout_bytes / (csr_bytes - vectors);
    return row;
}

/* The CSR bytes, with the bytes of x replaced by its moved cache lines. */
static double bytes_with_lines(const bench_report *report)
{
    const spmv_csr *csr = &report->problem->source.matrix->csr;
    const double x = (double)csr->cols * ((int)csr->value_type / 8);

    return bench_report_csr_bytes(report) - x + (double)report->x_line_bytes;
}

void bench_report_heading(const bench_report *report, FILE *out)
{
    const spmv_csr *csr = &report->problem->source.matrix->csr;
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);
    char cpu[128], name[BENCH_PRINTABLE_BYTES];

    bench_cpu_name(cpu, sizeof cpu);
    fprintf(out, "machine  %s, %d thread%s, %s\n", cpu, report->threads,
            report->threads == 1 ? "" : "s", bench_compiler());
    fprintf(out,
            "matrix   %s: %lld x %lld, %lld nonzeros, rows of %lld / %.2f / %lld "
            "(min / average / max), %lld empty\n",
            bench_printable(name, report->problem->source.name), (long long)csr->rows,
            (long long)csr->cols, (long long)csr->nnz, (long long)lengths.min, lengths.average,
            (long long)lengths.max, (long long)lengths.empty);
    fprintf(out, "problem  y = %g*A*x + %g*y, f%d values, i%d row pointers, %.3g MB in CSR with x "
            "and y\n", report->problem->alpha, report->problem->beta, (int)csr->value_type,
            (int)csr->offset_type, bench_report_csr_bytes(report) * 1e-6);
    if (report->read_rate > 0)
        fprintf(out, "reading  %.1f GB/s from an array as large as that", report->read_rate * 1e-9);
    if (report->dram_rate > 0)
        fprintf(out, ", %.1f GB/s from one of %.0f MB", report->dram_rate * 1e-9,
                (double)report->dram_bytes * 1e-6);
    if (report->read_rate > 0)
        fputc('\n', out);
    if (report->gather_rate > 0)
        fprintf(out, "collect  %.3f GFlop/s, if reading all columns and x at them were all of it\n",
                report->gather_rate * 1e-9);
    if (report->x_line_bytes >= 0)
        fprintf(out, "lines    %.3g MB of x, by a model of caches of %.3g MB: all that moves, at "
                "the rate of reading, is %.0f%% of read\n", (double)report->x_line_bytes * 1e-6,
                (double)report->core_cache_bytes * 1e-6,
                100 * bench_report_csr_bytes(report) / bytes_with_lines(report));
    fprintf(out, "legend   GFlop/s = 2*nnz/t; GB/s = CSR bytes/t; of read = GB/s over reading; "
            "prepare, update = their\n         time/t; layout = its bytes over A's in CSR; error "
            "above 1 is wrong; --help says more\n\n");
}

/* Whether a contender runs on another device than the CPU. */
static bool has_kernels(const bench_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (bench_contender_has_kernels(&report->contenders[i]))
            return true;
    return false;
}

static void add_breakdown(bench_table *table, const bench_contender *c)
{
    const double parts[] = { c->breakdown.kernels, c->breakdown.host, c->breakdown.copies };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        bench_table_add(table, bench_contender_has_kernels(c) && c->correct ? "%.4g" : "-",
                        parts[i] * 1e3);
}

static void add_row(bench_table *table, const bench_report *report, size_t i)
{
    const bench_contender *c = &report->contenders[i];
    const bench_row row = bench_report_row(report, i);
    const bool timed = report->runners[i].median > 0;

    bench_table_add(table, "%s%s", bench_contender_name(c),
                    c->module && c->module->determinism == SPMV_BENCHMARK_ONLY ? "*" : "");
    bench_table_add(table, "%s", bench_contender_target(c));
    bench_table_add(table, timed ? "%.3f" : "-", row.gflops);
    bench_table_add(table, timed ? "%.2f" : "-", row.rate * 1e-9);
    bench_table_add(table, timed && row.share > 0 ? "%.0f%%" : "-", row.share * 100);
    bench_table_add(table, timed ? "%.2f" : "-", row.prepare);
    bench_table_add(table, timed && c->module ? "%.2f" : "-", row.update);
    if (has_kernels(report))
        add_breakdown(table, c);
    bench_table_add(table, c->plan || row.layout > 0 ? "%.2f" : "-", row.layout);
    bench_table_add(table, !c->result ? "-" : c->verdict.worst < 1000 ? "%.3f" : "%.1e",
                    c->verdict.worst);
    bench_table_add(table, "%s", c->correct ? "yes" : !c->is_left_out ? "NO"
                                 : c->module ? "declines" : "-");
}

/* The spread above which a machine is noisy; a quiet machine has a few percent. */
static const double noisy = 1.5;

static double spread_of(const bench_report *report)
{
    double spread = 1;

    for (size_t i = 0; i < report->count; i++) {
        const bench_runner *r = &report->runners[i];
        if (r->fastest > 0 && r->median / r->fastest > spread)
            spread = r->median / r->fastest;
    }
    return spread;
}

/* With one sample for each contender medians say nothing about noise. */
static void print_noise(const bench_report *report, FILE *out)
{
    const double spread = spread_of(report);
    const bool spreads = spread >= 1.05;     /* it is printed as 1.1 or more */

    if (report->competitors == 0 && spread <= noisy)
        return;
    fprintf(out, "\nnote     a busy machine (");
    if (report->competitors > 0)
        fprintf(out, "%d other thread%s running", report->competitors,
                report->competitors == 1 ? " was" : "s were");
    if (spreads)
        fprintf(out, "%smedians are up to %.1f times the fastest samples",
                report->competitors > 0 ? ", " : "", spread);
    fprintf(out, "):\n         rates mean little, and ratios where threads wait for each other%s\n",
            report->threads <= 1 ? "" :
            ": --threads 1 or\n         OMP_WAIT_POLICY=passive suffer less");
}

/* Whether the race compares it: a peer, or a module on the CPU that is not benchmark only. */
static bool is_comparable(const bench_contender *c)
{
    return c->peer || (!bench_contender_has_kernels(c) &&
                       c->module->determinism != SPMV_BENCHMARK_ONLY);
}

/* The fastest module or peer; NULL: none was timed. */
static const bench_contender *best_of(const bench_report *report, bool peers, double *seconds)
{
    const bench_contender *best = NULL;

    for (size_t i = 0; i < report->count; i++) {
        const bench_contender *c = &report->contenders[i];
        const double t = report->runners[i].median;
        if (c->correct && t > 0 && is_comparable(c) && (c->peer != NULL) == peers &&
            (!best || t < *seconds)) {
            best = c;
            *seconds = t;
        }
    }
    return best;
}

/* Prints the winner, and the contenders that took no part. */
static void print_peers(const bench_report *report, FILE *out)
{
    double own_seconds = 0, peer_seconds = 0;
    const bench_contender *own = best_of(report, false, &own_seconds);
    const bench_contender *peer = best_of(report, true, &peer_seconds);

    if (own && peer)
        fprintf(out, "\nbest     %s of %s is %.2f times as fast as the best peer, %s\n",
                bench_contender_name(own), bench_contender_target(own), peer_seconds / own_seconds,
                peer->peer->name);
    for (size_t i = 0; i < report->count; i++) {
        const bench_contender *c = &report->contenders[i];
        if (c->module && c->is_left_out)
            fprintf(out, "\nnote     %s\n", c->failure);
        if (c->peer && !c->correct)
            fprintf(out, "\nnote     peer %s (%s) %s: %s\n", c->peer->name, c->peer->origin,
                    c->is_left_out ? "takes no part" : c->result ? "is wrong" : "failed",
                    c->failure);
    }
}

/* A row whose sum leaves the range of its type counts as correct. */
static void print_unjudged(const bench_report *report, FILE *out)
{
    int64_t most = 0;

    for (size_t i = 0; i < report->count; i++)
        if (report->contenders[i].verdict.unjudged > most)
            most = report->contenders[i].verdict.unjudged;
    if (most > 0)
        fprintf(out, "\nnote     %lld of %lld rows leave the range of f%d and were not judged\n",
                (long long)most, (long long)report->problem->source.matrix->csr.rows,
                (int)report->problem->source.matrix->csr.value_type);
}

void bench_report_table(const bench_report *report, FILE *out)
{
    static const struct {
        const char *head;
        bool of_kernels;         /* only if kernels run on a device */
    } columns[] = {
        { "method", false },  { "target", false },  { "GFlop/s", false },   { "GB/s", false },
        { "of read", false }, { "prepare", false }, { "update", false },    { "kernels ms", true },
        { "host ms", true },  { "copies ms", true }, { "layout", false },   { "error", false },
        { "correct", false },
    };
    enum { COLUMNS = sizeof columns / sizeof columns[0], OF_KERNELS = 3 };
    const bool kernels = has_kernels(report);
    bench_table *table = bench_table_create(kernels ? COLUMNS : COLUMNS - OF_KERNELS, 2);

    for (size_t i = 0; i < COLUMNS; i++)
        if (kernels || !columns[i].of_kernels)
            bench_table_add(table, "%s", columns[i].head);
    for (size_t i = 0; i < report->count; i++)
        add_row(table, report, i);
    bench_table_print(table, out);
    bench_table_destroy(table);
    print_peers(report, out);
    print_unjudged(report, out);
    print_noise(report, out);
}

bench_series_result bench_report_series_result(const bench_report *report, size_t peer_count)
{
    const size_t modules = report->count - peer_count;
    bench_series_result s = { .own_seconds = 0,
                              .flops = 2.0 * (double)report->problem->source.matrix->csr.nnz };
    const bench_contender *own = best_of(report, false, &s.own_seconds);

    s.is_noisy = report->competitors > 0 || spread_of(report) > noisy;
    if (own)
        snprintf(s.own, sizeof s.own, "%s %s", bench_contender_name(own),
                 bench_contender_target(own));
    for (size_t p = 0; p < peer_count; p++)
        if (report->contenders[modules + p].correct)
            s.peer_seconds[p] = report->runners[modules + p].median;
    return s;
}
