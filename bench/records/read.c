/* read.c: reads the JSON Lines of --save. See record.h and docs/reference/records.md. */
#define _POSIX_C_SOURCE 200809L  /* getline */
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/records/fields.h"
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
    char *made[4];               /* texts of the record, freed after the line */
    size_t made_count;
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

static bool wrong_type(const reading *r, const bench_field *f, const json_t *value)
{
    static const char *const expected[] = {
        [BENCH_TEXT] = "a text", [BENCH_REAL] = "a number", [BENCH_COUNT] = "a whole number",
        [BENCH_BOOLEAN] = "true or false",
    };

    return f->kind == BENCH_SET
               ? fail(r, "'set' is not an object of texts")
               : fail(r, "'%s' is %s; expected %s", f->name, type_names[json_typeof(value)],
                      expected[f->kind]);
}

/* A text for this line's record. */
static bool keep_text(reading *r, char *text, const char **field)
{
    if (text)
        *field = r->made[r->made_count++] = text;
    return text != NULL;
}

/* Stores the member in its field of `into`. */
static bool read_field(reading *r, const bench_field *f, void *into)
{
    const json_t *value = json_object_get(r->record, f->name);
    void *field = (char *)into + f->offset;

    if (f->kind == BENCH_RATE || f->kind == BENCH_SHARE)
        return true;
    if (!value || json_is_null(value))
        return f->when != BENCH_REQUIRED || fail(r, "'%s' is missing", f->name);
    if (f->kind == BENCH_JSON)
        return keep_text(r, json_dumps(value, JSON_ENCODE_ANY), field) || out_of_memory(r);
    if (f->kind == BENCH_TEXT && json_is_string(value))
        *(const char **)field = json_string_value(value);
    else if (f->kind == BENCH_REAL && json_is_number(value))
        *(double *)field = json_number_value(value);
    else if (f->kind == BENCH_COUNT && json_is_integer(value))
        *(int64_t *)field = json_integer_value(value);
    else if (f->kind == BENCH_BOOLEAN && json_is_boolean(value))
        *(bool *)field = json_is_true(value);
    else if (f->kind != BENCH_SET || !keep_text(r, text_of_set(value), field))
        return wrong_type(r, f, value);
    return true;
}

static bool read_fields(reading *r, const bench_fields *fields, void *into)
{
    for (size_t i = 0; i < fields->count; i++)
        if (!read_field(r, &fields->field[i], into))
            return false;
    return true;
}

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

static bool read_run(reading *r)
{
    static const bench_field schema_field = { "schema", BENCH_COUNT, 0, BENCH_REQUIRED };
    bench_records *out = r->out;
    int64_t schema = 0;

    if (!read_field(r, &schema_field, &schema))
        return false;
    if (schema != SCHEMA)
        return fail(r, "schema %lld, of another version of spmvbench; this one reads schema %d",
                    (long long)schema, SCHEMA);
    bench_fields_clear(&bench_run_fields, out);
    out->ended = out->complete = false;
    out->illegal_count = 0;
    r->has_run = true;
    return read_fields(r, &bench_run_fields, out) && read_command(r) &&
           (bench_records_own_all(out, &bench_run_fields, out) || out_of_memory(r));
}

static bool read_end(reading *r)
{
    static const bench_field complete = { "complete", BENCH_BOOLEAN,
                                          offsetof(bench_records, complete), BENCH_ALWAYS };

    r->out->ended = true;
    return read_field(r, &complete, r->out);
}

/* ---- groups --------------------------------------------------------------------------------- */

static bool read_matrix(reading *r)
{
    bench_record_matrix matrix = bench_record_matrix_empty();
    size_t index;

    return read_fields(r, &bench_matrix_fields, &matrix) &&
           (bench_records_add_matrix(r->out, &matrix, &index) || out_of_memory(r));
}

static bool read_illegal(reading *r)
{
    bench_record_illegal illegal;

    bench_fields_clear(&bench_illegal_fields, &illegal);
    return read_fields(r, &bench_illegal_fields, &illegal) &&
           (bench_records_add_illegal(r->out, &illegal) || out_of_memory(r));
}

static bool read_result(reading *r)
{
    bench_record_matrix key = bench_record_matrix_empty();
    bench_record_result result = bench_record_result_empty();

    if (!read_fields(r, &bench_key_fields, &key) || !read_fields(r, &bench_result_fields, &result))
        return false;
    result.matrix = bench_records_find(r->out, &key);
    if (result.matrix == r->out->matrix_count)
        return fail(r, "a result of '%s' in %s and %s, without a matrix before it", key.input,
                    key.type, key.offset);
    return bench_records_add_result(r->out, &result) || out_of_memory(r);
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
    while (r->made_count > 0)
        free(r->made[--r->made_count]);
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
