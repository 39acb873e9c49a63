/* write.c: see write.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup, strtok_r */
#include "bench/records/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/records/fields.h"
#include "common/json.h"
#include "common/utf8.h"

/* ---- JSON Lines ------------------------------------------------------------------------------ */

static sg_json_writer begin_record(const char *kind, FILE *out)
{
    sg_json_writer json = sg_json_write(sg_json_to_file, out);

    sg_json_open(&json, NULL, '{', SG_JSON_ONE_LINE);
    sg_json_string(&json, "record", kind);
    return json;
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

/* JSON has no Inf, by which a result differs whose bound is 0. */
static double finite(double number)
{
    return number > 1e300 ? 1e300 : number;
}

/* A number of a result: its field, or a rate over the sizes of its matrix. */
static double number_of(const bench_field *f, const void *record, const bench_record_matrix *m)
{
    if (f->kind == BENCH_REAL)
        return finite(*(const double *)((const char *)record + f->offset));
    const double rate = 1e-9 * m->csr_bytes / ((const bench_record_result *)record)->seconds;
    return f->kind == BENCH_RATE ? rate : rate / m->read_rate;
}

static bool is_written(const bench_field *f, const void *record, const bench_record_matrix *m)
{
    switch (f->when) {
    case BENCH_IF_TRANSPOSED: return m->transposed;
    case BENCH_IF_COLUMNS: return m->columns > 1;
    case BENCH_IF_VALUES: return m->values[0] != '\0';
    case BENCH_IF_DEVICE: return !isnan(((const bench_record_result *)record)->kernels_seconds);
    default: return true;
    }
}

static void write_field(sg_json_writer *json, const bench_field *f, const void *record,
                        const bench_record_matrix *m)
{
    const void *field = (const char *)record + f->offset;

    switch (f->kind) {
    case BENCH_TEXT:
        sg_json_string(json, f->name, *(const char *const *)field);
        break;
    case BENCH_SET:
        write_set(json, *(const char *const *)field);
        break;
    case BENCH_JSON:             /* json.h has no member for JSON as it is */
        if (**(const char *const *)field)
            fprintf(json->sink, ", \"%s\": %s", f->name, *(const char *const *)field);
        break;
    case BENCH_BOOLEAN:
        sg_json_boolean(json, f->name, *(const bool *)field);
        break;
    case BENCH_COUNT:
        if (*(const int64_t *)field >= 0)
            sg_json_integer(json, f->name, *(const int64_t *)field);
        else
            sg_json_null(json, f->name);
        break;
    default:
        sg_json_real(json, f->name, number_of(f, record, m));
    }
}

/* m: the matrix of the record, which the other fields depend on; NULL: none does. */
static void write_fields(sg_json_writer *json, const bench_fields *fields, const void *record,
                         const bench_record_matrix *m)
{
    for (const bench_field *f = fields->field; f < fields->field + fields->count; f++)
        if (is_written(f, record, m))
            write_field(json, f, record, m);
}

static void write_run(const bench_records *records, FILE *out)
{
    sg_json_writer json = begin_record("run", out);

    sg_json_integer(&json, "schema", 1);
    write_fields(&json, &bench_run_fields, records, NULL);
    fprintf(out, ", \"command\": %s", records->command_json);
    sg_json_close(&json, '}');
    for (size_t i = 0; i < records->illegal_count; i++) {
        json = begin_record("illegal", out);
        write_fields(&json, &bench_illegal_fields, &records->illegal[i], NULL);
        sg_json_close(&json, '}');
    }
}

static void write_group(const bench_records *records, size_t matrix, FILE *out)
{
    const bench_record_matrix *m = &records->matrix[matrix];
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    sg_json_writer json = begin_record("matrix", out);

    write_fields(&json, &bench_matrix_fields, m, m);
    sg_json_close(&json, '}');
    for (size_t i = first; i < first + count; i++) {
        json = begin_record("result", out);
        write_fields(&json, &bench_key_fields, m, m);
        write_fields(&json, &bench_result_fields, &records->result[i], m);
        sg_json_close(&json, '}');
    }
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

/* In quotes, in which quotes are doubled (RFC 4180). Unprintable letters are escaped, so that a
 * value has one line and the file is UTF-8. */
static void put_text(const char *text, FILE *out)
{
    char letter[SG_PRINTABLE_LETTER];

    fputc('"', out);
    while (*text) {
        text += sg_printable_letter(text, letter);
        fputs(letter[0] == '"' ? "\"\"" : letter, out);
    }
    fputc('"', out);
}

/* Nothing for what is unknown. */
static void put(const bench_field *f, const void *record, const bench_record_matrix *m, FILE *out)
{
    const void *field = (const char *)record + f->offset;

    if (f->kind == BENCH_TEXT || f->kind == BENCH_SET)
        put_text(*(const char *const *)field, out);
    else if (f->kind == BENCH_BOOLEAN)
        fputs(*(const bool *)field ? "true" : "false", out);
    else if (f->kind == BENCH_COUNT && *(const int64_t *)field >= 0)
        fprintf(out, "%lld", (long long)*(const int64_t *)field);
    else if (f->kind != BENCH_COUNT && isfinite(number_of(f, record, m)))
        fprintf(out, "%.6g", number_of(f, record, m));
}

static void write_csv_result(const bench_record_matrix *m, const bench_record_result *r, FILE *out)
{
    for (const char *at = csv_heads; *at; at += strspn(at, ",\n")) {
        const size_t length = strcspn(at, ",\n");
        const bench_field *f = bench_fields_find(&bench_matrix_fields, at, length);
        if (f)
            put(f, m, m, out);
        else
            put(bench_fields_find(&bench_result_fields, at, length), r, m, out);
        at += length;
        fputc(*at, out);
    }
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
