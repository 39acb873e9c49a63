/* read.c: reads the JSON Lines of --save. See record.h and docs/reference/records.md. */
#define _POSIX_C_SOURCE 200809L  /* getline */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/records/record.h"
#include "bench/records/shell_words.h"
#include "common/fail.h"

enum { SCHEMA = 1, KIND_BYTES = 16 };

typedef struct reading {
    bench_records *out;
    const char *name;            /* of the file, for messages */
    int64_t line;
    const json_t *record;        /* of this line */
    bool has_run;
    spmv_error *error;
} reading;

__attribute__((format(printf, 2, 3))) static bool fail(const reading *r, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return sg_fail(r->error, "%s:%lld: %s", r->name, (long long)r->line, text);
}

static bool out_of_memory(const reading *r)
{
    return fail(r, "out of memory");
}

/* ---- members -------------------------------------------------------------------------------- */

static const char *const type_names[] = {
    [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
    [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
    [JSON_FALSE] = "false", [JSON_NULL] = "null",
};

typedef enum member_kind { TEXT, REAL, COUNT, BOOLEAN } member_kind;

typedef struct member {
    const char *name;
    member_kind kind;
    size_t offset;               /* of the field */
    bool required;
} member;

static bool wrong_type(const reading *r, const member *m, const json_t *value)
{
    static const char *const expected[] = { "a text", "a number", "a whole number",
                                            "true or false" };

    return fail(r, "'%s' is %s; expected %s", m->name, type_names[json_typeof(value)],
                expected[m->kind]);
}

/* Stores the member in its field of `into`. */
static bool read_member(const reading *r, const member *m, void *into)
{
    const json_t *value = json_object_get(r->record, m->name);
    void *field = (char *)into + m->offset;

    if (!value || json_is_null(value))
        return !m->required || fail(r, "'%s' is missing", m->name);
    if (m->kind == TEXT && json_is_string(value))
        *(const char **)field = json_string_value(value);
    else if (m->kind == REAL && json_is_number(value))
        *(double *)field = json_number_value(value);
    else if (m->kind == COUNT && json_is_integer(value))
        *(int64_t *)field = json_integer_value(value);
    else if (m->kind == BOOLEAN && json_is_boolean(value))
        *(bool *)field = json_is_true(value);
    else
        return wrong_type(r, m, value);
    return true;
}

static bool read_members(const reading *r, const member *members, size_t count, void *into)
{
    for (size_t i = 0; i < count; i++)
        if (!read_member(r, &members[i], into))
            return false;
    return true;
}

#define READ(r, members, into) \
    read_members(r, members, sizeof(members) / sizeof(members)[0], into)

/* ---- run ------------------------------------------------------------------------------------ */

static bool read_command(const reading *r)
{
    const json_t *words = json_object_get(r->record, "command"), *word;
    char *text = NULL, *json;
    size_t i;

    if (!json_is_array(words))
        return fail(r, "'command' is not an array of words");
    json_array_foreach(words, i, word) {
        if (!json_is_string(word)) {
            free(text);
            return fail(r, "'command' is not an array of words");
        }
        text = bench_shell_words_add(text, json_string_value(word));
        if (!text)
            return out_of_memory(r);
    }
    json = json_dumps(words, JSON_COMPACT);
    r->out->command = bench_records_own(r->out, text);
    r->out->command_json = json ? bench_records_own(r->out, json) : NULL;
    free(text);
    free(json);
    return (r->out->command && r->out->command_json) || out_of_memory(r);
}

#define RUN(name) offsetof(bench_records, name)

static bool read_run(reading *r)
{
    static const member members[] = {
        { "version", TEXT, RUN(version), false }, { "cpu", TEXT, RUN(cpu), false },
        { "compiler", TEXT, RUN(compiler), false }, { "time", TEXT, RUN(time), false },
        { "threads", COUNT, RUN(threads), false },
    };
    static const member schema_member = { "schema", COUNT, 0, true };
    bench_records *out = r->out;
    const char **const text[] = { &out->version, &out->cpu, &out->compiler, &out->time };
    int64_t schema = 0;

    if (!read_member(r, &schema_member, &schema))
        return false;
    if (schema != SCHEMA)
        return fail(r, "schema %lld, of another version of spmvbench; this one reads schema %d",
                    (long long)schema, SCHEMA);
    out->version = out->cpu = out->compiler = out->time = "";
    out->threads = -1;
    out->ended = out->complete = false;
    out->illegal_count = 0;
    r->has_run = true;
    if (!READ(r, members, out) || !read_command(r))
        return false;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        if (!(*text[i] = bench_records_own(out, *text[i])))
            return out_of_memory(r);
    return true;
}

static bool read_end(reading *r)
{
    static const member members[] = { { "complete", BOOLEAN, RUN(complete), false } };

    r->out->ended = true;
    return READ(r, members, r->out);
}

/* ---- groups --------------------------------------------------------------------------------- */

#define MATRIX(name) offsetof(bench_record_matrix, name)
#define RESULT(name) offsetof(bench_record_result, name)
#define ILLEGAL(name) offsetof(bench_record_illegal, name)

/* A member as JSON, for who writes it again; the caller frees it. NULL: it is missing or null. */
static char *json_of(const reading *r, const char *name)
{
    const json_t *value = json_object_get(r->record, name);

    return value && !json_is_null(value) ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
}

static bool read_matrix(reading *r)
{
    static const member members[] = {
        { "input", TEXT, MATRIX(input), true }, { "name", TEXT, MATRIX(name), false },
        { "type", TEXT, MATRIX(type), true }, { "offset", TEXT, MATRIX(offset), true },
        { "rows", COUNT, MATRIX(rows), false }, { "cols", COUNT, MATRIX(cols), false },
        { "nnz", COUNT, MATRIX(nnz), false }, { "empty_rows", COUNT, MATRIX(empty_rows), false },
        { "min_row", COUNT, MATRIX(min_row), false },
        { "average_row", REAL, MATRIX(average_row), false },
        { "max_row", COUNT, MATRIX(max_row), false }, { "alpha", REAL, MATRIX(alpha), false },
        { "beta", REAL, MATRIX(beta), false },
        { "transposed", BOOLEAN, MATRIX(transposed), false },
        { "columns", COUNT, MATRIX(columns), false }, { "order", TEXT, MATRIX(order), false },
        { "values", TEXT, MATRIX(values), false },
        { "csr_bytes", REAL, MATRIX(csr_bytes), false },
        { "read_gbytes_per_second", REAL, MATRIX(read_rate), false },
        { "dram_gbytes_per_second", REAL, MATRIX(dram_rate), false },
        { "dram_bytes", COUNT, MATRIX(dram_bytes), false },
        { "collect_gflops", REAL, MATRIX(gather_rate), false },
        { "plain_csr_seconds", REAL, MATRIX(plain_seconds), false },
        { "x_line_bytes", COUNT, MATRIX(x_line_bytes), false },
        { "core_cache_bytes", COUNT, MATRIX(core_cache_bytes), false },
        { "competitors", COUNT, MATRIX(competitors), false },
        { "results", COUNT, MATRIX(results), false },
        { "complete", BOOLEAN, MATRIX(complete), false },
    };
    bench_record_matrix matrix = bench_record_matrix_empty();
    char *lengths = json_of(r, "row_lengths"), *spy = json_of(r, "spy");
    size_t index;

    matrix.row_lengths = lengths ? lengths : "";
    matrix.spy = spy ? spy : "";
    const bool good = READ(r, members, &matrix) &&
                      (bench_records_add_matrix(r->out, &matrix, &index) || out_of_memory(r));
    free(lengths);
    free(spy);
    return good;
}

/* {"csr5.sigma": "8", "csr5.omega": "4"} as "csr5.omega=4 csr5.sigma=8": sorted, so that equal sets
 * are equal texts. NULL: out of memory or not an object of texts. */
static char *text_of_set(const json_t *set)
{
    json_t *copy = json_copy((json_t *)set);
    char *text = calloc(1, 1);
    const char *last = "";

    for (size_t i = 0; copy && text && i < json_object_size(set); i++) {
        const char *least = NULL, *key;
        json_t *value;
        json_object_foreach(copy, key, value)
            if (strcmp(key, last) > 0 && (!least || strcmp(key, least) < 0))
                least = key;
        const char *word = least ? json_string_value(json_object_get(set, least)) : NULL;
        const size_t used = strlen(text);
        const size_t size = used + (word ? strlen(word) + strlen(least) : 0) + 3;
        char *grown = word ? realloc(text, size) : NULL;
        if (!grown) {
            free(text);
            text = NULL;
            break;
        }
        text = grown;
        snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", least, word);
        last = least;
    }
    json_decref(copy);
    return text;
}

/* The values of --set of the record; the caller frees *text, which is NULL if it has none. */
static bool read_set(const reading *r, char **text)
{
    const json_t *set = json_object_get(r->record, "set");

    *text = set && !json_is_null(set) ? text_of_set(set) : NULL;
    return *text || !set || json_is_null(set) || fail(r, "'set' is not an object of texts");
}

static bool read_illegal(reading *r)
{
    static const member members[] = {
        { "method", TEXT, ILLEGAL(method), false }, { "target", TEXT, ILLEGAL(target), false },
        { "type", TEXT, ILLEGAL(type), false }, { "why", TEXT, ILLEGAL(why), false },
        { "reason", TEXT, ILLEGAL(reason), false },
    };
    bench_record_illegal illegal = { "", "", "", "", "", "" };
    char *text;

    if (!READ(r, members, &illegal) || !read_set(r, &text))
        return false;
    illegal.set = text ? text : "";
    const bool good = bench_records_add_illegal(r->out, &illegal) || out_of_memory(r);
    free(text);
    return good;
}

static bool read_result(reading *r)
{
    static const member members[] = {
        { "method", TEXT, RESULT(method), true }, { "target", TEXT, RESULT(target), true },
        { "settings", TEXT, RESULT(settings), false }, { "module", TEXT, RESULT(module), false },
        { "failure", TEXT, RESULT(failure), false }, { "peer", BOOLEAN, RESULT(peer), false },
        { "benchmark_only", BOOLEAN, RESULT(benchmark_only), false },
        { "correct", BOOLEAN, RESULT(correct), true },
        { "left_out", BOOLEAN, RESULT(left_out), false },
        { "permuted_y", BOOLEAN, RESULT(permuted_y), false },
        { "samples", COUNT, RESULT(samples), false },
        { "layout_bytes", COUNT, RESULT(layout_bytes), false },
        { "workspace_bytes", COUNT, RESULT(workspace_bytes), false },
        { "unjudged_rows", COUNT, RESULT(unjudged_rows), false },
        { "seconds", REAL, RESULT(seconds), false }, { "low", REAL, RESULT(low), false },
        { "high", REAL, RESULT(high), false }, { "fastest", REAL, RESULT(fastest), false },
        { "ratio", REAL, RESULT(ratio), false },
        { "ratio_low", REAL, RESULT(ratio_low), false },
        { "ratio_high", REAL, RESULT(ratio_high), false },
        { "gflops", REAL, RESULT(gflops), false },
        { "prepare_seconds", REAL, RESULT(prepare_seconds), false },
        { "update_seconds", REAL, RESULT(update_seconds), false },
        { "of_a_seconds", REAL, RESULT(of_a_seconds), false },
        { "of_a_ratio", REAL, RESULT(of_a_ratio), false },
        { "of_one_seconds", REAL, RESULT(of_one_seconds), false },
        { "of_one_ratio", REAL, RESULT(of_one_ratio), false },
        { "of_type_seconds", REAL, RESULT(of_type_seconds), false },
        { "of_type_ratio", REAL, RESULT(of_type_ratio), false },
        { "of_type_bytes", REAL, RESULT(of_type_bytes), false },
        { "matrix_bytes", COUNT, RESULT(matrix_bytes), false },
        { "error_over_bound", REAL, RESULT(error_over_bound), false },
        { "kernels_seconds", REAL, RESULT(kernels_seconds), false },
        { "host_seconds", REAL, RESULT(host_seconds), false },
        { "copies_seconds", REAL, RESULT(copies_seconds), false },
    };
    static const member key_members[] = {
        { "input", TEXT, MATRIX(input), true }, { "type", TEXT, MATRIX(type), true },
        { "offset", TEXT, MATRIX(offset), true },
        { "transposed", BOOLEAN, MATRIX(transposed), false },
        { "columns", COUNT, MATRIX(columns), false }, { "order", TEXT, MATRIX(order), false },
        { "values", TEXT, MATRIX(values), false },
    };
    bench_record_matrix key = bench_record_matrix_empty();
    bench_record_result result = bench_record_result_empty();
    char *text, *figures, *build_steps;

    if (!READ(r, key_members, &key) || !READ(r, members, &result))
        return false;
    result.matrix = bench_records_find(r->out, &key);
    if (result.matrix == r->out->matrix_count)
        return fail(r, "a result of '%s' in %s and %s, without a matrix before it", key.input,
                    key.type, key.offset);
    if (!read_set(r, &text))
        return false;
    figures = json_of(r, "figures");
    build_steps = json_of(r, "build_steps");
    result.set = text ? text : "";
    result.figures = figures ? figures : "";
    result.build_steps = build_steps ? build_steps : "";
    const bool good = bench_records_add_result(r->out, &result) || out_of_memory(r);
    free(figures);
    free(build_steps);
    free(text);
    return good;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool read_record(reading *r)
{
    static const struct {
        char name[KIND_BYTES];
        bool (*read)(reading *r);
    } kinds[] = {
        { "run", read_run }, { "matrix", read_matrix }, { "result", read_result },
        { "illegal", read_illegal }, { "end", read_end },
    };
    const char *kind = json_string_value(json_object_get(r->record, "record"));

    if (!kind)
        return fail(r, "not a record of spmvbench: 'record' is missing; expected a file of "
                    "spmvbench --save FILE.jsonl");
    if (!r->has_run && strcmp(kind, "run") != 0)
        return fail(r, "record '%s' stands before the first 'run'", kind);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i].name) == 0)
            return kinds[i].read(r);
    return true;                 /* of a later version */
}

static bool read_line(reading *r, const char *text, size_t length)
{
    json_error_t err;
    json_t *record = json_loadb(text, length, 0, &err);

    if (!record && r->line == 1 && strncmp(text, "input,", strlen("input,")) == 0)
        return fail(r, "a table of --save FILE.csv; expected the records of --save FILE.jsonl");
    if (!record)
        return fail(r, "not a record of spmvbench: %s; expected a file of spmvbench --save "
                    "FILE.jsonl", err.text);
    r->record = record;
    const bool good = read_record(r);
    r->record = NULL;
    json_decref(record);
    return good;
}

static bool read_lines(reading *r, FILE *file)
{
    char *line = NULL;
    size_t space = 0;
    bool good = true;
    ssize_t length;

    while (good && (length = getline(&line, &space, file)) > 0 && line[length - 1] == '\n') {
        r->line++;
        good = read_line(r, line, (size_t)length);
    }
    if (good && ferror(file)) {
        sg_fail(r->error, "cannot read '%s': %s", r->name, strerror(errno));
        good = false;
    }
    free(line);
    return good;
}

/* A group that was cut in the middle lacks results. */
static void mark_cut_groups(bench_records *records)
{
    for (size_t i = 0; i < records->matrix_count; i++) {
        bench_record_matrix *m = &records->matrix[i];
        size_t count;
        bench_records_first_result(records, i, &count);
        if (m->results >= 0 && (size_t)m->results > count)
            m->complete = false;
    }
}

bool bench_records_read_stream(FILE *file, const char *name, bench_records *out, spmv_error *error)
{
    reading r = { .out = out, .name = name, .error = error };

    *out = (bench_records){ .path = name, .version = "", .cpu = "", .compiler = "", .time = "",
                            .command = "", .command_json = "[]", .threads = -1 };
    bool good = read_lines(&r, file);
    if (good && !r.has_run) {
        sg_fail(error, "'%s' has no record of spmvbench; expected a file of spmvbench --save "
                "FILE.jsonl", r.name);
        good = false;
    }
    if (good)
        mark_cut_groups(out);
    else
        bench_records_free(out);
    return good;
}

bool bench_records_read(const char *path, bench_records *out, spmv_error *error)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");

    if (!file) {
        *out = (bench_records){ .path = path };
        return sg_fail(error, "cannot read '%s': %s", path, strerror(errno));
    }
    const bool good = bench_records_read_stream(file, standard ? "standard input" : path, out,
                                                error);
    out->path = path;
    if (!standard)
        fclose(file);
    return good;
}
