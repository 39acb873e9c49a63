/* statistics.c: see statistics.h. */
#include "bench/matrices/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/sort.h"

const int32_t bench_quantile_points[BENCH_QUANTILES] = {
    0, 10000, 50000, 100000, 250000, 500000, 750000, 900000, 950000, 990000, 999000, 999900, 1000000
};

enum { WINDOW = 64, LINE = 64 / sizeof(double), NEAR = 64, HUB_SHARE = 100 };

/* ---- lengths ------------------------------------------------------------------------------- */

static spmv_status compute_lengths(const spmv_csr *csr, bench_statistics *out)
{
    const int64_t rows = csr->rows;
    int32_t *length = malloc((size_t)(rows + 1) * sizeof *length);
    int64_t empty = 0, repeated = 0;

    if (!length)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t r = 0; r < rows; r++) {
        /* A row is longer than 2^31 - 1 only with duplicates. */
        const int64_t n = bench_csr_length(csr, r);
        length[r] = n < INT32_MAX ? (int32_t)n : INT32_MAX;
        empty += n == 0;
        repeated += r > 0 && length[r] == length[r - 1];
    }
    bench_sort_i32(length, rows);
    for (int i = 0; i < BENCH_QUANTILES && rows > 0; i++)
        out->quantile[i] = length[(rows - 1) * (int64_t)bench_quantile_points[i] / 1000000];
    for (int64_t i = 0; i < BENCH_LONGEST; i++)
        out->longest[i] = i < rows ? length[rows - 1 - i] : -1;
    free(length);
    if (rows > 0)
        out->empty = (double)empty / (double)rows;
    if (rows > 1)
        out->repeated = (double)repeated / (double)(rows - 1);
    return SPMV_OK;
}

/* ---- columns ------------------------------------------------------------------------------- */

static spmv_status compute_hubs(const spmv_csr *csr, bench_statistics *out)
{
    int32_t *count = calloc((size_t)csr->cols + 1, sizeof *count);
    const int64_t fullest = csr->cols / HUB_SHARE > 0 ? csr->cols / HUB_SHARE : 1;
    double inside = 0;

    if (!count)
        return SPMV_OUT_OF_MEMORY;
    /* A column has more than 2^31 - 1 entries only with duplicates. */
    for (int64_t k = 0; k < csr->nnz; k++)
        count[csr->col_idx[k] - csr->base] += count[csr->col_idx[k] - csr->base] < INT32_MAX;
    bench_sort_i32(count, csr->cols);
    for (int64_t c = 0; c < fullest && c < csr->cols; c++)
        inside += count[csr->cols - 1 - c];
    free(count);
    if (csr->nnz > 0)
        out->hubs = inside / (double)csr->nnz;
    return SPMV_OK;
}

/* Sums over the rows so far, and the state that they need. */
typedef struct walk {
    const spmv_csr *csr;
    int32_t *row, *before;       /* sorted columns of this row and of the row before */
    int64_t before_length;
    int32_t *seen;               /* last window that read each line of x; or -1 */
    double runs, distance, near, kept, lines, fresh;
} walk;

/* Counts the columns of this row that the row before has, itself or its left neighbour. */
static int64_t count_kept(const walk *w, int64_t n)
{
    int64_t kept = 0;

    for (int64_t k = 0, b = 0; k < n; k++) {
        while (b < w->before_length && w->before[b] < w->row[k] - 1)
            b++;
        kept += b < w->before_length && w->before[b] <= w->row[k];
    }
    return kept;
}

static void walk_row(walk *w, int64_t r)
{
    const spmv_csr *csr = w->csr;
    const int64_t n = bench_csr_length(csr, r);
    const int64_t home = r * csr->cols / csr->rows;
    const int32_t window = (int32_t)(r / WINDOW);

    bench_csr_sorted_row(csr, r, w->row);
    for (int64_t k = 0; k < n; k++) {
        const int64_t col = w->row[k];
        const int64_t away = col < home ? home - col : col - home;
        int32_t *line = &w->seen[col / LINE];
        w->runs += k == 0 || col != w->row[k - 1] + 1;
        w->distance += (double)away;
        w->near += away <= NEAR;
        if (*line != window) {
            w->lines++;
            w->fresh += *line < 0 || *line != window - 1;
            *line = window;
        }
    }
    w->kept += (double)count_kept(w, n);

    int32_t *const free_row = w->before;
    w->before = w->row;
    w->before_length = n;
    w->row = free_row;
}

static void compute_sums(const walk *w, bench_statistics *out)
{
    const double nnz = (double)w->csr->nnz;

    out->run = nnz / w->runs;
    out->distance = w->distance / nnz / (double)w->csr->cols;
    out->near = w->near / nnz;
    out->kept = w->kept / nnz;
    out->lines = w->lines / nnz;
    out->fresh = w->fresh / w->lines;
}

static spmv_status compute_places(const spmv_csr *csr, bench_statistics *out)
{
    const size_t longest = (size_t)bench_csr_row_lengths(csr).max + 1;
    const size_t lines = (size_t)csr->cols / LINE + 1;
    walk w = { .csr = csr, .row = malloc(longest * sizeof *w.row),
               .before = malloc(longest * sizeof *w.before),
               .seen = malloc(lines * sizeof *w.seen) };
    const bool good = w.row && w.before && w.seen;

    if (good)
        memset(w.seen, 0xff, lines * sizeof *w.seen);
    for (int64_t r = 0; r < csr->rows && good; r++)
        walk_row(&w, r);
    if (good && csr->nnz > 0)
        compute_sums(&w, out);
    free(w.row);
    free(w.before);
    free(w.seen);
    return good ? SPMV_OK : SPMV_OUT_OF_MEMORY;
}

spmv_status bench_statistics_compute(const spmv_csr *csr, bench_statistics *out)
{
    *out = (bench_statistics){ .rows = csr->rows, .cols = csr->cols, .nnz = csr->nnz };
    spmv_status status = compute_lengths(csr, out);
    if (!status)
        status = compute_hubs(csr, out);
    if (!status)
        status = compute_places(csr, out);
    return status;
}
