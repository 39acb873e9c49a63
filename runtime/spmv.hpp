// spmv.hpp: libspmv for C++17 and later: a matrix that owns its plan, ranges, and exceptions.
//
//     std::vector<std::int32_t> row_ptr, col_idx;  std::vector<double> val, x, y;
//     spmv::matrix<double> a(rows, cols, row_ptr, col_idx, val);
//     a.multiply(1.0, x, 0.0, y);          // y = 1.0*A*x + 0.0*y
//
// A matrix can be moved, not copied. Like a plan, it borrows the caller's arrays: keep them
// unchanged while the matrix exists, or set options.copy. Temporaries that own their elements, such
// as the std::vector that a function returns, do not compile. For all other calls of spmv.h, such
// as concurrent multiplications, there are a.plan() and spmv::device().
#ifndef SPMV_HPP
#define SPMV_HPP

#include "spmv.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

inline void check(spmv_status status, const char *text) { if (status) throw error(status, text); }

// The object that a function of spmv.h creates.
template <class T, class Call, class... Arguments> T *create(Call call, Arguments... arguments)
{
    T *object = nullptr;
    spmv_error err = {};
    check(call(arguments..., &object, &err), err.text);
    return object;
}

// The device of all matrices, opened by the first. The last owner closes it.
inline std::shared_ptr<spmv_device> device()
{
    static const std::shared_ptr<spmv_device> shared(
        create<spmv_device>(spmv_device_open, nullptr), spmv_device_close);
    return shared;
}

// The elements of a contiguous range, such as a vector, an array or a std::span.
template <class T, class Range> T *sized(Range &range, std::int64_t expected, const char *name)
{
    const std::size_t found = std::size(range);
    if (found == static_cast<std::uint64_t>(expected))
        return std::data(range);
    throw error(SPMV_INVALID_ARGUMENT, std::string(name) + " has " + std::to_string(found) +
                " elements, expected " + std::to_string(expected));
}

// Whether the elements of an argument of type Range && exist after the call: those of a named range
// and of a temporary view, such as a std::span. A view is copied like a pointer, and a const view
// does not make its elements const.
template <class> struct has_elements : std::false_type {};
template <class T, std::size_t N> struct has_elements<T[N]> : std::true_type {};
template <class T, std::size_t N> struct has_elements<std::array<T, N>> : std::true_type {};
template <class T> struct has_elements<std::initializer_list<T>> : std::true_type {};

template <class Range> constexpr bool outlives_call()
{
    using range = std::remove_cv_t<std::remove_reference_t<Range>>;
    using element = decltype(std::data(std::declval<range &>()));
    using const_element = decltype(std::data(std::declval<const range &>()));

    return std::is_lvalue_reference_v<Range> ||
           (std::is_trivially_copyable_v<range> && !has_elements<range>::value &&
            std::is_same_v<element, const_element>);
}

// Numbers of 16 bits, by their bits: values of a matrix whose vectors are wider.
struct f16 { std::uint16_t bits; };      // IEEE binary16
struct bf16 { std::uint16_t bits; };     // bfloat16

template <class T> struct value_type;
template <> struct value_type<f16> { static constexpr spmv_value_type value = SPMV_F16; };
template <> struct value_type<bf16> { static constexpr spmv_value_type value = SPMV_BF16; };
template <> struct value_type<float> { static constexpr spmv_value_type value = SPMV_F32; };
template <> struct value_type<double> { static constexpr spmv_value_type value = SPMV_F64; };

// A: vectors of Value, which is float or double, and values of Stored, which is no wider.
template <class Value, class Stored = Value> class matrix {
    std::int64_t rows_, cols_;
    std::shared_ptr<spmv_device> device_ = device();     // outlives the plan
    std::unique_ptr<spmv_plan, decltype(&spmv_plan_destroy)> plan_{nullptr, spmv_plan_destroy};
public:
    // Contiguous ranges, named ones or views. row_ptr: rows + 1 elements of std::int32_t or
    // std::int64_t; the first is the base, 0 or 1. col_idx: std::int32_t. val: Stored.
    // options.struct_size and vector_type need not be set. With options.transposed the matrix
    // multiplies by its transpose.
    template <class Offsets, class Columns, class Values>
    matrix(std::int64_t rows, std::int64_t cols, Offsets &&row_ptr, Columns &&col_idx, Values &&val,
           spmv_plan_options options = {})
        : rows_(options.transposed ? cols : rows), cols_(options.transposed ? rows : cols)
    {
        static_assert(outlives_call<Offsets>() && outlives_call<Columns>() &&
                          outlives_call<Values>(),
                      "row_ptr, col_idx or val is a temporary, whose elements the matrix would "
                      "read after their end: give it a name that lives as long as the matrix");
        using offset = std::decay_t<decltype(*std::data(row_ptr))>;
        static_assert(std::is_same_v<offset, std::int32_t> || std::is_same_v<offset, std::int64_t>);
        static_assert(std::is_same_v<Value, float> || std::is_same_v<Value, double>);
        static_assert(sizeof(Stored) <= sizeof(Value));
        check(rows < 0 ? SPMV_INVALID_ARGUMENT : SPMV_OK, "rows is negative");
        const offset *const offsets = sized<const offset>(row_ptr, rows + 1, "row_ptr");
        const std::int32_t base = offsets[0] == 1;
        const std::int64_t nnz = offsets[rows] - base;
        const spmv_csr csr = {
            rows, cols, nnz, offsets, sized<const std::int32_t>(col_idx, nnz, "col_idx"),
            sized<const Stored>(val, nnz, "val"), base, spmv_offset_type(8 * sizeof(offset)),
            value_type<Stored>::value};
        options.struct_size = sizeof options;
        options.vector_type = value_type<Value>::value;
        plan_.reset(create<spmv_plan>(spmv_plan_create, device_.get(), &csr, &options));
    }

    // y = alpha*A*x + beta*y, in the plan's own workspace: one call at a time. x and y: contiguous
    // ranges of Value.
    template <class X, class Y> void multiply(Value alpha, const X &x, Value beta, Y &&y) const
    {
        check(plan_ ? SPMV_OK : SPMV_INVALID_ARGUMENT, "the matrix was moved from");
        const spmv_status status = spmv_execute(
            plan(), double(alpha), sized<const Value>(x, cols_, "x"), double(beta),
            sized<Value>(y, rows_, "y"), nullptr);
        check(status, spmv_status_text(status));
    }

    // Y = alpha*A*X + beta*Y for `columns` vectors, the columns of X and Y, in one call at a time.
    // x and y: contiguous ranges of Value without gaps between rows or columns.
    template <class X, class Y>
    void multiply(spmv_order order, std::int32_t columns, Value alpha, const X &x, Value beta,
                  Y &&y) const
    {
        check(plan_ ? SPMV_OK : SPMV_INVALID_ARGUMENT, "the matrix was moved from");
        const bool by_rows = order == SPMV_ROW_MAJOR;
        const spmv_status status = spmv_execute_columns(
            plan(), order, columns, double(alpha), sized<const Value>(x, cols_ * columns, "x"),
            std::max<std::int64_t>(by_rows ? columns : cols_, 1), double(beta),
            sized<Value>(y, rows_ * columns, "y"),
            std::max<std::int64_t>(by_rows ? columns : rows_, 1), nullptr);
        check(status, spmv_status_text(status));
    }

    spmv_plan *plan() const { return plan_.get(); }
};

}  // namespace spmv

#endif
