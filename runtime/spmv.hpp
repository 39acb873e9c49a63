// spmv.hpp: libspmv for C++17 and later: a matrix that owns its plan, ranges, and exceptions.
//
//     std::vector<std::int32_t> row_ptr, col_idx;  std::vector<double> val, x, y;
//     spmv::matrix<double> a(rows, cols, row_ptr, col_idx, val);
//     a.multiply(1.0, x, 0.0, y);          // y = 1.0*A*x + 0.0*y
//
// A matrix can be moved, not copied. Like a plan, it borrows the caller's arrays: keep them
// unchanged while the matrix exists, or set options.copy. For all other calls of spmv.h, such as
// concurrent multiplications, there is a.plan().
#ifndef SPMV_HPP
#define SPMV_HPP

#include "spmv.h"

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace spmv {

// A failed call. what() is the text of spmv_error.
struct error : std::runtime_error {
    error(spmv_status code, const std::string &text) : std::runtime_error(text), status(code) {}
    spmv_status status;
};

// The elements of a contiguous range: of a vector, an array, a std::span.
template <class T> struct view {
    template <class Range, class = std::enable_if_t<std::is_convertible_v<
                               decltype(std::data(std::declval<Range &>())), T *>>>
    view(Range &&range) : first(std::data(range)), count(std::size(range)) {}
    T *first;
    std::size_t count;
};

// A: Value is float or double.
template <class Value> class matrix {
public:
    // row_ptr: rows + 1 elements of std::int32_t or std::int64_t; the first is the base, 0 or 1.
    // options.struct_size need not be set. device: the caller's, who closes it after the matrix is
    // destroyed; nullptr: the matrix opens one.
    template <class Range>
    matrix(std::int64_t rows, std::int64_t cols, const Range &row_ptr,
           view<const std::int32_t> col_idx, view<const Value> val, spmv_plan_options options = {},
           spmv_device *device = nullptr)
    {
        using offset = std::decay_t<decltype(*std::data(row_ptr))>;
        static_assert(std::is_same_v<offset, std::int32_t> || std::is_same_v<offset, std::int64_t>);
        static_assert(std::is_same_v<Value, float> || std::is_same_v<Value, double>);
        const std::uint64_t row_count = rows < 0 ? 0 : static_cast<std::uint64_t>(rows);
        require("row_ptr", std::size(row_ptr), row_count + 1);
        const offset *const offsets = std::data(row_ptr);
        const std::int32_t base = offsets[0] == 1;
        const std::int64_t nnz = offsets[row_count] - base;
        require("col_idx", col_idx.count, static_cast<std::uint64_t>(nnz));
        require("val", val.count, static_cast<std::uint64_t>(nnz));

        const spmv_csr csr = {rows, cols, nnz, offsets, col_idx.first, val.first, base,
                              sizeof(offset) == 4 ? SPMV_I32 : SPMV_I64,
                              sizeof(Value) == 4 ? SPMV_F32 : SPMV_F64};
        spmv_error err = {SPMV_OK, ""};
        spmv_device *own = nullptr;
        spmv_plan *plan = nullptr;
        if (device == nullptr)
            check(spmv_device_open(nullptr, &own, &err), err.text);
        options.struct_size = sizeof options;
        if (spmv_plan_create(own ? own : device, &csr, &options, &plan, &err) != SPMV_OK)
            spmv_device_close(own);
        check(err.status, err.text);
        plan_ = std::unique_ptr<spmv_plan, closer>(plan, closer{own});
    }

    // y = alpha*A*x + beta*y, in the plan's own workspace: one call at a time.
    void multiply(Value alpha, view<const Value> x, Value beta, view<Value> y) const
    {
        spmv_plan_info info = {};
        info.struct_size = sizeof info;
        check(spmv_plan_query(plan(), &info), "the matrix was moved from");
        require("x", x.count, static_cast<std::uint64_t>(info.cols));
        require("y", y.count, static_cast<std::uint64_t>(info.rows));
        const spmv_status status = spmv_execute(plan(), static_cast<double>(alpha), x.first,
                                                static_cast<double>(beta), y.first, nullptr);
        check(status, spmv_status_text(status));
    }

    spmv_plan *plan() const { return plan_.get(); }

private:
    struct closer {
        spmv_device *device = nullptr;       // nullptr: the caller closes it
        void operator()(spmv_plan *p) const { spmv_plan_destroy(p), spmv_device_close(device); }
    };

    static void check(spmv_status status, const char *text)
    {
        if (status != SPMV_OK)
            throw error(status, text);
    }
    static void require(const char *name, std::uint64_t found, std::uint64_t expected)
    {
        if (found != expected)
            throw error(SPMV_INVALID_ARGUMENT, std::string(name) + " has " +
                        std::to_string(found) + " elements, expected " + std::to_string(expected));
    }

    std::unique_ptr<spmv_plan, closer> plan_;
};

}  // namespace spmv

#endif
