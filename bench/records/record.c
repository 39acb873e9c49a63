/* record.c: records in memory. See record.h. */
#include "bench/records/record.h"

#include <stdlib.h>
#include <string.h>

/* What bench_records.owned points to. */
typedef struct storage {
    char **text;
    size_t texts, text_space, matrix_space, result_space, illegal_space;
} storage;

/* Makes room for one more element. False: out of memory. */
static bool grow(void **array, size_t count, size_t *space, size_t element)
{
    if (count < *space)
        return true;
    const size_t wanted = 2 * *space + 16;
    void *grown = realloc(*array, wanted * element);
    if (!grown)
        return false;
    *array = grown;
    *space = wanted;
    return true;
}

static storage *storage_of(bench_records *records)
{
    if (!records->owned)
        records->owned = calloc(1, sizeof(storage));
    return records->owned;
}

const char *bench_records_own(bench_records *records, const char *text)
{
    storage *s = storage_of(records);
    char *copy;

    if (!text || !text[0])
        return "";
    if (!s || !grow((void **)&s->text, s->texts, &s->text_space, sizeof *s->text))
        return NULL;
    copy = malloc(strlen(text) + 1);
    if (copy)
        s->text[s->texts++] = strcpy(copy, text);
    return copy;
}

void bench_records_free(bench_records *records)
{
    storage *s = records->owned;

    for (size_t i = 0; s && i < s->texts; i++)
        free(s->text[i]);
    if (s)
        free(s->text);
    free(s);
    free(records->matrix);
    free(records->result);
    free(records->illegal);
    *records = (bench_records){ .path = NULL };
}

bench_record_matrix bench_record_matrix_empty(void)
{
    bench_record_matrix matrix;

    bench_fields_clear(&bench_matrix_fields, &matrix);
    matrix.columns = 1;
    return matrix;
}

bench_record_result bench_record_result_empty(void)
{
    bench_record_result result;

    bench_fields_clear(&bench_result_fields, &result);
    return result;
}

static double value_bytes(const bench_record_matrix *matrix)
{
    return strcmp(matrix->type, "f32") == 0 ? 4 : 8;
}

double bench_record_flops(const bench_record_matrix *matrix)
{
    return 2 * (double)matrix->nnz * (double)matrix->columns;
}

double bench_record_x_bytes(const bench_record_matrix *matrix)
{
    return (double)(matrix->transposed ? matrix->rows : matrix->cols) * (double)matrix->columns *
           value_bytes(matrix);
}

double bench_record_y_bytes(const bench_record_matrix *matrix)
{
    return (double)(matrix->transposed ? matrix->cols : matrix->rows) * (double)matrix->columns *
           value_bytes(matrix);
}

static bool have_same_key(const bench_record_matrix *a, const bench_record_matrix *b)
{
    return strcmp(a->input, b->input) == 0 && strcmp(a->type, b->type) == 0 &&
           strcmp(a->offset, b->offset) == 0 && a->transposed == b->transposed &&
           a->columns == b->columns && strcmp(a->order, b->order) == 0 &&
           strcmp(a->values, b->values) == 0;
}

size_t bench_records_find(const bench_records *records, const bench_record_matrix *key)
{
    size_t i = 0;

    while (i < records->matrix_count && !have_same_key(&records->matrix[i], key))
        i++;
    return i;
}

bool bench_records_same_contender(const bench_record_result *a, const bench_record_result *b)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->target, b->target) == 0 &&
           strcmp(a->set, b->set) == 0 && strcmp(a->settings, b->settings) == 0 &&
           a->peer == b->peer;
}

/* The index of the first result of this matrix or a later one. Results are in the order of their
 * matrices. */
static size_t find_first(const bench_records *records, size_t matrix)
{
    size_t low = 0, high = records->result_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (records->result[middle].matrix < matrix)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t bench_records_first_result(const bench_records *records, size_t matrix, size_t *count)
{
    const size_t first = find_first(records, matrix);

    *count = find_first(records, matrix + 1) - first;
    return first;
}

static void drop_results(bench_records *records, size_t matrix)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);

    memmove(records->result + first, records->result + first + count,
            (records->result_count - first - count) * sizeof *records->result);
    records->result_count -= count;
}

bool bench_records_own_all(bench_records *records, const bench_fields *fields, void *record)
{
    for (const bench_field *f = fields->field; f < fields->field + fields->count; f++) {
        const char **const text = (const char **)((char *)record + f->offset);
        if ((f->kind == BENCH_TEXT || f->kind == BENCH_JSON || f->kind == BENCH_SET) &&
            !(*text = bench_records_own(records, *text)))
            return false;
    }
    return true;
}

bool bench_records_add_matrix(bench_records *records, const bench_record_matrix *matrix,
                              size_t *index)
{
    bench_record_matrix copy = *matrix;
    storage *s = storage_of(records);
    const size_t place = bench_records_find(records, matrix);

    if (!s || !bench_records_own_all(records, &bench_matrix_fields, &copy) ||
        !grow((void **)&records->matrix, records->matrix_count, &s->matrix_space, sizeof copy))
        return false;
    if (place < records->matrix_count)
        drop_results(records, place);
    else
        records->matrix_count++;
    records->matrix[place] = copy;
    *index = place;
    return true;
}

bool bench_records_add_result(bench_records *records, const bench_record_result *result)
{
    bench_record_result copy = *result;
    storage *s = storage_of(records);
    size_t count, place;

    if (!s || !bench_records_own_all(records, &bench_result_fields, &copy) ||
        !grow((void **)&records->result, records->result_count, &s->result_space, sizeof copy))
        return false;
    place = bench_records_first_result(records, result->matrix, &count) + count;
    memmove(records->result + place + 1, records->result + place,
            (records->result_count - place) * sizeof copy);
    records->result[place] = copy;
    records->result_count++;
    return true;
}

bool bench_records_add_illegal(bench_records *records, const bench_record_illegal *illegal)
{
    bench_record_illegal copy = *illegal;
    storage *s = storage_of(records);

    if (!s || !bench_records_own_all(records, &bench_illegal_fields, &copy) ||
        !grow((void **)&records->illegal, records->illegal_count, &s->illegal_space, sizeof copy))
        return false;
    records->illegal[records->illegal_count++] = copy;
    return true;
}
