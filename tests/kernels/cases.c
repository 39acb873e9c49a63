/* cases.c: see cases.h. */
#include "cases.h"
#include "symmetrising.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes --------------------------------------------------------------------------------- */

typedef struct sizes {
    int64_t *item;
    size_t count, room;
    int64_t limit;
} sizes;

static void add(sizes *s, int64_t size)
{
    if (size < 0 || size > s->limit || s->count == s->room)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (s->item[i] == size)
            return;
    s->item[s->count++] = size;
}

static void add_around(sizes *s, int64_t size)
{
    add(s, size - 1);
    add(s, size);
    add(s, size + 1);
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

size_t test_boundary_sizes(const spmv_module *module, int64_t limit, int64_t *size, size_t room)
{
    sizes s = { size, 0, room, limit };
    const spmv_param *p = module->params;

    for (int32_t i = 0; i < module->param_count; i++)
        for (int32_t j = 0; j < i; j++)
            if (p[i].value > 1 && p[j].value > 1 && p[i].value <= limit / p[j].value) {
                const int64_t tile = p[i].value * p[j].value;
                add_around(&s, tile);
                add(&s, 2 * tile);
                add(&s, 3 * tile);
                for (int32_t k = 0; k < j; k++)
                    if (p[k].value > 1 && p[k].value <= limit / tile)
                        add_around(&s, tile * p[k].value);
            }
    for (int32_t i = 0; i < module->param_count; i++)
        if (p[i].value > 1)
            add_around(&s, p[i].value);
    qsort(size, s.count, sizeof *size, compare);
    return s.count;
}

/* ---- cases --------------------------------------------------------------------------------- */

enum { MAX_SIZES = 320, MANY_ROWS = 100000 };

/* Every shape is tried at these sizes, and at sizes around powers of two. */
static const int64_t basic_sizes[] = { 0, 1, 2, 3, 5, 17, 64, 300 };

/* The limits of each effort. */
static const struct {
    int64_t size;                /* the largest of any case */
    int64_t power, factor;       /* the largest power of two, and the ratio of neighbours */
    size_t boundaries;           /* number of the module's boundary sizes for one shape */
} limits[] = {
    [EFFORT_FULL] = { INT64_MAX, 4096, 2, 36 },
    [EFFORT_REDUCED] = { 3000, 256, 8, 18 },
    [EFFORT_BRIEF] = { 1000, 64, 8, 6 },
    [EFFORT_RACES] = { 3000, 256, 8, 18 },
    [EFFORT_TINY] = { 2600, 0, 2, 1 },
};

/* Adds this turn's share of the ascending boundary sizes. A module with many parameters has
 * hundreds of sizes. Neighbours stay together, and each turn takes other sizes. So every size is
 * tried, but not with every shape and type. */
static void add_share(sizes *s, const int64_t *boundary, size_t count, size_t most, size_t turn)
{
    const size_t stride = (count + most - 1) / most;

    for (size_t i = 0; i < count; i++)
        if ((i / 3 + turn) % stride == 0)
            add(s, boundary[i]);
}

static size_t choose_sizes(const spmv_module *module, const bench_shape *shape, size_t index,
                           test_effort effort, int64_t *size)
{
    const int64_t limit = shape->quick < limits[effort].size ? shape->quick : limits[effort].size;
    int64_t boundary[MAX_SIZES];
    sizes s = { size, 0, MAX_SIZES, limit };
    const size_t types = 2 * (module->value_type == SPMV_F64) + (module->offset_type == SPMV_I64);
    const size_t boundaries = test_boundary_sizes(module, limit, boundary, MAX_SIZES - 60);

    for (size_t i = 0; i < sizeof basic_sizes / sizeof basic_sizes[0]; i++)
        if (effort != EFFORT_TINY || basic_sizes[i] == 64 || basic_sizes[i] == 300)
            add(&s, basic_sizes[i]);
    add_share(&s, boundary, boundaries, limits[effort].boundaries, index + types);
    for (int64_t power = 4; power <= limits[effort].power; power *= limits[effort].factor)
        add_around(&s, power);
    return s.count;
}

bool test_cases_create(const spmv_module *module, test_effort effort, test_cases *out)
{
    size_t shape_count;
    const bench_shape *shapes = bench_adversarial_shapes(&shape_count);

    out->count = 0;
    out->item = calloc(shape_count * MAX_SIZES, sizeof *out->item);
    if (!out->item)
        return false;
    for (size_t i = 0; i < shape_count; i++) {
        int64_t size[MAX_SIZES];
        const size_t count = choose_sizes(module, &shapes[i], i, effort, size);
        for (size_t k = 0; k < count; k++)
            if (size[k] >= shapes[i].smallest)
                out->item[out->count++] = (test_case){ &shapes[i], size[k], 1000 * i + k + 1 };
    }
    return true;
}

void test_cases_destroy(test_cases *cases)
{
    free(cases->item);
    *cases = (test_cases){ NULL, 0 };
}

/* ---- inputs -------------------------------------------------------------------------------- */

void test_set_value(spmv_value_type type, void *values, int64_t index, double value)
{
    if (type == SPMV_F32)
        ((float *)values)[index] = (float)value;
    else
        ((double *)values)[index] = value;
}

void test_fill(spmv_value_type type, void *values, int64_t count, double value)
{
    for (int64_t i = 0; i < count; i++)
        test_set_value(type, values, i, value);
}

/* Writes bits: loading or converting a signalling NaN may make it a quiet one. */
void test_fill_signalling(spmv_value_type type, void *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (type == SPMV_F32)
            ((uint32_t *)values)[i] = UINT32_C(0x7fa00000);
        else
            ((uint64_t *)values)[i] = UINT64_C(0x7ff4000000000000);
}

bool test_input_update_reference(test_input *input)
{
    bench_reference_destroy(input->reference);
    return bench_reference_create(&input->matrix->csr, input->x, &input->reference) == SPMV_OK;
}

static double draw(bench_random *random, bench_data data)
{
    const uint64_t bits = bench_random_bits(random);
    const double value = 2 * ((double)(bits >> 11) * 0x1p-53) - 1;

    return data == BENCH_UNIFORM ? value
                                 : value * ((double)(1 << (bits & 0x7ff) % 25) * 0x1p-12);
}

void test_random_fill(bench_random *random, bench_data data, spmv_value_type type, void *values,
                      int64_t count)
{
    static const double integers[] = { -4, -3, -2, -1, 1, 2, 3, 4 };
    enum { BITS = 3, DRAWN = 63 };
    uint64_t bits = 0;

    for (int64_t i = 0; i < count; i++) {
        if (data != BENCH_INTEGERS) {
            test_set_value(type, values, i, draw(random, data));
            continue;
        }
        bits = i % (DRAWN / BITS) == 0 ? bench_random_bits(random) : bits >> BITS;
        test_set_value(type, values, i, integers[bits % 8]);
    }
}

static void set_name(test_input *input)
{
    static const char *const names[] = { "integers", "uniform", "mixed" };

    snprintf(input->name, sizeof input->name, "%s size %lld seed %llu base %d %s",
             input->of.shape->name, (long long)input->of.size, (unsigned long long)input->of.seed,
             (int)input->matrix->csr.base, names[input->data]);
}

static bool fill(test_input *input, bench_data data)
{
    const spmv_csr *csr = &input->matrix->csr;
    bench_random random = { input->of.seed };

    input->data = data;
    test_random_fill(&random, data, csr->value_type, input->matrix->val, csr->nnz);
    test_mirror_values(input->module, csr, input->matrix->val);
    test_random_fill(&random, data, csr->value_type, input->x, csr->cols);
    test_random_fill(&random, data, csr->value_type, input->before, csr->rows);
    return test_input_update_reference(input);
}

bool test_input_create(const spmv_module *module, const test_case *one, int32_t base,
                       bench_data data, test_input *out)
{
    const spmv_value_type type = module->value_type;
    const size_t bytes = bench_value_bytes(type);
    bench_matrix *master;

    *out = (test_input){ .module = module, .of = *one };
    if (bench_shape_build(one->shape, one->size, one->seed, &master))
        return false;
    const bool made = test_symmetrise(module, one->seed, &master) &&
                      !bench_matrix_convert(&master->csr, base, module->offset_type, type,
                                            &out->matrix);
    bench_matrix_destroy(master);
    if (!made)
        return false;

    const spmv_csr *csr = &out->matrix->csr;
    out->y_bytes = (size_t)csr->rows * bytes;
    out->x = malloc((size_t)csr->cols * bytes + 1);
    out->before = malloc(out->y_bytes + 1);
    out->y = malloc(out->y_bytes + 1);
    if (out->x && out->before && out->y && fill(out, data)) {
        set_name(out);
        return true;
    }
    test_input_destroy(out);
    return false;
}

bool test_input_change(test_input *input, int32_t base, bench_data data)
{
    spmv_csr *csr = &input->matrix->csr;
    const int32_t distance = base - csr->base;

    for (int64_t r = 0; r <= csr->rows && distance != 0; r++)
        if (csr->offset_type == SPMV_I32)
            ((int32_t *)input->matrix->row_ptr)[r] += distance;
        else
            ((int64_t *)input->matrix->row_ptr)[r] += distance;
    for (int64_t k = 0; k < csr->nnz && distance != 0; k++)
        input->matrix->col_idx[k] += distance;
    csr->base = base;
    const bool made = data == input->data || fill(input, data);
    set_name(input);
    return made;
}

bool test_input_is_tiny(const test_input *input)
{
    const spmv_csr *csr = &input->matrix->csr;

    return csr->rows <= 130 && csr->nnz <= 2700;
}

bool test_input_runs_once(const test_input *input, test_effort effort)
{
    return effort == EFFORT_TINY && input->matrix->csr.rows >= MANY_ROWS;
}

int64_t test_size_of_chunks(test_effort effort, int64_t size)
{
    const bool is_small = effort == EFFORT_TINY || effort == EFFORT_RACES;

    return is_small && size >= 8000 ? size / 8 : size;
}

void test_input_destroy(test_input *input)
{
    bench_matrix_destroy(input->matrix);
    bench_reference_destroy(input->reference);
    free(input->x);
    free(input->before);
    free(input->y);
    *input = (test_input){ .matrix = NULL };
}
