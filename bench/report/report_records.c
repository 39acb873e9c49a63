/* report_records.c: a report as records. See report.h. */
#define _POSIX_C_SOURCE 200809L  /* open_memstream */
#include "bench/report/report.h"

#include <math.h>
#include <stdlib.h>

#include "bench/inspect/histogram.h"
#include "bench/inspect/spy.h"
#include "bench/peers/peers.h"

/* A number that is 0 where it was not measured. */
static double measured(double number)
{
    return number > 0 ? number : NAN;
}

/* ---- the picture of a matrix ----------------------------------------------------------------- */

/* Writes [least, most, rows] for each class of row lengths. */
static void write_lengths(const void *context, FILE *out)
{
    const spmv_csr *csr = context;
    bench_histogram histogram;

    bench_histogram_create(csr, &histogram);
    for (int i = 0; i < histogram.count; i++)
        fprintf(out, "%s[%lld, %lld, %lld]", i > 0 ? ", " : "[",
                (long long)histogram.entry[i].least, (long long)histogram.entry[i].most,
                (long long)histogram.entry[i].rows);
    fputs(histogram.count > 0 ? "]" : "[]", out);
}

/* Writes a string of digits for each row of cells; nothing if memory runs out. */
static void write_spy(const void *context, FILE *out)
{
    const spmv_csr *csr = context;
    bench_spy spy;

    if (bench_spy_create(csr, BENCH_SPY_RECORD, BENCH_SPY_RECORD, &spy))
        return;
    fprintf(out, "{\"rows\": %d, \"cols\": %d, \"shades\": [", (int)spy.rows, (int)spy.cols);
    for (int32_t row = 0; row < spy.rows; row++) {
        fputs(row > 0 ? ", \"" : "\"", out);
        for (int32_t col = 0; col < spy.cols; col++)
            fputc('0' + spy.shade[row * spy.cols + col], out);
        fputc('"', out);
    }
    fputs("]}", out);
    bench_spy_destroy(&spy);
}

/* A text that `write` writes, which the records own; NULL: out of memory. */
static const char *own_text(void (*write)(const void *context, FILE *out), const void *context,
                            bench_records *records)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    write(context, out);
    const char *owned = fclose(out) == 0 ? bench_records_own(records, text) : NULL;
    free(text);
    return owned;
}

/* Writes a member of a JSON object of numbers, which knows no infinity. */
static void write_member(int32_t index, const char *name, double number, FILE *out)
{
    fprintf(out, "%s\"%s\": ", index > 0 ? ", " : "", name);
    if (isfinite(number))
        fprintf(out, "%.9g", number);
    else
        fputs("null", out);
}

/* Writes what the layout of a plan is made of, as a JSON object. */
static void write_figures(const void *context, FILE *out)
{
    spmv_figure figure[SPMV_MAX_FIGURES];
    int32_t count = 0;

    if (spmv_plan_figures(context, figure, &count))
        count = 0;
    fputc('{', out);
    for (int32_t i = 0; i < count; i++)
        write_member(i, figure[i].name, figure[i].value, out);
    fputc('}', out);
}

/* Writes the seconds of each step that filled the layout, as a JSON object. */
static void write_build_steps(const void *context, FILE *out)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;

    if (spmv_plan_build_profile(context, time, &count))
        count = 0;
    fputc('{', out);
    for (int32_t i = 0; i < count; i++)
        write_member(i, time[i].name, time[i].seconds, out);
    fputc('}', out);
}

/* Writes the rates of STREAM's loops, in 10^9 bytes a second; nothing if none was measured. */
static void write_stream(const void *context, FILE *out)
{
    static const char *const names[BENCH_COPY_KINDS] = { "copy", "scale", "add", "triad" };
    const bench_memory *memory = context;

    if (!(memory->copy_rate[0] > 0))
        return;
    fputc('{', out);
    for (int32_t kind = 0; kind < BENCH_COPY_KINDS; kind++)
        write_member(kind, names[kind], 1e-9 * memory->copy_rate[kind], out);
    fprintf(out, ", \"bytes\": %zu}", memory->copy_bytes);
}

/* ---- records --------------------------------------------------------------------------------- */

static bench_record_matrix matrix_of(const bench_report *report, const char *input, bool complete)
{
    const bench_problem *p = report->problem;
    const spmv_csr *csr = &p->csr;
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);
    bench_record_matrix m = bench_record_matrix_empty();

    m.input = input;
    m.name = p->source.name;
    m.type = csr->value_type == SPMV_F32 ? "f32" : "f64";
    m.offset = csr->offset_type == SPMV_I32 ? "i32" : "i64";
    m.rows = csr->rows;
    m.cols = csr->cols;
    m.nnz = csr->nnz;
    m.empty_rows = lengths.empty;
    m.min_row = lengths.min;
    m.average_row = lengths.average;
    m.max_row = lengths.max;
    m.alpha = p->alpha;
    m.beta = p->beta;
    m.transposed = p->product.transposed;
    m.ones = report->ones;
    m.columns = p->product.columns;
    m.order = bench_product_order_text(&p->product);
    m.values = bench_product_values_text(&p->product);
    m.csr_bytes = bench_report_csr_bytes(report);
    m.read_rate = measured(report->read_rate * 1e-9);
    m.dram_rate = measured(report->memory.read_rate * 1e-9);
    m.dram_bytes = report->memory.read_rate > 0 ? (int64_t)report->memory.read_bytes : -1;
    m.gather_rate = measured(report->gather_rate * 1e-9);
    m.plain_seconds = measured(report->plain_seconds);
    m.x_line_bytes = report->x_line_bytes;
    m.core_cache_bytes = (int64_t)report->core_cache_bytes;
    m.x_l1_line_bytes = report->x_l1_line_bytes;
    m.l1_cache_bytes = (int64_t)report->l1_cache_bytes;
    m.competitors = report->competitors;
    m.results = (int64_t)report->count;
    m.complete = complete;
    return m;
}

static bench_record_result result_of(const bench_report *report, size_t index)
{
    const bench_contender *c = &report->contenders[index];
    const bench_runner *runner = &report->runners[index];
    bench_record_result r = bench_record_result_empty();

    r.method = bench_contender_name(c);
    r.target = bench_contender_target(c);
    r.set = bench_contender_set(c);
    r.settings = c->settings;
    r.module = c->module ? c->module->name : c->peer->origin;
    r.failure = c->failure;
    r.peer = c->peer != NULL;
    r.benchmark_only = c->module && c->module->determinism == SPMV_BENCHMARK_ONLY;
    r.correct = c->correct;
    r.left_out = c->is_left_out;
    r.permuted_y = c->info.y_permutation != NULL;
    r.samples = c->correct ? (int64_t)runner->samples : 0;
    if (c->plan || (c->peer && c->peer->layout_bytes && c->peer_state))
        r.layout_bytes = (int64_t)c->info.layout_bytes;
    if (c->plan)
        r.workspace_bytes = (int64_t)c->info.workspace_bytes;
    r.unjudged_rows = c->verdict.unjudged;
    if (c->result)
        r.error_over_bound = c->verdict.worst;
    r.prepare_seconds = measured(c->prepare_seconds);
    r.update_seconds = measured(c->update_seconds);
    r.restore_seconds = measured(c->restore_seconds);
    if (c->correct && runner->samples > 0) {
        r.seconds = runner->time.median;
        r.low = runner->time.low;
        r.high = runner->time.high;
        r.fastest = runner->fastest;
        r.ratio = measured(runner->ratio.median);
        r.ratio_low = runner->ratio.low;
        r.ratio_high = runner->ratio.high;
        r.gflops = bench_report_row(report, index).gflops;
    }
    r.of_a_seconds = bench_report_companion(report, BENCH_OF_A, index, &r.of_a_ratio);
    r.of_one_seconds = bench_report_companion(report, BENCH_OF_ONE, index, &r.of_one_ratio);
    r.of_type_seconds = bench_report_companion(report, BENCH_OF_TYPE, index, &r.of_type_ratio);
    r.of_type_bytes = bench_report_of_type_bytes(report, index);
    r.matrix_bytes = bench_report_matrix_bytes(report, index);
    if (bench_contender_has_kernels(c) && c->correct) {
        r.kernels_seconds = c->breakdown.kernels;
        r.host_seconds = c->breakdown.host;
        r.copies_seconds = c->breakdown.copies;
        r.device = bench_device_name(c->device);
    }
    return r;
}

bool bench_report_add_records(const bench_report *report, const char *input, bool complete,
                              bench_records *records, size_t *index)
{
    const spmv_csr *csr = &report->problem->csr;
    bench_record_matrix matrix = matrix_of(report, input, complete);

    matrix.row_lengths = own_text(write_lengths, csr, records);
    matrix.spy = own_text(write_spy, csr, records);
    matrix.stream = own_text(write_stream, &report->memory, records);
    if (!matrix.row_lengths || !matrix.spy || !matrix.stream ||
        !bench_records_add_matrix(records, &matrix, index))
        return false;
    for (size_t i = 0; i < report->count; i++) {
        bench_record_result result = result_of(report, i);
        result.matrix = *index;
        const spmv_plan *plan = report->contenders[i].plan;
        result.figures = plan ? own_text(write_figures, plan, records) : "";
        result.build_steps = plan ? own_text(write_build_steps, plan, records) : "";
        if (!result.figures || !result.build_steps || !bench_records_add_result(records, &result))
            return false;
    }
    return true;
}
