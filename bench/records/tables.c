/* tables.c: the members of each record. See fields.h. Constants alone. */
#include <math.h>
#include <string.h>

#include "bench/records/record.h"

#define TABLE(fields) { fields, sizeof fields / sizeof fields[0] }

#define RUN(name) offsetof(bench_records, name)

static const bench_field run_fields[] = {
    { "version", BENCH_TEXT, RUN(version), BENCH_ALWAYS },
    { "time", BENCH_TEXT, RUN(time), BENCH_ALWAYS },
    { "cpu", BENCH_TEXT, RUN(cpu), BENCH_ALWAYS },
    { "compiler", BENCH_TEXT, RUN(compiler), BENCH_ALWAYS },
    { "threads", BENCH_COUNT, RUN(threads), BENCH_ALWAYS },
};
const bench_fields bench_run_fields = TABLE(run_fields);

#define MATRIX(name) offsetof(bench_record_matrix, name)

static const bench_field matrix_fields[] = {
    { "input", BENCH_TEXT, MATRIX(input), BENCH_REQUIRED },
    { "type", BENCH_TEXT, MATRIX(type), BENCH_REQUIRED },
    { "offset", BENCH_TEXT, MATRIX(offset), BENCH_REQUIRED },
    { "transposed", BENCH_BOOLEAN, MATRIX(transposed), BENCH_ALWAYS },
    { "columns", BENCH_COUNT, MATRIX(columns), BENCH_ALWAYS },
    { "order", BENCH_TEXT, MATRIX(order), BENCH_IF_COLUMNS },
    { "values", BENCH_TEXT, MATRIX(values), BENCH_IF_VALUES },
    { "name", BENCH_TEXT, MATRIX(name), BENCH_ALWAYS },
    { "rows", BENCH_COUNT, MATRIX(rows), BENCH_ALWAYS },
    { "cols", BENCH_COUNT, MATRIX(cols), BENCH_ALWAYS },
    { "nnz", BENCH_COUNT, MATRIX(nnz), BENCH_ALWAYS },
    { "empty_rows", BENCH_COUNT, MATRIX(empty_rows), BENCH_ALWAYS },
    { "min_row", BENCH_COUNT, MATRIX(min_row), BENCH_ALWAYS },
    { "average_row", BENCH_REAL, MATRIX(average_row), BENCH_ALWAYS },
    { "max_row", BENCH_COUNT, MATRIX(max_row), BENCH_ALWAYS },
    { "row_lengths", BENCH_JSON, MATRIX(row_lengths), BENCH_ALWAYS },
    { "spy", BENCH_JSON, MATRIX(spy), BENCH_ALWAYS },
    { "alpha", BENCH_REAL, MATRIX(alpha), BENCH_ALWAYS },
    { "beta", BENCH_REAL, MATRIX(beta), BENCH_ALWAYS },
    { "csr_bytes", BENCH_REAL, MATRIX(csr_bytes), BENCH_ALWAYS },
    { "plain_csr_seconds", BENCH_REAL, MATRIX(plain_seconds), BENCH_ALWAYS },
    { "read_gbytes_per_second", BENCH_REAL, MATRIX(read_rate), BENCH_ALWAYS },
    { "dram_gbytes_per_second", BENCH_REAL, MATRIX(dram_rate), BENCH_ALWAYS },
    { "dram_bytes", BENCH_COUNT, MATRIX(dram_bytes), BENCH_ALWAYS },
    { "stream", BENCH_JSON, MATRIX(stream), BENCH_ALWAYS },
    { "collect_gflops", BENCH_REAL, MATRIX(gather_rate), BENCH_ALWAYS },
    { "x_line_bytes", BENCH_COUNT, MATRIX(x_line_bytes), BENCH_ALWAYS },
    { "core_cache_bytes", BENCH_COUNT, MATRIX(core_cache_bytes), BENCH_ALWAYS },
    { "x_l1_line_bytes", BENCH_COUNT, MATRIX(x_l1_line_bytes), BENCH_ALWAYS },
    { "l1_cache_bytes", BENCH_COUNT, MATRIX(l1_cache_bytes), BENCH_ALWAYS },
    { "ones", BENCH_BOOLEAN, MATRIX(ones), BENCH_ALWAYS },
    { "competitors", BENCH_COUNT, MATRIX(competitors), BENCH_ALWAYS },
    { "results", BENCH_COUNT, MATRIX(results), BENCH_ALWAYS },
    { "complete", BENCH_BOOLEAN, MATRIX(complete), BENCH_ALWAYS },
};
const bench_fields bench_matrix_fields = TABLE(matrix_fields);
const bench_fields bench_key_fields = { matrix_fields, 7 };

#define RESULT(name) offsetof(bench_record_result, name)

static const bench_field result_fields[] = {
    { "method", BENCH_TEXT, RESULT(method), BENCH_REQUIRED },
    { "target", BENCH_TEXT, RESULT(target), BENCH_REQUIRED },
    { "set", BENCH_SET, RESULT(set), BENCH_ALWAYS },
    { "settings", BENCH_TEXT, RESULT(settings), BENCH_ALWAYS },
    { "module", BENCH_TEXT, RESULT(module), BENCH_ALWAYS },
    { "peer", BENCH_BOOLEAN, RESULT(peer), BENCH_ALWAYS },
    { "benchmark_only", BENCH_BOOLEAN, RESULT(benchmark_only), BENCH_ALWAYS },
    { "correct", BENCH_BOOLEAN, RESULT(correct), BENCH_REQUIRED },
    { "left_out", BENCH_BOOLEAN, RESULT(left_out), BENCH_ALWAYS },
    { "permuted_y", BENCH_BOOLEAN, RESULT(permuted_y), BENCH_ALWAYS },
    { "failure", BENCH_TEXT, RESULT(failure), BENCH_ALWAYS },
    { "samples", BENCH_COUNT, RESULT(samples), BENCH_ALWAYS },
    { "seconds", BENCH_REAL, RESULT(seconds), BENCH_ALWAYS },
    { "low", BENCH_REAL, RESULT(low), BENCH_ALWAYS },
    { "high", BENCH_REAL, RESULT(high), BENCH_ALWAYS },
    { "fastest", BENCH_REAL, RESULT(fastest), BENCH_ALWAYS },
    { "ratio", BENCH_REAL, RESULT(ratio), BENCH_ALWAYS },
    { "ratio_low", BENCH_REAL, RESULT(ratio_low), BENCH_ALWAYS },
    { "ratio_high", BENCH_REAL, RESULT(ratio_high), BENCH_ALWAYS },
    { "gflops", BENCH_REAL, RESULT(gflops), BENCH_ALWAYS },
    { "gbytes_per_second", BENCH_RATE, 0, BENCH_ALWAYS },
    { "share_of_read", BENCH_SHARE, 0, BENCH_ALWAYS },
    { "prepare_seconds", BENCH_REAL, RESULT(prepare_seconds), BENCH_ALWAYS },
    { "update_seconds", BENCH_REAL, RESULT(update_seconds), BENCH_ALWAYS },
    { "restore_seconds", BENCH_REAL, RESULT(restore_seconds), BENCH_ALWAYS },
    { "of_a_seconds", BENCH_REAL, RESULT(of_a_seconds), BENCH_IF_TRANSPOSED },
    { "of_a_ratio", BENCH_REAL, RESULT(of_a_ratio), BENCH_IF_TRANSPOSED },
    { "of_one_seconds", BENCH_REAL, RESULT(of_one_seconds), BENCH_IF_COLUMNS },
    { "of_one_ratio", BENCH_REAL, RESULT(of_one_ratio), BENCH_IF_COLUMNS },
    { "of_type_seconds", BENCH_REAL, RESULT(of_type_seconds), BENCH_IF_VALUES },
    { "of_type_ratio", BENCH_REAL, RESULT(of_type_ratio), BENCH_IF_VALUES },
    { "of_type_bytes", BENCH_REAL, RESULT(of_type_bytes), BENCH_IF_VALUES },
    { "layout_bytes", BENCH_COUNT, RESULT(layout_bytes), BENCH_ALWAYS },
    { "matrix_bytes", BENCH_COUNT, RESULT(matrix_bytes), BENCH_ALWAYS },
    { "workspace_bytes", BENCH_COUNT, RESULT(workspace_bytes), BENCH_ALWAYS },
    { "figures", BENCH_JSON, RESULT(figures), BENCH_ALWAYS },
    { "build_steps", BENCH_JSON, RESULT(build_steps), BENCH_ALWAYS },
    { "unjudged_rows", BENCH_COUNT, RESULT(unjudged_rows), BENCH_ALWAYS },
    { "error_over_bound", BENCH_REAL, RESULT(error_over_bound), BENCH_ALWAYS },
    { "device", BENCH_TEXT, RESULT(device), BENCH_IF_DEVICE },
    { "kernels_seconds", BENCH_REAL, RESULT(kernels_seconds), BENCH_IF_DEVICE },
    { "host_seconds", BENCH_REAL, RESULT(host_seconds), BENCH_IF_DEVICE },
    { "copies_seconds", BENCH_REAL, RESULT(copies_seconds), BENCH_IF_DEVICE },
};
const bench_fields bench_result_fields = TABLE(result_fields);

#define ILLEGAL(name) offsetof(bench_record_illegal, name)

static const bench_field illegal_fields[] = {
    { "method", BENCH_TEXT, ILLEGAL(method), BENCH_ALWAYS },
    { "set", BENCH_SET, ILLEGAL(set), BENCH_ALWAYS },
    { "target", BENCH_TEXT, ILLEGAL(target), BENCH_ALWAYS },
    { "type", BENCH_TEXT, ILLEGAL(type), BENCH_ALWAYS },
    { "why", BENCH_TEXT, ILLEGAL(why), BENCH_ALWAYS },
    { "reason", BENCH_TEXT, ILLEGAL(reason), BENCH_ALWAYS },
};
const bench_fields bench_illegal_fields = TABLE(illegal_fields);

const bench_field *bench_fields_find(const bench_fields *fields, const char *name, size_t length)
{
    for (const bench_field *f = fields->field; f < fields->field + fields->count; f++)
        if (strlen(f->name) == length && memcmp(f->name, name, length) == 0)
            return f;
    return NULL;
}

void bench_fields_clear(const bench_fields *fields, void *record)
{
    for (const bench_field *f = fields->field; f < fields->field + fields->count; f++) {
        void *const field = (char *)record + f->offset;
        if (f->kind == BENCH_TEXT || f->kind == BENCH_JSON || f->kind == BENCH_SET)
            *(const char **)field = "";
        else if (f->kind == BENCH_REAL)
            *(double *)field = NAN;
        else if (f->kind == BENCH_COUNT)
            *(int64_t *)field = -1;
        else if (f->kind == BENCH_BOOLEAN)
            *(bool *)field = false;
    }
}
