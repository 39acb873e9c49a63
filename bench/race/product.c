/* product.c: see product.h. */
#include "bench/race/product.h"

bench_product bench_product_of(const bench_options *options)
{
    return (bench_product){ .transposed = options->transposed };
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
    return (size_t)bench_product_outputs(product, csr) * bench_value_bytes(csr->value_type);
}

double bench_product_vector_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y)
{
    const double inputs = (double)bench_product_inputs(product, csr);
    const double outputs = (double)bench_product_outputs(product, csr);

    return (inputs + outputs * (reads_y ? 2 : 1)) * (double)bench_value_bytes(csr->value_type);
}

double bench_product_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y)
{
    const bench_product plain = { .transposed = false };

    return bench_csr_bytes(csr, 0) - bench_product_vector_bytes(&plain, csr, false) +
           bench_product_vector_bytes(product, csr, reads_y);
}
