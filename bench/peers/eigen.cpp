/* eigen.cpp: Eigen's row-major sparse matrix, mapped onto the caller's CSR. Its product with a
 * vector uses OpenMP's threads. */
#include <Eigen/Sparse>

#include <new>
#include <stdio.h>

#include "bench/peers/spmv_peer.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

namespace {

class Product {
public:
    virtual ~Product() {}
    virtual void run(double alpha, const void *x, double beta, void *y) = 0;
};

template <typename Real>
class RealProduct : public Product {
public:
    explicit RealProduct(const spmv_peer_matrix &a)
        : a_(a.rows, a.cols, a.nnz, static_cast<const int32_t *>(a.row_ptr), a.col_idx,
             static_cast<const Real *>(a.val))
    {
        Eigen::setNbThreads(a.threads);
        is_transposed_ = a.transposed != 0;
        is_column_major_ = a.column_major != 0;
        columns_ = a.columns;
    }

    void run(double alpha, const void *x, double beta, void *y)
    {
        if (columns_ == 1)
            multiply<Vector>(product_, alpha, x, beta, y);
        else if (is_column_major_)
            multiply<ByColumns>(product_by_columns_, alpha, x, beta, y);
        else
            multiply<ByRows>(product_by_rows_, alpha, x, beta, y);
    }

private:
    typedef Eigen::Matrix<Real, Eigen::Dynamic, 1> Vector;
    typedef Eigen::SparseMatrix<Real, Eigen::RowMajor, int32_t> Matrix;

    typedef Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> ByColumns;
    typedef Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> ByRows;

    template <typename Dense>
    void multiply(Dense &product, double alpha, const void *x, double beta, void *y)
    {
        if (is_transposed_)
            multiply_by<Dense>(a_.transpose(), product, alpha, x, beta, y);
        else
            multiply_by<Dense>(a_, product, alpha, x, beta, y);
    }

    template <typename Dense, typename Factor>
    void multiply_by(const Factor &a, Dense &product, double alpha, const void *x, double beta,
                     void *y)
    {
        const Eigen::Map<const Dense> from(static_cast<const Real *>(x), a.cols(), columns_);
        Eigen::Map<Dense> to(static_cast<Real *>(y), a.rows(), columns_);

        /* Multiplying x by the factor is cheaper than multiplying each value of the matrix. */
        if (beta == 0 && alpha == 1) {
            to.noalias() = a * from;
        } else if (beta == 0) {
            to.noalias() = a * from;
            to *= Real(alpha);
        } else {
            to *= Real(beta);
            if (alpha == 1) {
                to.noalias() += a * from;
            } else {
                product.noalias() = a * from;
                to += Real(alpha) * product;
            }
        }
    }

    Eigen::Map<const Matrix> a_;
    Vector product_;
    ByColumns product_by_columns_;
    ByRows product_by_rows_;
    bool is_transposed_, is_column_major_;
    int columns_;
};

spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message, size_t bytes)
{
    if (a->offset_bits != 32) {
        snprintf(message, bytes, "row pointers and columns have one type, of 32 bits");
        return SPMV_PEER_NOT_APPLICABLE;
    }
    Product *product = a->value_bits == 64
                           ? static_cast<Product *>(new (std::nothrow) RealProduct<double>(*a))
                           : static_cast<Product *>(new (std::nothrow) RealProduct<float>(*a));
    if (!product) {
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
    *state = product;
    return SPMV_PEER_OK;
}

spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    static_cast<Product *>(state)->run(alpha, x, beta, y);
    return SPMV_PEER_OK;
}

void destroy(void *state)
{
    delete static_cast<Product *>(state);
}

const spmv_peer eigen = {
    SPMV_PEER_VERSION, "eigen",
    "Eigen " TEXT(EIGEN_WORLD_VERSION) "." TEXT(EIGEN_MAJOR_VERSION) "." TEXT(EIGEN_MINOR_VERSION),
    prepare, run, destroy, NULL, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};

}

extern "C" {
extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &eigen, NULL };
}
