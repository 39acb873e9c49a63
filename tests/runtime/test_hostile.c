/* test_hostile.c: randomly spoilt matrices. The library accepts a matrix exactly if a simple check
 * does, and otherwise reports why. Arrays have exactly their size, so that a sanitizer detects
 * every read beyond them. */
#include "sample.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 4000 };

/* ---- numbers -------------------------------------------------------------------------------- */

static uint64_t state = 20150608;

static uint64_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return state >> 33;
}

static int64_t draw_below(int64_t limit)
{
    return (int64_t)(draw() % (uint64_t)limit);
}

/* A boundary value of sizes and offsets, or a number close to the good one. */
static int64_t draw_hostile(int64_t good)
{
    static const int64_t numbers[] = {
        0, 1, -1, 2, 3, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, (int64_t)INT32_MIN - 1,
        INT64_C(1) << 32, INT64_MAX, INT64_MIN, INT64_MAX / 4, INT64_MAX / 8, INT64_MAX / 8 + 1,
        INT64_C(1) << 61,
    };
    const int64_t count = sizeof numbers / sizeof numbers[0];
    const int64_t which = draw_below(count + 4);

    return which < count ? numbers[which] : good + draw_below(5) - 2;
}

/* ---- a matrix in arrays of exactly its size ------------------------------------------------- */

typedef struct victim {
    spmv_csr csr;
    void *row_ptr;
    int32_t *col_idx;
    void *val;
    int64_t offsets, entries;    /* the true lengths of the arrays */
    int is_wide;                 /* row_ptr truly has int64_t */
} victim;

static void *exactly(size_t bytes)
{
    void *memory = malloc(bytes);

    if (memory == NULL && bytes > 0) {
        printf("Bail out! no memory\n");
        exit(1);
    }
    return memory;
}

static int64_t get_offset(const victim *v, int64_t row)
{
    return v->is_wide ? ((int64_t *)v->row_ptr)[row] : ((int32_t *)v->row_ptr)[row];
}

static void set_offset(victim *v, int64_t row, int64_t value)
{
    if (v->is_wide)
        ((int64_t *)v->row_ptr)[row] = value;
    else
        ((int32_t *)v->row_ptr)[row] = (int32_t)value;
}

/* 0: no type. */
static size_t value_bytes(const spmv_csr *csr)
{
    return csr->value_type == SPMV_F64 ? 8 : csr->value_type == SPMV_F32 ? 4
           : csr->value_type == SPMV_F16 || csr->value_type == SPMV_BF16 ? 2 : 0;
}

static victim create_good(void)
{
    static const spmv_value_type types[] = {SPMV_F16, SPMV_BF16, SPMV_F32, SPMV_F64};
    victim v = {.csr = {.rows = draw_below(6), .cols = draw_below(6), .base = (int32_t)draw() & 1}};
    const int has_place = v.csr.cols > 0;

    v.is_wide = draw() & 1;      /* the types that toy modules have, or narrower values */
    v.csr.value_type = types[draw_below(v.is_wide ? 3 : 4)];
    v.csr.offset_type = v.is_wide ? SPMV_I64 : SPMV_I32;
    v.offsets = v.csr.rows + 1;
    v.csr.row_ptr = v.row_ptr = exactly((size_t)v.offsets * (v.is_wide ? 8 : 4));
    for (int64_t r = 0; r <= v.csr.rows; r++) {
        set_offset(&v, r, v.csr.base + v.csr.nnz);
        v.csr.nnz += r < v.csr.rows && has_place ? draw_below(4) : 0;
    }
    v.entries = v.csr.nnz;
    v.csr.col_idx = v.col_idx = exactly((size_t)v.entries * sizeof(int32_t));
    v.csr.val = v.val = exactly((size_t)v.entries * value_bytes(&v.csr));
    for (int64_t k = 0; k < v.entries; k++)
        v.col_idx[k] = (int32_t)draw_below(v.csr.cols) + v.csr.base;
    memset(v.val, 0, (size_t)v.entries * value_bytes(&v.csr));
    return v;
}

static void destroy(victim *v)
{
    free(v->row_ptr);
    free(v->col_idx);
    free(v->val);
}

/* The library cannot detect that an array is shorter than the sizes say. So rows never exceed the
 * array, unless the number must be refused before anything is read, and the type of row_ptr never
 * becomes the other valid one. A wrong nnz is found before an entry is read. */
static void spoil(victim *v)
{
    const int64_t entry = v->entries > 0 ? draw_below(v->entries) : 0;
    int64_t number;

    switch (draw_below(13)) {
    case 0:
        number = draw_hostile(v->csr.rows);
        if (number < v->offsets || number > INT32_MAX)
            v->csr.rows = number;
        break;
    case 1: v->csr.cols = draw_hostile(v->csr.cols); break;
    case 2: v->csr.nnz = draw_hostile(v->csr.nnz); break;
    case 3: v->csr.base = (int32_t)draw_hostile(v->csr.base); break;
    case 4: v->csr.value_type = (spmv_value_type)draw_hostile(48); break;
    case 5: v->csr.offset_type = (spmv_offset_type)draw_hostile(48); break;
    case 6: v->csr.row_ptr = NULL; break;
    case 7: v->csr.col_idx = NULL; break;
    case 8: v->csr.val = NULL; break;
    case 9:
        number = value_bytes(&v->csr) > 2 ? draw_below(2) : 0;
        v->csr.val = (const char *)v->val + 1 + number;
        break;
    case 10:
        number = draw_below(v->offsets);
        set_offset(v, number, draw_hostile(get_offset(v, number)));
        break;
    default:
        if (v->entries > 0)
            v->col_idx[entry] = (int32_t)draw_hostile(v->col_idx[entry]);
    }
}

/* ---- the expected answer -------------------------------------------------------------------- */

static int is_type(const spmv_csr *csr)
{
    return value_bytes(csr) != 0 &&
           (csr->offset_type == SPMV_I32 || csr->offset_type == SPMV_I64) &&
           (csr->base == 0 || csr->base == 1);
}

static int is_sound(const victim *v)
{
    const spmv_csr *csr = &v->csr;
    const size_t vectors = v->is_wide ? 4 : 8;
    int64_t before;

    if (!is_type(csr) || value_bytes(csr) > vectors || csr->rows < 0 ||
        csr->rows >= v->offsets || csr->cols < 0 || csr->cols > INT32_MAX || csr->row_ptr == NULL ||
        csr->cols > PTRDIFF_MAX / (int64_t)vectors ||
        (csr->nnz != 0 && (csr->col_idx == NULL || csr->val == NULL)) ||
        (uintptr_t)csr->val % value_bytes(csr) != 0)
        return 0;
    before = csr->base;
    if (get_offset(v, 0) != before || csr->nnz != get_offset(v, csr->rows) - csr->base)
        return 0;
    for (int64_t r = 1; r <= csr->rows; before = get_offset(v, r), r++)
        if (get_offset(v, r) < before)
            return 0;
    for (int64_t k = 0; k < csr->nnz; k++)
        if ((int64_t)v->col_idx[k] - csr->base < 0 ||
            (int64_t)v->col_idx[k] - csr->base >= csr->cols)
            return 0;
    return 1;
}

typedef struct tally {
    int accepted, refused, wrong;
} tally;

static void try_victim(spmv_device *device, const victim *v, int threads, tally *t)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .full_check = 1,
                                       .threads = threads,
                                       .vector_type = v->is_wide ? SPMV_F32 : SPMV_F64};
    spmv_plan *plan = (spmv_plan *)&options;     /* anything but NULL */
    spmv_error err = {SPMV_OK, ""};
    const spmv_status status = spmv_plan_create(device, &v->csr, &options, &plan, &err);
    const int expected = is_sound(v);
    const int is_told = (status == SPMV_INVALID_ARGUMENT || status == SPMV_INVALID_MATRIX ||
                         status == SPMV_OVERFLOW) &&
                        err.status == status && plan == NULL &&
                        strncmp(err.text, "spmv_plan_create: ", 18) == 0 && strlen(err.text) > 25;

    if (expected ? status != SPMV_OK || plan == NULL : !is_told) {
        t->wrong++;
        diag("rows %lld cols %lld nnz %lld: status %d, expected %s: %s", (long long)v->csr.rows,
             (long long)v->csr.cols, (long long)v->csr.nnz, (int)status,
             expected ? "a plan" : "a refusal", err.text);
    }
    if (status == SPMV_OK) {
        t->accepted++;
        spmv_plan_destroy(plan);
    } else {
        t->refused++;
    }
}

int main(void)
{
    spmv_device *device = sample_device();
    tally t = {0, 0, 0};

    for (int i = 0; i < TRIALS; i++) {
        victim v = create_good();

        for (int64_t spoils = draw_below(3); spoils > 0; spoils--)
            spoil(&v);
        try_victim(device, &v, i % 3 == 0 ? 3 : 1, &t);
        destroy(&v);
    }
    ok(t.wrong == 0, "%d randomly spoilt matrices: accepted exactly if they are sound", TRIALS);
    ok(t.accepted > TRIALS / 8 && t.refused > TRIALS / 8, "%d were accepted, %d refused",
       t.accepted, t.refused);
    spmv_device_close(device);
    return tap_done();
}
