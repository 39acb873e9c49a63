/* contenders.c: see contenders.h. */
#include "bench/experiments/contenders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(const bench_record_result *r, bench_wanted wanted)
{
    return r->correct && r->seconds > 0 &&
           (!wanted.method || strcmp(r->method, wanted.method) == 0) &&
           (!wanted.target || strcmp(r->target, wanted.target) == 0) &&
           (!wanted.set || strcmp(r->set, wanted.set) == 0) &&
           (!wanted.settings || strcmp(r->settings, wanted.settings) == 0);
}

const bench_record_result *bench_find_result(const bench_records *records, size_t matrix,
                                             bench_wanted wanted)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);

    for (size_t i = first; i < first + count; i++)
        if (is_wanted(&records->result[i], wanted))
            return &records->result[i];
    return NULL;
}

const bench_record_result *bench_find_fastest(const bench_records *records, size_t matrix,
                                              bench_wanted wanted, bool peers)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    const bench_record_result *best = NULL;

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (r->peer == peers && is_wanted(r, wanted) && (!best || r->seconds < best->seconds))
            best = r;
    }
    return best;
}

const char *bench_result_value(const bench_record_result *result, const char *key, char *buffer,
                               size_t bytes)
{
    const size_t length = strlen(key);

    for (const char *at = result->set; *at; at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");
        if (strncmp(at, key, length) == 0 && at[length] == '=') {
            snprintf(buffer, bytes, "%.*s", (int)(word - length - 1), at + length + 1);
            return buffer;
        }
        at += word;
    }
    return NULL;
}

double bench_result_number(const bench_record_result *result, const char *key)
{
    char text[32];
    const char *value = bench_result_value(result, key, text, sizeof text);

    return value ? strtod(value, NULL) : NAN;
}

/* The number of a name in a JSON object of numbers; NaN: it has none, or null. */
static double number_of(const char *object, const char *name)
{
    char key[128];

    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(object, key);
    char *end = NULL;
    const double number = at ? strtod(at + strlen(key), &end) : NAN;
    return at && end > at + strlen(key) ? number : NAN;
}

double bench_result_figure(const bench_record_result *result, const char *name)
{
    return number_of(result->figures, name);
}

double bench_result_build_step(const bench_record_result *result, const char *name)
{
    return number_of(result->build_steps, name);
}

static bool has_twin(const bench_records *records, const bench_record_result *result)
{
    size_t count;
    const size_t first = bench_records_first_result(records, result->matrix, &count);

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (strcmp(r->method, result->method) == 0 && strcmp(r->set, result->set) == 0 &&
            strcmp(r->settings, result->settings) == 0 && strcmp(r->target, result->target) != 0)
            return true;
    }
    return false;
}

const char *bench_result_label(const bench_records *records, const bench_record_result *result,
                               char *buffer, size_t bytes)
{
    const bool named = has_twin(records, result);

    snprintf(buffer, bytes, "%s%s%s%s%s%s%s", result->method, result->set[0] ? " " : "",
             result->set, result->settings[0] ? " " : "", result->settings, named ? " " : "",
             named ? result->target : "");
    return buffer;
}

double bench_matrix_bytes(const bench_record_matrix *matrix)
{
    const double column = 4, offset = strcmp(matrix->offset, "i64") == 0 ? 8 : 4;

    return (double)matrix->nnz * (bench_record_value_bytes(matrix) + column) +
           (double)(matrix->rows + 1) * offset;
}

static bool has_both_types(const bench_records *records)
{
    for (size_t i = 1; i < records->matrix_count; i++)
        if (strcmp(records->matrix[i].type, records->matrix[0].type) != 0)
            return true;
    return false;
}

const char *bench_input_label(const char *input, const char *type, char *buffer, size_t bytes)
{
    static const char made[] = "lookalike:";
    const char *name = strncmp(input, made, strlen(made)) == 0 ? input + strlen(made) : input;

    snprintf(buffer, bytes, "%s%s%s", name, type[0] ? " " : "", type);
    return buffer;
}

const char *bench_matrix_label(const bench_records *records, size_t matrix, char *buffer,
                               size_t bytes)
{
    const bench_record_matrix *m = &records->matrix[matrix];

    return bench_input_label(m->input, has_both_types(records) ? m->type : "", buffer, bytes);
}
