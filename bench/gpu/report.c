/* report.c: see report.h. */
#include "bench/gpu/report.h"

#include "bench/gpu/algorithms.h"
#include "bench/output/output_file.h"
#include "bench/yardsticks/machine.h"
#include "common/json.h"
#include "runtime/spmv.h"

/* Recognises older reports by their beginning. */
static const bench_output_file_rules rules = { .option = "--json",
                                               .kind = "a JSON report of gpubench",
                                               .beginning = "{\n  \"gpubench\": " };

bool gpu_report_can_write(const char *path, spmv_error *error)
{
    return bench_output_file_check(&rules, path, error);
}

/* ---- device and bandwidth ------------------------------------------------------------------ */

static void write_device(sg_json_writer *json, const gpu_report *report)
{
    const gpu_device *d = report->device;

    sg_json_open(json, "device", '{', SG_JSON_ONE_LINE);
    sg_json_string(json, "name", d->name);
    sg_json_integer(json, "capability", d->capability);
    sg_json_integer(json, "multiprocessors", d->multiprocessors);
    sg_json_integer(json, "l2_bytes", (int64_t)d->l2_bytes);
    sg_json_integer(json, "memory_bytes", (int64_t)d->memory_bytes);
    sg_json_break(json);
    sg_json_integer(json, "driver", d->driver);
    sg_json_integer(json, "runtime", d->runtime);
    sg_json_integer(json, "cusparse", report->cusparse);
    sg_json_string(json, "algorithms", gpu_algorithms_known());
    sg_json_close(json, '}');
}

/* Opens the report's object and writes the members with which all reports begin. */
static void write_head(sg_json_writer *json, const gpu_report *report, const char *kind)
{
    char cpu[128];

    bench_cpu_name(cpu, sizeof cpu);
    sg_json_open(json, NULL, '{', SG_JSON_LINES);
    sg_json_string(json, "gpubench", kind);
    sg_json_string(json, "version", SPMV_VERSION);
    sg_json_string(json, "cpu", cpu);
    sg_json_string(json, "compiler", bench_compiler());
    write_device(json, report);
}

static void write_bandwidth(sg_json_writer *json, const gpu_report *report)
{
    const gpu_bandwidth *b = report->bandwidth;

    write_head(json, report, "bandwidth");
    sg_json_integer(json, "bytes", (int64_t)b->bytes);
    sg_json_integer(json, "samples", (int64_t)b->samples);
    sg_json_string(json, "fastest", b->fastest->how);
    sg_json_real(json, "copy_gbytes_per_second", b->fastest->rate * 1e-9);
    if (b->read.how)
        sg_json_real(json, "read_gbytes_per_second", b->read.rate * 1e-9);
    sg_json_open(json, "copies", '[', SG_JSON_LINES);
    for (size_t i = 0; i < GPU_COPY_METHODS && b->copy[i].how; i++) {
        sg_json_open(json, NULL, '{', SG_JSON_ONE_LINE);
        sg_json_string(json, "how", b->copy[i].how);
        sg_json_real(json, "gbytes_per_second", b->copy[i].rate * 1e-9);
        sg_json_real(json, "best_gbytes_per_second", b->copy[i].best * 1e-9);
        sg_json_close(json, '}');
    }
    sg_json_close(json, ']');
    sg_json_close(json, '}');
}

/* ---- a matrix ------------------------------------------------------------------------------ */

static void write_matrix(sg_json_writer *json, const gpu_problem *p)
{
    const spmv_csr *csr = &p->matrix->csr;
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);

    sg_json_open(json, "matrix", '{', SG_JSON_ONE_LINE);
    sg_json_string(json, "name", p->name);
    sg_json_string(json, "suitesparse", p->suitesparse);
    sg_json_string(json, "class", p->kind);
    sg_json_break(json);
    sg_json_integer(json, "rows", csr->rows);
    sg_json_integer(json, "cols", csr->cols);
    sg_json_integer(json, "nnz", csr->nnz);
    sg_json_integer(json, "min_row", lengths.min);
    sg_json_integer(json, "max_row", lengths.max);
    sg_json_integer(json, "empty_rows", lengths.empty);
    sg_json_close(json, '}');
}

static void write_times(sg_json_writer *json, const gpu_contender *c)
{
    sg_json_open(json, "times", '{', SG_JSON_ONE_LINE);
    for (size_t m = 0; m < GPU_MODES; m++) {
        const gpu_times *t = &c->times[m];
        if (t->samples == 0 || !c->correct)
            continue;
        sg_json_break(json);
        sg_json_open(json, gpu_modes[m].name, '{', SG_JSON_ONE_LINE);
        sg_json_integer(json, "samples", (int64_t)t->samples);
        sg_json_integer(json, "multiplications", (int64_t)t->multiplications);
        sg_json_real(json, "median", t->median);
        sg_json_real(json, "least", t->least);
        sg_json_real(json, "lower_quartile", t->lower);
        sg_json_real(json, "upper_quartile", t->upper);
        sg_json_close(json, '}');
    }
    sg_json_close(json, '}');
}

static void write_contender(sg_json_writer *json, const gpu_contender *c)
{
    sg_json_open(json, NULL, '{', SG_JSON_ONE_LINE);
    sg_json_string(json, "family", c->kind->family);
    sg_json_string(json, "name", c->name);
    sg_json_string(json, "target", c->target);
    sg_json_string(json, "detail", c->detail);
    sg_json_break(json);
    sg_json_boolean(json, "correct", c->correct);
    sg_json_string(json, "failure", c->failure);
    sg_json_string(json, "no_graph", c->no_graph);
    sg_json_break(json);
    sg_json_real(json, "error_over_bound", c->verdict.worst);
    sg_json_real(json, "stored_over_nnz", c->stored);
    sg_json_break(json);
    sg_json_real(json, "first_seconds", c->first_seconds);
    sg_json_real(json, "prepare_seconds", c->prepare_seconds);
    sg_json_real(json, "analysis_seconds", c->analysis_seconds);
    sg_json_break(json);
    write_times(json, c);
    sg_json_close(json, '}');
}

static void write_problem(sg_json_writer *json, const gpu_report *report)
{
    const gpu_problem *p = report->problem;
    const spmv_csr *csr = &p->matrix->csr;

    write_head(json, report, "matrix");
    write_matrix(json, p);
    sg_json_string(json, "type", csr->value_type == SPMV_F32 ? "f32" : "f64");
    sg_json_string(json, "offset", csr->offset_type == SPMV_I32 ? "i32" : "i64");
    sg_json_real(json, "alpha", p->alpha);
    sg_json_real(json, "beta", p->beta);
    sg_json_integer(json, "floor_bytes", (int64_t)gpu_problem_bytes(p));
    sg_json_integer(json, "replicas", (int64_t)report->replicas);
    sg_json_boolean(json, "complete", report->is_complete);
    sg_json_string(json, "no_modules", report->no_modules);
    sg_json_open(json, "results", '[', SG_JSON_LINES);
    for (size_t i = 0; i < report->count; i++)
        write_contender(json, &report->contenders[i]);
    sg_json_close(json, ']');
    sg_json_close(json, '}');
}

bool gpu_report_write(const gpu_report *report, const char *path, spmv_error *error)
{
    bench_output_file output;

    if (!bench_output_file_begin(&output, &rules, path, error))
        return false;
    sg_json_writer json = sg_json_write(sg_json_to_file, output.file);
    if (report->bandwidth)
        write_bandwidth(&json, report);
    else
        write_problem(&json, report);
    return bench_output_file_end(&output, error);
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
