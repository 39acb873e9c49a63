/* report.c: see report.h. */
#include "bench/gpu/report.h"

#include "bench/gpu/algorithms.h"
#include "bench/output/json.h"
#include "bench/yardsticks/machine.h"
#include "bench/output/output_file.h"
#include "runtime/spmv.h"

/* Of every such file, so that one can be told from others. */
static const bench_output_rules rules = { .option = "--json", .kind = "a JSON report of gpubench",
                                          .beginning = "{\n  \"gpubench\": " };

bool gpu_report_can_write(const char *path, char *message, size_t message_bytes)
{
    return bench_output_check(&rules, path, message, message_bytes);
}

/* ---- what it was measured on --------------------------------------------------------------- */

static void write_named(FILE *out, const char *name, const char *text, const char *end)
{
    fprintf(out, "\"%s\": ", name);
    bench_json_text(out, text);
    fputs(end, out);
}

static void write_head(FILE *out, const gpu_report *report, const char *kind)
{
    const gpu_device *d = report->device;
    char cpu[128];

    bench_cpu_name(cpu, sizeof cpu);
    fputs(rules.beginning, out);
    bench_json_text(out, kind);
    fprintf(out, ",\n  ");
    write_named(out, "version", SPMV_VERSION, ",\n  ");
    write_named(out, "cpu", cpu, ",\n  ");
    write_named(out, "compiler", bench_compiler(), ",\n  \"device\": {");
    write_named(out, "name", d->name, ", ");
    fprintf(out, "\"capability\": %d, \"multiprocessors\": %d, \"l2_bytes\": %zu, "
            "\"memory_bytes\": %zu,\n    \"driver\": %d, \"runtime\": %d, \"cusparse\": %d, ",
            d->capability, d->multiprocessors, d->l2_bytes, d->memory_bytes, d->driver, d->runtime,
            report->cusparse);
    write_named(out, "algorithms", gpu_algorithms_known(), "},\n");
}

static void write_bandwidth(FILE *out, const gpu_report *report)
{
    const gpu_bandwidth *b = report->bandwidth;

    write_head(out, report, "bandwidth");
    fprintf(out, "  \"bytes\": %zu, \"samples\": %zu, ", b->bytes, b->samples);
    write_named(out, "fastest", b->fastest->how, ",\n  ");
    bench_json_number(out, "copy_gbytes_per_second", b->fastest->rate * 1e-9, ",\n");
    if (b->read.how)
        bench_json_number(out, "read_gbytes_per_second", b->read.rate * 1e-9, ",\n");
    fputs("  \"copies\": [", out);
    for (size_t i = 0; i < GPU_COPY_METHODS && b->copy[i].how; i++) {
        fputs(i > 0 ? ",\n    {" : "\n    {", out);
        write_named(out, "how", b->copy[i].how, ", ");
        bench_json_number(out, "gbytes_per_second", b->copy[i].rate * 1e-9, ", ");
        bench_json_number(out, "best_gbytes_per_second", b->copy[i].best * 1e-9, "}");
    }
    fputs("\n  ]\n}\n", out);
}

/* ---- a matrix ------------------------------------------------------------------------------ */

static void write_matrix(FILE *out, const gpu_report *report)
{
    const gpu_problem *p = report->problem;
    const spmv_csr *csr = &p->matrix->csr;
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);

    fprintf(out, "  \"matrix\": {");
    write_named(out, "name", p->name, ", ");
    write_named(out, "suitesparse", p->suitesparse, ", ");
    write_named(out, "class", p->kind, ",\n    ");
    fprintf(out, "\"rows\": %lld, \"cols\": %lld, \"nnz\": %lld, \"min_row\": %lld, \"max_row\": "
            "%lld, \"empty_rows\": %lld},\n", (long long)csr->rows, (long long)csr->cols,
            (long long)csr->nnz, (long long)lengths.min, (long long)lengths.max,
            (long long)lengths.empty);
    fprintf(out, "  \"type\": \"f%d\", \"offset\": \"i%d\", ", (int)csr->value_type,
            (int)csr->offset_type);
    bench_json_number(out, "alpha", p->alpha, ", ");
    bench_json_number(out, "beta", p->beta, ",\n  ");
    fprintf(out, "\"floor_bytes\": %.0f, \"replicas\": %zu, ", gpu_problem_bytes(p),
            report->replicas);
    fprintf(out, "\"complete\": %s, ", report->is_complete ? "true" : "false");
    write_named(out, "no_modules", report->no_modules, ",\n");
}

static void write_times(FILE *out, const gpu_contender *c)
{
    bool first = true;

    fputs("     \"times\": {", out);
    for (size_t m = 0; m < GPU_MODES; m++) {
        const gpu_times *t = &c->times[m];
        if (t->samples == 0 || !c->correct)
            continue;
        fprintf(out, "%s\n      \"%s\": {\"samples\": %zu, \"multiplications\": %zu, ",
                first ? "" : ",", gpu_modes[m].name, t->samples, t->multiplications);
        bench_json_number(out, "median", t->median, ", ");
        bench_json_number(out, "least", t->least, ", ");
        bench_json_number(out, "lower_quartile", t->lower, ", ");
        bench_json_number(out, "upper_quartile", t->upper, "}");
        first = false;
    }
    fputs("}}", out);
}

static void write_contender(FILE *out, const gpu_contender *c)
{
    fputs("    {", out);
    write_named(out, "family", c->kind->family, ", ");
    write_named(out, "name", c->name, ", ");
    write_named(out, "target", c->target, ", ");
    write_named(out, "detail", c->detail, ",\n     ");
    fprintf(out, "\"correct\": %s, ", c->correct ? "true" : "false");
    write_named(out, "failure", c->failure, ", ");
    write_named(out, "no_graph", c->no_graph, ",\n     ");
    bench_json_number(out, "error_over_bound", c->verdict.worst, ", ");
    bench_json_number(out, "stored_over_nnz", c->stored, ",\n     ");
    bench_json_number(out, "first_seconds", c->first_seconds, ", ");
    bench_json_number(out, "prepare_seconds", c->prepare_seconds, ", ");
    bench_json_number(out, "analysis_seconds", c->analysis_seconds, ",\n");
    write_times(out, c);
}

static void write_problem(FILE *out, const gpu_report *report)
{
    write_head(out, report, "matrix");
    write_matrix(out, report);
    fputs("  \"results\": [\n", out);
    for (size_t i = 0; i < report->count; i++) {
        write_contender(out, &report->contenders[i]);
        fputs(i + 1 < report->count ? ",\n" : "\n", out);
    }
    fputs("  ]\n}\n", out);
}

bool gpu_report_write(const gpu_report *report, const char *path, char *message,
                      size_t message_bytes)
{
    bench_output output;

    if (!bench_output_begin(&output, &rules, path, message, message_bytes))
        return false;
    if (report->bandwidth)
        write_bandwidth(output.file, report);
    else
        write_problem(output.file, report);
    return bench_output_end(&output, message, message_bytes);
}

/* ---- for people ---------------------------------------------------------------------------- */

void gpu_report_print(const gpu_report *report, FILE *out)
{
    const gpu_problem *p = report->problem;
    char label[256];

    fprintf(out, "%s, f%d: %lld nonzeros, %.1f MB, %zu replica%s\n", p->name,
            (int)p->matrix->csr.value_type, (long long)p->matrix->csr.nnz,
            gpu_problem_bytes(p) * 1e-6, report->replicas, report->replicas == 1 ? "" : "s");
    for (size_t i = 0; i < report->count; i++) {
        const gpu_contender *c = &report->contenders[i];
        fprintf(out, "  %-40s", gpu_contender_label(c, label, sizeof label));
        for (size_t m = 0; m < GPU_MODES && c->correct; m++)
            if (c->times[m].samples > 0)
                fprintf(out, "  %s %.2f us", gpu_modes[m].name, 1e6 * c->times[m].median);
        fprintf(out, "%s%s\n", c->failure[0] ? "  " : "", c->failure);
    }
    if (report->no_modules[0])
        fprintf(out, "  nothing of libspmv: %s\n", report->no_modules);
}
