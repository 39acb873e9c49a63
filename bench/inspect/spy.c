/* spy.c: see spy.h. */
#include "bench/inspect/spy.h"

#include <math.h>
#include <stdlib.h>

/* Cells along a side of `size` rows or columns, where the other side of the matrix is `other`. */
static int32_t cells(int64_t size, int64_t other, int32_t most)
{
    double count = size < other ? (double)most * (double)size / (double)other : (double)most;

    count = fmax(count, most / 4.0);
    return (int32_t)fmin(ceil(count), (double)size);
}

/* Entries of each cell. A cell's first row is the first whose number times cells / rows reaches
 * it, so cells differ by one row at most. */
static void count_entries(const spmv_csr *csr, const bench_spy *spy, int64_t *count)
{
    for (int64_t r = 0; r < csr->rows; r++) {
        int64_t *const line = count + r * spy->rows / csr->rows * spy->cols;
        const int64_t end = bench_csr_offset(csr, r + 1);
        for (int64_t k = bench_csr_offset(csr, r); k < end; k++)
            line[(int64_t)(csr->col_idx[k] - csr->base) * spy->cols / csr->cols]++;
    }
}

spmv_status bench_spy_create(const spmv_csr *csr, int32_t max_rows, int32_t max_cols,
                             bench_spy *out)
{
    *out = (bench_spy){ .rows = cells(csr->rows, csr->cols, max_rows),
                        .cols = cells(csr->cols, csr->rows, max_cols) };
    if (csr->rows == 0 || csr->cols == 0) {
        *out = (bench_spy){ .rows = 0 };
        return SPMV_OK;
    }
    const int64_t total = (int64_t)out->rows * out->cols;
    int64_t *count = calloc((size_t)total, sizeof *count), most = 0;
    out->shade = calloc((size_t)total, 1);
    if (!count || !out->shade) {
        free(count);
        bench_spy_destroy(out);
        return SPMV_OUT_OF_MEMORY;
    }
    count_entries(csr, out, count);
    for (int64_t i = 0; i < total; i++)
        most = count[i] > most ? count[i] : most;
    for (int64_t i = 0; i < total; i++)
        if (count[i] > 0)
            out->shade[i] = (uint8_t)(1 + (int)((BENCH_SPY_SHADES - 1) *
                                                (log1p((double)count[i]) - log(2)) /
                                                fmax(log1p((double)most) - log(2), 1e-300)));
    for (int64_t i = 0; i < total; i++)
        if (count[i] == most && most > 0)
            out->shade[i] = BENCH_SPY_SHADES;
    free(count);
    return SPMV_OK;
}

void bench_spy_destroy(bench_spy *spy)
{
    free(spy->shade);
    *spy = (bench_spy){ .rows = 0 };
}
