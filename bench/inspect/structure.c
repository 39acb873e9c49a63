/* structure.c: see structure.h. */
#include "bench/inspect/structure.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/sort.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- lengths ------------------------------------------------------------------------------- */

static spmv_status compute_half_rows(const spmv_csr *csr, bench_structure *out)
{
    int64_t *rows = calloc((size_t)out->lengths.max + 1, sizeof *rows), left = (csr->nnz + 1) / 2;

    if (!rows)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t r = 0; r < csr->rows; r++)
        rows[bench_csr_length(csr, r)]++;
    for (int64_t length = out->lengths.max; length > 0 && left > 0; length--) {
        const int64_t taken = smaller(rows[length], (left + length - 1) / length);
        out->half_rows += taken;
        left -= taken * length;
    }
    free(rows);
    return SPMV_OK;
}

/* ---- symmetry ------------------------------------------------------------------------------ */

/* The last steps of SplitMix64: all bits of the result depend on all bits of the argument. */
static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    value = value == 0 ? 0 : value;      /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Compares the sums of hashes of all entries of A and of A^T. They are equal for equal sets of
 * entries, and else by a chance of 2^-64; A^T itself would take as much memory as A. */
static void compute_symmetry(const spmv_csr *csr, bench_structure *out)
{
    uint64_t places = 0, values = 0, negated = 0;    /* sums of A minus sums of A^T */

    if (csr->rows != csr->cols)
        return;
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t end = bench_csr_offset(csr, r + 1);
        for (int64_t k = bench_csr_offset(csr, r); k < end; k++) {
            const uint64_t row = (uint64_t)r, col = (uint64_t)(csr->col_idx[k] - csr->base);
            const uint64_t here = mix(row << 32 | col), there = mix(col << 32 | row);
            const double value = bench_csr_value(csr, k);
            places += here - there;
            values += mix(here ^ bits_of(value)) - mix(there ^ bits_of(value));
            negated += mix(here ^ bits_of(value)) - mix(there ^ bits_of(-value));
        }
    }
    out->symmetric = places == 0;
    out->symmetric_values = values == 0;
    out->skew_values = negated == 0;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Sums over the rows so far. */
typedef struct walk {
    const spmv_csr *csr;
    int32_t *row;                /* the row's columns from 0, ascending */
    bool *is_used;               /* columns that have an entry */
    int32_t *diagonal_count;     /* places of each diagonal; the main one is rows - 1 */
    int64_t runs, windows;
} walk;

static void walk_row(walk *w, int64_t r, bench_structure *out)
{
    const int64_t n = bench_csr_length(w->csr, r);
    int64_t window_end = -1;

    out->unsorted_rows += !bench_csr_sorted_row(w->csr, r, w->row);
    for (int64_t k = 0; k < n; k++) {
        const int64_t col = w->row[k];
        if (k > 0 && col == w->row[k - 1]) {
            out->duplicates++;
            continue;
        }
        w->is_used[col] = true;
        w->diagonal_count[col - r + w->csr->rows - 1]++;
        w->runs += k == 0 || col != w->row[k - 1] + 1;
        if (col >= window_end) {
            window_end = col + BENCH_WINDOW;
            w->windows++;
        }
    }
    if (n > 0) {
        out->lower = larger(out->lower, r - w->row[0]);
        out->upper = larger(out->upper, w->row[n - 1] - r);
        out->profile += (double)larger(r - w->row[0], 0);
    }
}

/* Places on diagonals that are at least half full. */
static int64_t count_diagonals(const walk *w, bench_structure *out)
{
    const int64_t rows = out->rows, cols = out->cols;
    int64_t full = 0;

    for (int64_t d = 0; d < rows + cols - 1; d++) {
        const int64_t offset = d - (rows - 1);       /* column - row */
        const int64_t length = offset < 0 ? smaller(rows + offset, cols)
                                          : smaller(rows, cols - offset);
        out->diagonals += w->diagonal_count[d] > 0;
        if (2 * (int64_t)w->diagonal_count[d] >= length)
            full += w->diagonal_count[d];
    }
    return full;
}

static spmv_status compute_rows(const spmv_csr *csr, bench_structure *out)
{
    walk w = { .csr = csr,
               .row = malloc(((size_t)out->lengths.max + 1) * sizeof *w.row),
               .is_used = calloc((size_t)csr->cols + 1, sizeof *w.is_used),
               .diagonal_count = calloc((size_t)(csr->rows + csr->cols) + 1,
                                        sizeof *w.diagonal_count) };
    const bool good = w.row && w.is_used && w.diagonal_count;

    for (int64_t r = 0; r < csr->rows && good; r++)
        walk_row(&w, r, out);
    for (int64_t c = 0; c < csr->cols && good; c++)
        out->empty_cols += !w.is_used[c];
    out->places = csr->nnz - out->duplicates;
    if (good && csr->nnz > 0) {
        out->on_diagonal = w.diagonal_count[csr->rows - 1];
        out->on_full_diagonals = (double)count_diagonals(&w, out) / (double)out->places;
        out->run = (double)out->places / (double)w.runs;
        out->window = (double)out->places / (double)(w.windows * BENCH_WINDOW);
    }
    free(w.row);
    free(w.is_used);
    free(w.diagonal_count);
    return good ? SPMV_OK : SPMV_OUT_OF_MEMORY;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* One row of blocks: `filled` has a bit for each place of a block, and becomes 0 again. */
static void count_blocks(const spmv_csr *csr, int64_t first, int64_t edge, uint16_t *filled,
                         int32_t *touched, int64_t *blocks, int64_t *full)
{
    const int64_t last = smaller(first + edge, csr->rows);
    int64_t touches = 0;

    for (int64_t r = first; r < last; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const int64_t col = csr->col_idx[k] - csr->base;
            uint16_t *const block = &filled[col / edge];
            if (*block == 0)
                touched[touches++] = (int32_t)(col / edge);
            *block |= (uint16_t)(1u << ((r - first) * edge + col % edge));
        }
    for (int64_t t = 0; t < touches; t++) {
        *full += filled[touched[t]] == (1u << (edge * edge)) - 1;
        filled[touched[t]] = 0;
    }
    *blocks += touches;
}

static spmv_status compute_blocks(const spmv_csr *csr, bench_structure *out)
{
    const size_t most = (size_t)csr->cols / BENCH_BLOCK_LEAST + 1;
    uint16_t *filled = calloc(most, sizeof *filled);
    int32_t *touched = malloc(most * sizeof *touched);
    const bool good = filled && touched;

    for (int i = 0; i < BENCH_BLOCK_EDGES && good && csr->nnz > 0; i++) {
        const int64_t edge = BENCH_BLOCK_LEAST + i;
        int64_t blocks = 0, full = 0;
        for (int64_t first = 0; first < csr->rows; first += edge)
            count_blocks(csr, first, edge, filled, touched, &blocks, &full);
        out->block[i].full = (double)(full * edge * edge) / (double)out->places;
        out->block[i].fill = (double)out->places / (double)(blocks * edge * edge);
    }
    free(filled);
    free(touched);
    return good ? SPMV_OK : SPMV_OUT_OF_MEMORY;
}

spmv_status bench_structure_compute(const spmv_csr *csr, bench_structure *out)
{
    *out = (bench_structure){ .rows = csr->rows, .cols = csr->cols, .nnz = csr->nnz,
                              .lengths = bench_csr_row_lengths(csr) };
    spmv_status status = compute_half_rows(csr, out);
    if (!status)
        status = compute_rows(csr, out);
    if (!status)
        status = compute_blocks(csr, out);
    if (!status)
        status = bench_values_compute(csr, &out->values);
    compute_symmetry(csr, out);
    return status;
}
