/* write.c: see write.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup, strtok_r */
#include "bench/records/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/csv.h"
#include "common/json.h"

/* ---- JSON Lines ------------------------------------------------------------------------------ */

static sg_json_writer begin_record(const char *kind, FILE *out)
{
    sg_json_writer json = sg_json_write(sg_json_to_file, out);

    sg_json_open(&json, NULL, '{', SG_JSON_ONE_LINE);
    sg_json_string(&json, "record", kind);
    return json;
}

static void write_count(sg_json_writer *json, const char *key, int64_t count)
{
    if (count >= 0)
        sg_json_integer(json, key, count);
    else
        sg_json_null(json, key);
}

static void write_key(sg_json_writer *json, const bench_record_matrix *m)
{
    sg_json_string(json, "input", m->input);
    sg_json_string(json, "type", m->type);
    sg_json_string(json, "offset", m->offset);
    sg_json_boolean(json, "transposed", m->transposed);
    sg_json_integer(json, "columns", m->columns);
    if (m->columns > 1)
        sg_json_string(json, "order", m->order);
    if (m->values[0])
        sg_json_string(json, "values", m->values);
}

static void write_matrix(const bench_record_matrix *m, FILE *out)
{
    sg_json_writer json = begin_record("matrix", out);

    write_key(&json, m);
    sg_json_string(&json, "name", m->name);
    sg_json_integer(&json, "rows", m->rows);
    sg_json_integer(&json, "cols", m->cols);
    sg_json_integer(&json, "nnz", m->nnz);
    sg_json_integer(&json, "empty_rows", m->empty_rows);
    sg_json_integer(&json, "min_row", m->min_row);
    sg_json_real(&json, "average_row", m->average_row);
    sg_json_integer(&json, "max_row", m->max_row);
    if (m->row_lengths[0])
        fprintf(out, ", \"row_lengths\": %s", m->row_lengths);
    if (m->spy[0])
        fprintf(out, ", \"spy\": %s", m->spy);
    sg_json_real(&json, "alpha", m->alpha);
    sg_json_real(&json, "beta", m->beta);
    sg_json_real(&json, "csr_bytes", m->csr_bytes);
    sg_json_real(&json, "plain_csr_seconds", m->plain_seconds);
    sg_json_real(&json, "read_gbytes_per_second", m->read_rate);
    sg_json_real(&json, "dram_gbytes_per_second", m->dram_rate);
    write_count(&json, "dram_bytes", m->dram_bytes);
    sg_json_real(&json, "collect_gflops", m->gather_rate);
    write_count(&json, "x_line_bytes", m->x_line_bytes);
    write_count(&json, "core_cache_bytes", m->core_cache_bytes);
    write_count(&json, "competitors", m->competitors);
    sg_json_integer(&json, "results", m->results);
    sg_json_boolean(&json, "complete", m->complete);
    sg_json_close(&json, '}');
}

/* "a=1 b=2" as {"a": "1", "b": "2"}; null if memory runs out. */
static void write_set(sg_json_writer *json, const char *set)
{
    char *const copy = strdup(set), *rest = copy;

    if (!copy) {
        sg_json_null(json, "set");
        return;
    }
    sg_json_open(json, "set", '{', SG_JSON_ONE_LINE);
    for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *const equals = strchr(word, '=');
        if (equals) {
            *equals = '\0';
            sg_json_string(json, word, equals + 1);
        }
    }
    sg_json_close(json, '}');
    free(copy);
}

static void write_illegal(const bench_record_illegal *illegal, FILE *out)
{
    sg_json_writer json = begin_record("illegal", out);

    sg_json_string(&json, "method", illegal->method);
    write_set(&json, illegal->set);
    sg_json_string(&json, "target", illegal->target);
    sg_json_string(&json, "type", illegal->type);
    sg_json_string(&json, "why", illegal->why);
    sg_json_string(&json, "reason", illegal->reason);
    sg_json_close(&json, '}');
}

static void write_run(const bench_records *records, FILE *out)
{
    sg_json_writer json = begin_record("run", out);

    sg_json_integer(&json, "schema", 1);
    sg_json_string(&json, "version", records->version);
    sg_json_string(&json, "time", records->time);
    sg_json_string(&json, "cpu", records->cpu);
    sg_json_string(&json, "compiler", records->compiler);
    sg_json_integer(&json, "threads", records->threads);
    /* An array already; json.h has no member for JSON as it is. */
    fprintf(out, ", \"command\": %s", records->command_json);
    sg_json_close(&json, '}');
    for (size_t i = 0; i < records->illegal_count; i++)
        write_illegal(&records->illegal[i], out);
}

/* The rates of a result, over the sizes of its matrix. */
static void write_rates(sg_json_writer *json, const bench_record_matrix *m,
                        const bench_record_result *r)
{
    const double rate = 1e-9 * m->csr_bytes / r->seconds;

    sg_json_real(json, "gflops", r->gflops);
    sg_json_real(json, "gbytes_per_second", rate);
    sg_json_real(json, "share_of_read", rate / m->read_rate);
}

/* JSON has no Inf, by which a result differs whose bound is 0. */
static double finite(double number)
{
    return number > 1e300 ? 1e300 : number;
}

static void write_result(const bench_record_matrix *m, const bench_record_result *r, FILE *out)
{
    sg_json_writer json = begin_record("result", out);

    write_key(&json, m);
    sg_json_string(&json, "method", r->method);
    sg_json_string(&json, "target", r->target);
    write_set(&json, r->set);
    sg_json_string(&json, "settings", r->settings);
    sg_json_string(&json, "module", r->module);
    sg_json_boolean(&json, "peer", r->peer);
    sg_json_boolean(&json, "benchmark_only", r->benchmark_only);
    sg_json_boolean(&json, "correct", r->correct);
    sg_json_boolean(&json, "left_out", r->left_out);
    sg_json_boolean(&json, "permuted_y", r->permuted_y);
    sg_json_string(&json, "failure", r->failure);
    write_count(&json, "samples", r->samples);
    sg_json_real(&json, "seconds", r->seconds);
    sg_json_real(&json, "low", r->low);
    sg_json_real(&json, "high", r->high);
    sg_json_real(&json, "fastest", r->fastest);
    sg_json_real(&json, "ratio", r->ratio);
    sg_json_real(&json, "ratio_low", r->ratio_low);
    sg_json_real(&json, "ratio_high", r->ratio_high);
    write_rates(&json, m, r);
    sg_json_real(&json, "prepare_seconds", r->prepare_seconds);
    sg_json_real(&json, "update_seconds", r->update_seconds);
    if (m->transposed) {
        sg_json_real(&json, "of_a_seconds", r->of_a_seconds);
        sg_json_real(&json, "of_a_ratio", r->of_a_ratio);
    }
    if (m->columns > 1) {
        sg_json_real(&json, "of_one_seconds", r->of_one_seconds);
        sg_json_real(&json, "of_one_ratio", r->of_one_ratio);
    }
    if (m->values[0]) {
        sg_json_real(&json, "of_type_seconds", r->of_type_seconds);
        sg_json_real(&json, "of_type_ratio", r->of_type_ratio);
        sg_json_real(&json, "of_type_bytes", r->of_type_bytes);
    }
    write_count(&json, "layout_bytes", r->layout_bytes);
    write_count(&json, "matrix_bytes", r->matrix_bytes);
    write_count(&json, "workspace_bytes", r->workspace_bytes);
    if (r->figures[0])
        fprintf(out, ", \"figures\": %s", r->figures);
    if (r->build_steps[0])
        fprintf(out, ", \"build_steps\": %s", r->build_steps);
    write_count(&json, "unjudged_rows", r->unjudged_rows);
    sg_json_real(&json, "error_over_bound", finite(r->error_over_bound));
    if (!isnan(r->kernels_seconds)) {
        sg_json_real(&json, "kernels_seconds", r->kernels_seconds);
        sg_json_real(&json, "host_seconds", r->host_seconds);
        sg_json_real(&json, "copies_seconds", r->copies_seconds);
    }
    sg_json_close(&json, '}');
}

static void write_group(const bench_records *records, size_t matrix, FILE *out)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);

    write_matrix(&records->matrix[matrix], out);
    for (size_t i = first; i < first + count; i++)
        write_result(&records->matrix[matrix], &records->result[i], out);
}

static void write_end(const bench_ending *ending, FILE *out)
{
    sg_json_writer json = begin_record("end", out);

    sg_json_boolean(&json, "complete", ending->complete);
    sg_json_string(&json, "reason", ending->reason);
    sg_json_real(&json, "seconds", ending->seconds);
    sg_json_close(&json, '}');
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static const char csv_heads[] =
    "input,type,offset,rows,cols,nnz,method,target,set,settings,module,peer,benchmark_only,correct,"
    "left_out,failure,samples,seconds,low,high,fastest,ratio,ratio_low,ratio_high,gflops,"
    "gbytes_per_second,prepare_seconds,update_seconds,layout_bytes,error_over_bound,complete,"
    "transposed,of_a_seconds,of_a_ratio,columns,order,of_one_seconds,of_one_ratio,matrix_bytes,"
    "values,of_type_seconds,of_type_ratio,of_type_bytes\n";

static void begin_csv(FILE *out)
{
    fputs(csv_heads, out);
}

static void put_text(const char *text, FILE *out)
{
    bench_csv_text(text, out);
    fputc(',', out);
}

/* Nothing for a number that is unknown. */
static void put_number(double number, char end, FILE *out)
{
    if (isfinite(number))
        fprintf(out, "%.6g", number);
    fputc(end, out);
}

static void put_real(double number, FILE *out)
{
    put_number(number, ',', out);
}

static void put_count(int64_t count, FILE *out)
{
    if (count >= 0)
        fprintf(out, "%lld", (long long)count);
    fputc(',', out);
}

static void put_boolean(bool value, FILE *out)
{
    fputs(value ? "true," : "false,", out);
}

static void write_csv_result(const bench_record_matrix *m, const bench_record_result *r, FILE *out)
{
    put_text(m->input, out);
    put_text(m->type, out);
    put_text(m->offset, out);
    put_count(m->rows, out);
    put_count(m->cols, out);
    put_count(m->nnz, out);
    put_text(r->method, out);
    put_text(r->target, out);
    put_text(r->set, out);
    put_text(r->settings, out);
    put_text(r->module, out);
    put_boolean(r->peer, out);
    put_boolean(r->benchmark_only, out);
    put_boolean(r->correct, out);
    put_boolean(r->left_out, out);
    put_text(r->failure, out);
    put_count(r->samples, out);
    put_real(r->seconds, out);
    put_real(r->low, out);
    put_real(r->high, out);
    put_real(r->fastest, out);
    put_real(r->ratio, out);
    put_real(r->ratio_low, out);
    put_real(r->ratio_high, out);
    put_real(r->gflops, out);
    put_real(1e-9 * m->csr_bytes / r->seconds, out);
    put_real(r->prepare_seconds, out);
    put_real(r->update_seconds, out);
    put_count(r->layout_bytes, out);
    put_real(finite(r->error_over_bound), out);
    put_boolean(m->complete, out);
    put_boolean(m->transposed, out);
    put_real(r->of_a_seconds, out);
    put_real(r->of_a_ratio, out);
    put_count(m->columns, out);
    put_text(m->order, out);
    put_real(r->of_one_seconds, out);
    put_real(r->of_one_ratio, out);
    put_real(r->matrix_bytes >= 0 ? (double)r->matrix_bytes : NAN, out);
    put_text(m->values, out);
    put_real(r->of_type_seconds, out);
    put_real(r->of_type_ratio, out);
    put_number(r->of_type_bytes, '\n', out);
}

static void write_csv_group(const bench_records *records, size_t matrix, FILE *out)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);

    for (size_t i = first; i < first + count; i++)
        write_csv_result(&records->matrix[matrix], &records->result[i], out);
}

/* ---- formats --------------------------------------------------------------------------------- */

const bench_record_format *bench_record_format_of(const char *path)
{
    static const bench_record_format formats[] = {
        { .suffix = ".jsonl", .run = write_run, .group = write_group, .end = write_end },
        { .suffix = ".csv", .begin = begin_csv, .group = write_csv_group },
    };
    const size_t length = strlen(path);

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const size_t ending = strlen(formats[i].suffix);
        if (length > ending && strcmp(path + length - ending, formats[i].suffix) == 0)
            return &formats[i];
    }
    return NULL;
}
