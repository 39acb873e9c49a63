/* product.c: see product.h. */
#include "bench/race/product.h"

#include <string.h>

#include "bench/matrices/permutation.h"
#include "bench/matrices/rounded.h"

static spmv_value_type values_of(const bench_options *options)
{
    static const spmv_value_type types[] = { SPMV_F32, SPMV_F16, SPMV_BF16 };

    for (size_t i = 0; i < sizeof types / sizeof types[0] && options->values; i++)
        if (strcmp(options->values, bench_rounded_name(types[i])) == 0)
            return types[i];
    return (spmv_value_type)0;
}

const char *bench_product_values_text(const bench_product *product)
{
    return product->values ? bench_rounded_name(product->values) : "";
}

bench_product bench_product_of(const bench_options *options)
{
    const bool by_columns = options->order && strcmp(options->order, "column") == 0;

    return (bench_product){ .transposed = options->transposed,
                            .columns = options->columns > 0 ? (int32_t)options->columns : 1,
                            .order = by_columns ? SPMV_COLUMN_MAJOR : SPMV_ROW_MAJOR,
                            .values = values_of(options) };
}

const char *bench_product_order_text(const bench_product *product)
{
    return product->columns <= 1 ? "" : product->order == SPMV_ROW_MAJOR ? "row" : "column";
}

int64_t bench_product_inputs(const bench_product *product, const spmv_csr *csr)
{
    return product->transposed ? csr->rows : csr->cols;
}

int64_t bench_product_outputs(const bench_product *product, const spmv_csr *csr)
{
    return product->transposed ? csr->cols : csr->rows;
}

size_t bench_product_y_bytes(const bench_product *product, const spmv_csr *csr)
{
    return (size_t)bench_product_outputs(product, csr) * (size_t)product->columns *
           bench_value_bytes(csr->value_type);
}

double bench_product_vector_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y)
{
    const double inputs = (double)bench_product_inputs(product, csr);
    const double outputs = (double)bench_product_outputs(product, csr);

    return (inputs + outputs * (reads_y ? 2 : 1)) * product->columns *
           (double)bench_value_bytes(csr->value_type);
}

double bench_product_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y)
{
    const bench_product plain = { .columns = 1 };

    return bench_csr_bytes(csr, 0) - bench_product_vector_bytes(&plain, csr, false) +
           bench_product_vector_bytes(product, csr, reads_y);
}

/* ---- X and Y --------------------------------------------------------------------------------- */

int64_t bench_product_ld(const bench_product *product, int64_t length)
{
    const int64_t ld = product->order == SPMV_ROW_MAJOR ? product->columns : length;

    return ld > 0 ? ld : 1;
}

/* Index of the value of a row and a column. */
static size_t index_of(const bench_product *product, int64_t length, int64_t row, int32_t column)
{
    return (size_t)(product->order == SPMV_ROW_MAJOR ? row * product->columns + column
                                                     : column * length + row);
}

void bench_product_put(const bench_product *product, int64_t length, size_t bytes, int32_t column,
                       const void *vector, void *matrix)
{
    for (int64_t i = 0; i < length; i++)
        memcpy((char *)matrix + index_of(product, length, i, column) * bytes,
               (const char *)vector + (size_t)i * bytes, bytes);
}

void bench_product_get(const bench_product *product, int64_t length, size_t bytes, int32_t column,
                       const void *matrix, void *vector)
{
    for (int64_t i = 0; i < length; i++)
        memcpy((char *)vector + (size_t)i * bytes,
               (const char *)matrix + index_of(product, length, i, column) * bytes, bytes);
}

typedef void permutation(const int32_t *order, int64_t rows, size_t bytes, const void *from,
                         void *to);

/* The rows of a row-major matrix are permuted as a whole, else each column. */
static void permute(const bench_product *product, permutation *apply, const int32_t *order,
                    int64_t length, size_t bytes, const void *from, void *to)
{
    const size_t column = (size_t)length * bytes;

    if (product->order == SPMV_ROW_MAJOR)
        apply(order, length, bytes * (size_t)product->columns, from, to);
    for (int32_t c = 0; c < product->columns && product->order == SPMV_COLUMN_MAJOR; c++)
        apply(order, length, bytes, (const char *)from + (size_t)c * column,
              (char *)to + (size_t)c * column);
}

void bench_product_permute(const bench_product *product, const int32_t *order, int64_t length,
                           size_t bytes, const void *natural, void *ordered)
{
    permute(product, bench_permute, order, length, bytes, natural, ordered);
}

void bench_product_unpermute(const bench_product *product, const int32_t *order, int64_t length,
                             size_t bytes, const void *ordered, void *natural)
{
    permute(product, bench_unpermute, order, length, bytes, ordered, natural);
}
