/* symmetrising.c: see symmetrising.h. */
#include "symmetrising.h"

#include <stdlib.h>
#include <string.h>

enum { DISTANCES = 61, DENSE_DISTANCES = 7, HOLES = 9 };
enum { NODE_ROWS = 3, NODE_RUN = 3, NODE_DISTANCES = DISTANCES / NODE_ROWS };
enum { SPARSE, DENSE, NODES, KINDS };    /* by the seed: see symmetrising.h */

/* has[i * DISTANCES + d]: whether there is an entry in row i and column i + d. */
static void mark_entries(const spmv_csr *csr, int64_t distances, bool *has)
{
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const int64_t c = (csr->col_idx[k] - csr->base) % csr->rows;
            const int64_t d = (c < r ? r - c : c - r) % distances;

            has[(c < r ? r - d : r) * DISTANCES + d] = true;
        }
}

static void fill_diagonals(int64_t rows, bool *has)
{
    for (int64_t d = 0; d < DENSE_DISTANCES; d++) {
        bool any = false;

        for (int64_t i = 0; i < rows; i++)
            any = any || has[i * DISTANCES + d];
        for (int64_t i = 0; i + d < rows && any; i++)
            has[i * DISTANCES + d] = (i + d) % HOLES != 0;
    }
}

/* Fills the blocks of node `node` with NODE_RUN nodes, the first of them `distance` nodes later. */
static void fill_blocks(int64_t rows, int64_t node, int64_t distance, bool *has)
{
    const int64_t begin = (node + distance) * NODE_ROWS;

    for (int64_t r = node * NODE_ROWS; r < (node + 1) * NODE_ROWS && r < rows; r++)
        for (int64_t c = begin; c < begin + NODE_RUN * NODE_ROWS && c < rows; c++)
            if (c >= r)
                has[r * DISTANCES + c - r] = true;
}

/* Makes blocks of three rows with the same columns, in runs of NODE_RUN blocks. */
static void fill_nodes(int64_t rows, bool *has)
{
    for (int64_t node = 0; node * NODE_ROWS < rows; node++) {
        bool begins[NODE_DISTANCES] = { false };

        for (int64_t r = node * NODE_ROWS; r < (node + 1) * NODE_ROWS && r < rows; r++)
            for (int64_t d = 0; d < DISTANCES && r + d < rows; d++) {
                const int64_t distance = (r + d) / NODE_ROWS - node;
                const int64_t most = NODE_DISTANCES - NODE_RUN;

                begins[distance < most ? distance : most] |= has[r * DISTANCES + d];
                has[r * DISTANCES + d] = false;
            }
        for (int64_t distance = 0; distance < NODE_DISTANCES; distance++)
            if (begins[distance])
                fill_blocks(rows, node, distance, has);
    }
}

/* Writes the columns of a row unless col_idx is NULL; returns their number. */
static int64_t list_columns(const bool *has, int64_t rows, int64_t r, int32_t *col_idx)
{
    int64_t count = 0;

    for (int64_t d = DISTANCES - 1; d >= 1 - DISTANCES; d--) {
        const int64_t c = r - d;
        const int64_t first = d > 0 ? c : r;

        if (c < 0 || c >= rows || !has[first * DISTANCES + (d > 0 ? d : -d)])
            continue;
        if (col_idx)
            col_idx[count] = (int32_t)c;
        count++;
    }
    return count;
}

static bool build(const bool *has, int64_t rows, bench_matrix **out)
{
    int64_t nnz = 0;

    for (int64_t r = 0; r < rows; r++)
        nnz += list_columns(has, rows, r, NULL);
    if (bench_matrix_create(rows, rows, nnz, 0, SPMV_I64, SPMV_F64, out))
        return false;
    nnz = 0;
    for (int64_t r = 0; r < rows; r++) {
        ((int64_t *)(*out)->row_ptr)[r] = nnz;
        nnz += list_columns(has, rows, r, (*out)->col_idx + nnz);
    }
    ((int64_t *)(*out)->row_ptr)[rows] = nnz;
    for (int64_t k = 0; k < nnz; k++)
        ((double *)(*out)->val)[k] = 1;
    return true;
}

bool test_symmetrise(const spmv_module *module, uint64_t seed, bench_matrix **matrix)
{
    const spmv_csr *csr = &(*matrix)->csr;
    const int kind = (int)(seed % KINDS);
    bench_matrix *made = NULL;
    bool *has;

    if (!module->ops->symmetric)
        return true;
    has = calloc((size_t)csr->rows * DISTANCES + 1, sizeof *has);
    if (!has)
        return false;
    mark_entries(csr, kind == DENSE ? DENSE_DISTANCES : DISTANCES, has);
    if (kind == DENSE)
        fill_diagonals(csr->rows, has);
    if (kind == NODES)
        fill_nodes(csr->rows, has);
    const bool good = build(has, csr->rows, &made);
    free(has);
    if (!good)
        return false;
    bench_matrix_destroy(*matrix);
    *matrix = made;
    return true;
}

static int64_t find(const spmv_csr *csr, int64_t row, int64_t col)
{
    int64_t k = bench_csr_offset(csr, row);

    while (csr->col_idx[k] - csr->base != col)
        k++;
    return k;
}

void test_mirror_values(const spmv_module *module, const spmv_csr *csr, void *val)
{
    const size_t bytes = bench_value_bytes(csr->value_type);

    if (!module->ops->symmetric)
        return;
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const int64_t c = csr->col_idx[k] - csr->base;

            if (c > r)
                memcpy((char *)val + (size_t)find(csr, c, r) * bytes,
                       (const char *)val + (size_t)k * bytes, bytes);
        }
}

int64_t test_mirror(const spmv_module *module, const spmv_csr *csr, int64_t k)
{
    int64_t row = 0;

    if (!module->ops->symmetric)
        return k;
    while (bench_csr_offset(csr, row + 1) <= k)
        row++;
    return find(csr, csr->col_idx[k] - csr->base, row);
}
