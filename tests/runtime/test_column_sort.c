/* test_column_sort.c: both ways of sorting entries by column give the order of a plain stable sort,
 * with any types and any number of threads. A transpose that is too large is refused. */
#include "runtime/library/matrix/column_count.h"
#include "runtime/library/matrix/column_sort.h"
#include "runtime/library/matrix/transpose.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* A matrix of random columns, and its entries in the order of a plain stable sort. */
typedef struct model {
    const char *what;
    int64_t rows, cols, nnz;
    int32_t base;
    int is_sorted;               /* the columns of each row ascend */
    spmv_csr csr;
    void *row_ptr;
    int32_t *col_idx;
    void *val;
    int64_t *begin, *source;     /* the expected result */
    int32_t *row;
} model;

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);

    if (memory == NULL) {
        printf("Bail out! no memory\n");
        exit(1);
    }
    return memory;
}

static uint64_t state = 1;

static int64_t random_below(int64_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((state >> 33) % (uint64_t)limit);
}

static int compare_columns(const void *a, const void *b)
{
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

    return left < right ? -1 : left > right;
}

/* Half of the rows are empty; the others begin anywhere. */
static void fill_rows(model *m, int32_t *row_of)
{
    int64_t *start = allocate((size_t)m->rows + 1, sizeof *start);

    for (int64_t i = 1; i < m->rows; i++)
        start[i] = i % 2 ? start[i - 1] : random_below(m->nnz + 1);
    start[m->rows] = m->nnz;
    for (int64_t i = 1; i < m->rows; i++)        /* a running maximum ascends */
        if (start[i] < start[i - 1])
            start[i] = start[i - 1];
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t k = start[i]; k < start[i + 1]; k++)
            row_of[k] = (int32_t)i;
        if (m->is_sorted)
            qsort(m->col_idx + start[i], (size_t)(start[i + 1] - start[i]), sizeof *m->col_idx,
                  compare_columns);
    }
    for (int64_t i = 0; i <= m->rows; i++)
        if (m->csr.offset_type == SPMV_I32)
            ((int32_t *)m->row_ptr)[i] = (int32_t)start[i] + m->base;
        else
            ((int64_t *)m->row_ptr)[i] = start[i] + m->base;
    free(start);
}

static void sort_plainly(model *m, const int32_t *row_of)
{
    int64_t *next = allocate((size_t)m->cols + 1, sizeof *next);

    for (int64_t k = 0; k < m->nnz; k++)
        m->begin[m->col_idx[k] - m->base + 1]++;
    for (int64_t c = 0; c < m->cols; c++)
        m->begin[c + 1] += m->begin[c];
    memcpy(next, m->begin, (size_t)m->cols * sizeof *next);
    for (int64_t k = 0; k < m->nnz; k++) {
        const int64_t to = next[m->col_idx[k] - m->base]++;

        m->source[to] = k;
        m->row[to] = row_of[k];
    }
    free(next);
}

static void make(model *m, spmv_value_type value_type, spmv_offset_type offset_type)
{
    int32_t *row_of = allocate((size_t)m->nnz, sizeof *row_of);

    m->csr = (spmv_csr){.rows = m->rows, .cols = m->cols, .nnz = m->nnz, .base = m->base,
                        .value_type = value_type, .offset_type = offset_type};
    m->csr.row_ptr = m->row_ptr = allocate((size_t)m->rows + 1, sizeof(int64_t));
    m->csr.col_idx = m->col_idx = allocate((size_t)m->nnz, sizeof(int32_t));
    m->csr.val = m->val = allocate((size_t)m->nnz, sizeof(double));
    m->begin = allocate((size_t)m->cols + 1, sizeof(int64_t));
    m->source = allocate((size_t)m->nnz, sizeof(int64_t));
    m->row = allocate((size_t)m->nnz, sizeof(int32_t));
    for (int64_t k = 0; k < m->nnz; k++) {
        m->col_idx[k] = (int32_t)random_below(m->cols) + m->base;
        if (value_type == SPMV_F32)
            ((float *)m->val)[k] = (float)k;
        else
            ((double *)m->val)[k] = (double)k;
    }
    fill_rows(m, row_of);
    sort_plainly(m, row_of);
    free(row_of);
}

static void destroy(model *m)
{
    free(m->row_ptr);
    free(m->col_idx);
    free(m->val);
    free(m->begin);
    free(m->source);
    free(m->row);
}

static int is_right(const model *m, const spmv_sorted *out)
{
    for (int64_t c = 0; c <= m->cols; c++)
        if (spmv_get_offset(out->begin, c, (size_t)m->csr.offset_type / 8) != m->begin[c])
            return 0;
    for (int64_t k = 0; k < m->nnz; k++) {
        const double value = m->csr.value_type == SPMV_F32 ? (double)((float *)out->val)[k]
                                                           : ((double *)out->val)[k];

        if (out->row[k] != m->row[k] || value != (double)(m->csr.value_type == SPMV_F32
                                                  ? (float)m->source[k] : (double)m->source[k]))
            return 0;
        if (out->source != NULL &&
            spmv_get_place(out->source, k, out->index_bytes) != m->source[k])
            return 0;
    }
    return 1;
}

/* Sorts in every way, with 1 to 5 threads, with and without indices of both widths. */
static void test_sort(model *m)
{
    int wrong = 0, sorts = 0;
    spmv_sorted out = {
        .begin = allocate((size_t)m->cols + 1, 8), .row = allocate((size_t)m->nnz, 4),
        .val = allocate((size_t)m->nnz, 8),
    };
    void *source = allocate((size_t)m->nnz, 8);
    size_t needed;

    for (int32_t threads = 1; threads <= 5; threads += 2)
        for (int way = SPMV_SORT_DIRECT; way <= SPMV_SORT_BUCKETS; way++)
            for (int i = 0; i < 4; i++) {
                const spmv_threads team = {.count = threads};

                out.source = i % 2 ? source : NULL;
                out.index_bytes = i < 2 ? 4 : 8;
                memset(out.begin, 0xff, (size_t)(m->cols + 1) * 8);
                memset(out.row, 0xff, (size_t)m->nnz * 4);
                memset(out.val, 0xff, (size_t)m->nnz * 8);
                memset(source, 0xff, (size_t)m->nnz * 8);
                sorts++;
                wrong += spmv_column_sort(&m->csr, (spmv_sort_way)way, &team, &out, &needed) !=
                             SPMV_OK || !is_right(m, &out);
            }
    ok(wrong == 0, "%s, %d-bit values, %d-bit offsets: %d sorts are right", m->what,
       (int)m->csr.value_type, (int)m->csr.offset_type, sorts);
    free(out.begin);
    free(out.row);
    free(out.val);
    free(source);
}

/* The places of all entries are the inverse of `source`. */
static void test_places(const model *m)
{
    const spmv_threads team = {.count = 3};
    void *begin = allocate((size_t)m->cols + 1, 8), *place = allocate((size_t)m->nnz, 8);
    int wrong = 0;
    size_t needed;

    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        wrong += spmv_column_places(&m->csr, bytes, &team, begin, place, &needed) != SPMV_OK;
        for (int64_t k = 0; k < m->nnz && wrong == 0; k++)
            wrong += spmv_get_place(place, m->source[k], bytes) != k;
        for (int64_t c = 0; c <= m->cols && wrong == 0; c++)
            wrong += spmv_get_offset(begin, c, (size_t)m->csr.offset_type / 8) != m->begin[c];
    }
    ok(wrong == 0, "%s: the place of each entry is right", m->what);
    ok(!m->is_sorted || spmv_rows_are_sorted(&m->csr, &team), "%s: sorted rows are recognised",
       m->what);
    free(begin);
    free(place);
}

/* One fall in one row is found, wherever it is; a fall between rows is none. */
static void test_order(void)
{
    enum { ROWS = 50000 };
    int32_t *row_ptr = allocate(ROWS + 1, 4), *col_idx = allocate(2 * ROWS, 4);
    const spmv_csr csr = {.rows = ROWS, .cols = 9, .nnz = 2 * ROWS, .row_ptr = row_ptr,
                          .col_idx = col_idx, .offset_type = SPMV_I32, .value_type = SPMV_F64};
    const spmv_threads team = {.count = 3};
    int wrong = 0;

    for (int32_t i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = 2 * (i + 1);
        col_idx[2 * i] = i % 2 ? 3 : 8;
        col_idx[2 * i + 1] = 8;
    }
    ok(spmv_rows_are_sorted(&csr, &team), "rows of equal and ascending columns are sorted");
    for (int32_t i = 0; i < ROWS; i += ROWS / 7) {
        col_idx[2 * i + 1] = 0;
        wrong += spmv_rows_are_sorted(&csr, &team);
        col_idx[2 * i + 1] = 8;
    }
    ok(wrong == 0, "a row whose columns fall is found");
    free(row_ptr);
    free(col_idx);
}

/* Neighbouring rows with neighbouring columns are sorted directly, scattered columns by buckets. */
static void test_way(void)
{
    enum { ROWS = 200000, LENGTH = 8 };
    int32_t *row_ptr = allocate(ROWS + 1, 4), *col_idx = allocate(LENGTH * ROWS, 4);
    const spmv_csr csr = {.rows = ROWS, .cols = ROWS, .nnz = LENGTH * ROWS, .row_ptr = row_ptr,
                          .col_idx = col_idx, .offset_type = SPMV_I32, .value_type = SPMV_F64};
    const spmv_threads two = {.count = 2}, many = {.count = 64};

    for (int32_t i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = LENGTH * (i + 1);
        for (int32_t j = 0; j < LENGTH; j++)
            col_idx[LENGTH * i + j] = i + j < ROWS ? i + j : ROWS - 1;
    }
    ok(spmv_column_sort_way(&csr, &two) == SPMV_SORT_DIRECT, "a band is sorted directly");
    ok(spmv_column_sort_way(&csr, &many) == SPMV_SORT_BUCKETS,
       "but by buckets if the counters of all threads would take too much memory");
    for (int32_t k = 0; k < LENGTH * ROWS; k++)
        col_idx[k] = (int32_t)random_below(ROWS);
    ok(spmv_column_sort_way(&csr, &two) == SPMV_SORT_BUCKETS,
       "scattered columns are sorted by buckets");
    free(row_ptr);
    free(col_idx);
}

/* The row pointers of this transpose would take 2^32 bytes. */
static void test_wide(void)
{
    const spmv_csr wide = {.rows = 1, .cols = (1 << 29) - 1, .row_ptr = (const int64_t[]){0, 0},
                           .offset_type = SPMV_I64, .value_type = SPMV_F32};
    spmv_transpose *transpose = NULL;

    if (sizeof(size_t) > 4)
        return;
    ok(spmv_transpose_create(&wide, NULL, &transpose, NULL) == SPMV_OUT_OF_MEMORY,
       "on a 32-bit machine, a transpose whose row pointers no memory holds");
    spmv_transpose_destroy(transpose);
}

int main(void)
{
    static const model models[] = {
        {.what = "no entries", .rows = 5, .cols = 7},
        {.what = "no columns", .rows = 5},
        {.what = "one entry", .rows = 1, .cols = 1, .nnz = 1},
        {.what = "one column", .rows = 900, .cols = 1, .nnz = 40000, .base = 1},
        {.what = "one row", .rows = 1, .cols = 3000, .nnz = 2000},
        {.what = "more columns than entries", .rows = 50, .cols = 100000, .nnz = 20000, .base = 1},
        {.what = "few columns", .rows = 2000, .cols = 70, .nnz = 90000, .is_sorted = 1},
        {.what = "sorted rows", .rows = 9000, .cols = 9001, .nnz = 100000, .base = 1,
         .is_sorted = 1},
        {.what = "unsorted rows", .rows = 30000, .cols = 20000, .nnz = 150000},
    };
    static const spmv_value_type value_types[] = {SPMV_F32, SPMV_F64};
    static const spmv_offset_type offset_types[] = {SPMV_I32, SPMV_I64};

    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        for (int v = 0; v < 2; v++)
            for (int o = 0; o < 2; o++) {
                model m = models[i];

                make(&m, value_types[v], offset_types[o]);
                test_sort(&m);
                if (v == 0)
                    test_places(&m);
                destroy(&m);
            }
    test_order();
    test_way();
    test_wide();
    return tap_done();
}
