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
    }

    void run(double alpha, const void *x, double beta, void *y)
    {
        if (is_transposed_)
            multiply(a_.transpose(), alpha, x, beta, y);
        else
            multiply(a_, alpha, x, beta, y);
    }

private:
    typedef Eigen::Matrix<Real, Eigen::Dynamic, 1> Vector;
    typedef Eigen::SparseMatrix<Real, Eigen::RowMajor, int32_t> Matrix;

    template <typename Factor>
    void multiply(const Factor &a, double alpha, const void *x, double beta, void *y)
    {
        const Eigen::Map<const Vector> from(static_cast<const Real *>(x), a.cols());
        Eigen::Map<Vector> to(static_cast<Real *>(y), a.rows());

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
                product_.noalias() = a * from;
                to += Real(alpha) * product_;
            }
        }
    }

    Eigen::Map<const Matrix> a_;
    Vector product_;
    bool is_transposed_;
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
    prepare, run, destroy, NULL, NULL, SPMV_PEER_TRANSPOSED,
};

}

extern "C" {
extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &eigen, NULL };
}
