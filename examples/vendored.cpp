/* vendored.cpp: an emitted module without libspmv, in C++17: vendored.c as a class that owns its
 * layout.
 *
 * Emitted files are valid C11 and C++, so a C++ compiler alone can build them:
 *
 *     g++ -std=c++17 -O3 -fopenmp -I c vendored.cpp -x c++ c/spmv_csr5__generic_c.c
 */
#include "spmv_modules__generic_c.h"

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

namespace {

/* Memory for a layout, a workspace or scratch. */
class aligned_memory {
public:
    aligned_memory() = default;
    explicit aligned_memory(std::size_t bytes)
        : data_(::operator new(bytes, std::align_val_t(SPMV_ALIGNMENT))) {}
    aligned_memory(aligned_memory &&other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    aligned_memory(const aligned_memory &) = delete;
    aligned_memory &operator=(const aligned_memory &) = delete;
    aligned_memory &operator=(aligned_memory &&) = delete;
    ~aligned_memory() { ::operator delete(data_, std::align_val_t(SPMV_ALIGNMENT)); }

    void *get() const { return data_; }

private:
    void *data_ = nullptr;
};

/* Threads share the chunks of a step, and finish the step before the next one starts. */
void run_steps(const spmv_job &job, const spmv_step *step, int32_t count)
{
    constexpr int64_t most_shares = 512;     /* shares of a step: several for each thread */

    for (int32_t i = 0; i < count; i++) {
        const int64_t grid = step[i].grid;
        const int64_t shares = grid < most_shares ? grid : most_shares;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int64_t share = 0; share < shares; share++)
            step[i].run(&job, share * grid / shares, (share + 1) * grid / shares);
    }
}

/* A matrix in the layout of a module. Borrows the arrays of its CSR. */
class matrix {
public:
    matrix(const spmv_module &module, const spmv_csr &csr) : module_(module)
    {
        check_module();
        layout_.csr = csr;
        for (int32_t i = 0; i < module.ops->setting_count; i++)
            layout_.setting[i] = module.ops->settings[i].initial;
        size_layout();
        for (int32_t i = 0; i < layout_.array_count; i++) {
            arrays_.emplace_back(layout_.array[i].bytes);
            layout_.array[i].data = layout_.array[i].bytes > 0 ? arrays_.back().get() : nullptr;
        }
        build();
    }
    matrix(const matrix &) = delete;
    matrix &operator=(const matrix &) = delete;

    /* Concurrent calls need a workspace each. */
    void multiply(double alpha, const double *x, double beta, double *y,
                  const aligned_memory &workspace) const
    {
        spmv_job job = {};
        std::array<spmv_step, SPMV_MAX_STEPS> step;

        job.layout = &layout_;
        job.alpha = alpha;
        job.beta = beta;
        job.x = x;
        job.y = y;
        job.workspace = workspace.get();
        run_steps(job, step.data(), module_.ops->launches(&job, step.data()));
    }

    std::size_t workspace_bytes() const { return layout_.workspace_bytes; }

private:
    /* In a module with another ABI only `abi` may be read. */
    void check_module() const
    {
        if (module_.abi != SPMV_MODULE_ABI)
            throw std::runtime_error("the module was emitted for another version of spmv_module.h");
        if (!module_.usable() || module_.program != nullptr)
            throw std::runtime_error("the module is not for this CPU");
    }

    void size_layout()
    {
        const aligned_memory scratch(module_.ops->sizing_bytes);

        layout_.scratch = scratch.get();
        const spmv_status status = module_.ops->layout_size(&layout_);
        layout_.scratch = nullptr;
        if (status != SPMV_OK)
            throw std::runtime_error("the method does not take this matrix");
    }

    void build() const
    {
        const aligned_memory scratch(layout_.build_bytes);
        spmv_job job = {};
        std::array<spmv_step, SPMV_MAX_STEPS> step;

        job.layout = &layout_;
        job.workspace = scratch.get();
        run_steps(job, step.data(), module_.ops->build_steps(&layout_, step.data()));
    }

    const spmv_module &module_;
    spmv_layout layout_ = {};
    std::vector<aligned_memory> arrays_;
};

void multiply_once()
{
    const std::vector<int32_t> row_ptr = {0, 2, 5, 5, 7};
    const std::vector<int32_t> col_idx = {0, 1, 0, 1, 2, 2, 3};
    const std::vector<double> val = {4, 1, 1, 4, 1, 1, 4};
    const std::vector<double> x = {1, 2, 3, 4};
    std::vector<double> y = {100, 100, 100, 100};
    spmv_csr csr = {};

    csr.rows = csr.cols = 4;
    csr.nnz = 7;
    csr.row_ptr = row_ptr.data();
    csr.col_idx = col_idx.data();
    csr.val = val.data();
    csr.offset_type = SPMV_I32;
    csr.value_type = SPMV_F64;
    const matrix a(spmv_csr5_f64_i32__generic_c, csr);
    const aligned_memory workspace(a.workspace_bytes());
    a.multiply(2.0, x.data(), 0.5, y.data(), workspace);
    std::printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
}

}  // namespace

int main()
{
    try {
        multiply_once();
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "vendored: %s\n", problem.what());
        return 1;
    }
    return 0;
}
