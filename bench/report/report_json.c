/* report_json.c: a report as JSON. See report.h. */
#include "bench/report/report.h"

#include "bench/output/output_file.h"
#include "bench/yardsticks/machine.h"
#include "bench/race/input.h"
#include "common/json.h"

enum { MAX_INPUTS = 2 * BENCH_MAX_NAMES + 1 };

/* A report may replace an older report, but no file that the run reads. */
static bench_output_file_rules rules_of(const bench_options *options,
                                        const char *inputs[MAX_INPUTS])
{
    const char *path = bench_input_file(options->input);
    size_t count = 0;

    if (path)
        inputs[count++] = path;
    for (size_t i = 0; i < options->modules.count; i++)
        inputs[count++] = options->modules.name[i];
    for (size_t i = 0; i < options->peers.count; i++)
        inputs[count++] = options->peers.name[i];
    return (bench_output_file_rules){ .option = "--json", .kind = "a JSON report of spmvbench",
                                      .beginning = "{\n  \"cpu\": ", .inputs = inputs,
                                      .input_count = count };
}

bool bench_report_can_write(const bench_options *options, spmv_error *error)
{
    const char *inputs[MAX_INPUTS];
    const bench_output_file_rules rules = rules_of(options, inputs);

    return bench_output_file_check(&rules, options->json, error);
}

static void write_matrix(sg_json_writer *json, const bench_report *report)
{
    const spmv_csr *csr = &report->problem->csr;
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);

    sg_json_open(json, "matrix", '{', SG_JSON_ONE_LINE);
    sg_json_string(json, "name", report->problem->source.name);
    sg_json_integer(json, "rows", csr->rows);
    sg_json_integer(json, "cols", csr->cols);
    sg_json_integer(json, "nnz", csr->nnz);
    sg_json_integer(json, "min_row", lengths.min);
    sg_json_real(json, "average_row", lengths.average);
    sg_json_integer(json, "max_row", lengths.max);
    sg_json_integer(json, "empty_rows", lengths.empty);
    sg_json_close(json, '}');
}

static void write_problem(sg_json_writer *json, const bench_report *report)
{
    const spmv_csr *csr = &report->problem->csr;

    write_matrix(json, report);
    sg_json_string(json, "type", csr->value_type == SPMV_F32 ? "f32" : "f64");
    sg_json_string(json, "offset", csr->offset_type == SPMV_I32 ? "i32" : "i64");
    sg_json_real(json, "alpha", report->problem->alpha);
    sg_json_real(json, "beta", report->problem->beta);
    sg_json_boolean(json, "transposed", report->problem->product.transposed);
    sg_json_integer(json, "columns", report->problem->product.columns);
    sg_json_string(json, "order", bench_product_order_text(&report->problem->product));
    sg_json_string(json, "values", bench_product_values_text(&report->problem->product));
    sg_json_real(json, "csr_bytes", bench_report_csr_bytes(report));
}

static void write_yardsticks(sg_json_writer *json, const bench_report *report)
{
    sg_json_real(json, "read_gbytes_per_second", report->read_rate * 1e-9);
    sg_json_real(json, "dram_gbytes_per_second", report->memory.read_rate * 1e-9);
    sg_json_real(json, "collect_gflops", report->gather_rate * 1e-9);
    sg_json_integer(json, "x_line_bytes", report->x_line_bytes);
    sg_json_integer(json, "core_cache_bytes", (int64_t)report->core_cache_bytes);
}

static void write_costs(sg_json_writer *json, const bench_contender *c, const bench_row *row)
{
    sg_json_real(json, "prepare_seconds", c->prepare_seconds);
    sg_json_real(json, "prepare_multiplications", row->prepare);
    sg_json_break(json);
    sg_json_real(json, "update_seconds", c->update_seconds);
    sg_json_real(json, "update_multiplications", row->update);
    sg_json_break(json);
    sg_json_string(json, "set", bench_contender_set(c));
    sg_json_string(json, "settings", c->settings);
    if (c->module || c->peer->layout_bytes)
        sg_json_integer(json, "layout_bytes", (int64_t)c->info.layout_bytes);
    else
        sg_json_null(json, "layout_bytes");
    sg_json_real(json, "layout_over_csr", row->layout);
}

static void write_contender(sg_json_writer *json, const bench_report *report, size_t i)
{
    const bench_contender *c = &report->contenders[i];
    const bench_runner *runner = &report->runners[i];
    const bench_row row = bench_report_row(report, i);

    sg_json_open(json, NULL, '{', SG_JSON_ONE_LINE);
    sg_json_string(json, "method", bench_contender_name(c));
    sg_json_string(json, "target", bench_contender_target(c));
    sg_json_string(json, "module", c->module ? c->module->name : c->peer->origin);
    sg_json_boolean(json, "correct", c->correct);
    sg_json_boolean(json, "left_out", c->is_left_out);
    sg_json_string(json, "failure", c->failure);
    sg_json_break(json);
    sg_json_integer(json, "samples", (int64_t)runner->samples);
    sg_json_real(json, "seconds", runner->time.median);
    sg_json_real(json, "fastest_seconds", runner->fastest);
    sg_json_real(json, "gflops", row.gflops);
    sg_json_real(json, "gbytes_per_second", row.rate * 1e-9);
    sg_json_break(json);
    if (report->problem->product.transposed) {
        double ratio;
        sg_json_real(json, "of_a_seconds", bench_report_companion(report, BENCH_OF_A, i, &ratio));
        sg_json_real(json, "of_a_ratio", ratio);
    }
    if (report->problem->product.columns > 1) {
        double ratio;
        sg_json_real(json, "of_one_seconds",
                     bench_report_companion(report, BENCH_OF_ONE, i, &ratio));
        sg_json_real(json, "of_one_ratio", ratio);
    }
    if (report->problem->product.values) {
        double ratio;
        sg_json_real(json, "of_type_seconds",
                     bench_report_companion(report, BENCH_OF_TYPE, i, &ratio));
        sg_json_real(json, "of_type_ratio", ratio);
        sg_json_real(json, "of_type_bytes", bench_report_of_type_bytes(report, i));
    }
    sg_json_real(json, "share_of_read", row.share);
    write_costs(json, c, &row);
    if (bench_contender_has_kernels(c)) {
        sg_json_real(json, "kernels_seconds", c->breakdown.kernels);
        sg_json_real(json, "host_seconds", c->breakdown.host);
        sg_json_real(json, "copies_seconds", c->breakdown.copies);
    }
    sg_json_real(json, "error_over_bound", c->verdict.worst);
    sg_json_close(json, '}');
}

static void write_report(const bench_report *report, FILE *out)
{
    sg_json_writer json = sg_json_write(sg_json_to_file, out);
    char cpu[128];

    bench_cpu_name(cpu, sizeof cpu);
    sg_json_open(&json, NULL, '{', SG_JSON_LINES);
    sg_json_string(&json, "cpu", cpu);
    sg_json_integer(&json, "threads", report->threads);
    sg_json_integer(&json, "competitors", report->competitors);
    sg_json_string(&json, "compiler", bench_compiler());
    write_problem(&json, report);
    write_yardsticks(&json, report);
    sg_json_open(&json, "results", '[', SG_JSON_LINES);
    for (size_t i = 0; i < report->count; i++)
        write_contender(&json, report, i);
    sg_json_close(&json, ']');
    sg_json_close(&json, '}');
}

bool bench_report_json(const bench_report *report, const bench_options *options, spmv_error *error)
{
    const char *inputs[MAX_INPUTS];
    const bench_output_file_rules rules = rules_of(options, inputs);
    bench_output_file output;

    if (!bench_output_file_begin(&output, &rules, options->json, error))
        return false;
    write_report(report, output.file);
    return bench_output_file_end(&output, error);
}
