// wrapper.cpp: the properties of runtime/spmv.hpp. test_wrapper.py compiles it with several
// compilers and standards; each case is a line of TAP.
#include "spmv.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

static int run = 0, failed = 0;

static void ok(bool passed, const char *name)
{
    std::printf("%s %d - %s\n", passed ? "ok" : "not ok", ++run, name);
    failed += !passed;
}

// A pointer and a size, as views were before std::span; and as a class that frees its elements.
template <class T> struct view {
    T *first;
    std::size_t count;
    T *data() const { return first; }
    std::size_t size() const { return count; }
};
struct buffer : view<int> {
    buffer() : view<int>{new int[1], 1} {}
    ~buffer() { delete[] first; }
};

static_assert(spmv::outlives_call<std::vector<int> &>());
static_assert(spmv::outlives_call<const int (&)[3]>());
static_assert(spmv::outlives_call<view<int>>() && spmv::outlives_call<const view<const int>>());
static_assert(!spmv::outlives_call<std::vector<int>>());
static_assert(!spmv::outlives_call<const std::vector<int>>());
static_assert(!spmv::outlives_call<std::array<int, 3>>());
static_assert(!spmv::outlives_call<std::array<const int, 3>>());
static_assert(!spmv::outlives_call<std::initializer_list<int>>());
static_assert(!spmv::outlives_call<int[3]>() && !spmv::outlives_call<buffer>());

// What a call throws: "" for nothing, else the text.
template <class Call> static std::string thrown(spmv_status status, Call call)
{
    try {
        call();
    } catch (const spmv::error &e) {
        return e.status == status ? e.what() : "another status";
    }
    return "";
}

static bool has(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

template <class Offset, class Value> static void test_types(const char *name)
{
    const std::vector<Offset> row_ptr = {1, 3, 3, 4};            // base 1, an empty row
    const std::array<std::int32_t, 3> col_idx = {1, 2, 2};
    const Value val[] = {1, 2, 3};
    const std::vector<Value> x = {10, 20};
    std::vector<Value> y = {1, 1, 1};

    const spmv::matrix<Value> a(3, 2, row_ptr, col_idx, val);
    a.multiply(2, x, -1, y);
    ok(y == std::vector<Value>{99, -1, 119}, name);
}

// The product of a matrix of 3 x 2 with two vectors, and that of its transpose.
static void test_products()
{
    const std::vector<std::int32_t> row_ptr = {0, 2, 2, 3}, col_idx = {0, 1, 1};
    const std::vector<double> val = {1, 2, 3};
    const std::vector<double> by_rows = {10, 1, 20, 2}, by_columns = {10, 20, 1, 2};
    const std::vector<double> x = {10, 20, 30};
    std::vector<double> y(6, 1), z(2);
    spmv_plan_options options = {};

    const spmv::matrix<double> a(3, 2, row_ptr, col_idx, val);
    a.multiply(SPMV_ROW_MAJOR, 2, 2, by_rows, -1, y);
    ok(y == std::vector<double>{99, 9, -1, -1, 119, 11}, "two vectors, row-major");
    a.multiply(SPMV_COLUMN_MAJOR, 2, 1, by_columns, 0, y);
    ok(y == std::vector<double>{50, 0, 60, 5, 0, 6}, "two vectors, column-major");
    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { a.multiply(SPMV_ROW_MAJOR, 2, 1, x, 0, y); }) ==
       "x has 3 elements, expected 4", "vectors of another size are refused");
    options.transposed = 1;
    const spmv::matrix<double> t(3, 2, row_ptr, col_idx, val, options);
    t.multiply(1, x, 0, z);
    ok(z == std::vector<double>{10, 110}, "options.transposed multiplies by the transpose");
}

// Values of other types than the vectors, and rounded ones.
static void test_mixed()
{
    const std::vector<std::int32_t> row_ptr = {0, 2, 2, 3}, col_idx = {0, 1, 1};
    const std::vector<float> single = {1, 2, 3};
    const std::vector<spmv::f16> half = {{0x3c00}, {0x4000}, {0x4200}};
    const std::vector<spmv::bf16> brain = {{0x3f80}, {0x4000}, {0x4040}};
    const std::vector<double> third = {1 / 3.0, 0, 0}, x = {10, 20}, expected = {50, 0, 60};
    const std::vector<float> xf = {10, 20};
    std::vector<double> y(3);
    std::vector<float> yf(3);
    spmv_plan_options options = {};

    spmv::matrix<double, float>(3, 2, row_ptr, col_idx, single).multiply(1, x, 0, y);
    ok(y == expected, "values of float, vectors of double");
    spmv::matrix<double, spmv::bf16>(3, 2, row_ptr, col_idx, brain).multiply(1, x, 0, y);
    ok(y == expected, "values of bf16, vectors of double");
    spmv::matrix<float, spmv::f16>(3, 2, row_ptr, col_idx, half).multiply(1, xf, 0, yf);
    ok(yf == std::vector<float>{50, 0, 60}, "values of f16, vectors of float");
    options.round_to = SPMV_F32;
    spmv::matrix<double>(3, 2, row_ptr, col_idx, third, options).multiply(1, x, 0, y);
    ok(y[0] == 10 * static_cast<double>(static_cast<float>(1 / 3.0)), "options.round_to rounds");
}

// A diagonal matrix of two rows, without its values.
static const std::vector<std::int32_t> offsets = {0, 1, 2}, columns = {0, 1};
static const std::vector<double> x34 = {3, 4};

#ifdef ARRAYS
// test_wrapper.py sees that temporaries are refused.
void read_freed_memory(const std::vector<double> &val)
{
    spmv::matrix<double>(2, 2, ARRAYS);
}
#endif

static double first_of(const spmv::matrix<double> &a)
{
    double y[2] = {0, 0};
    a.multiply(1, x34, 0, y);
    return y[0];
}

static void test_ownership()
{
    using matrix = spmv::matrix<double>;
    static_assert(!std::is_copy_constructible_v<matrix> && !std::is_copy_assignable_v<matrix>);
    static_assert(std::is_nothrow_move_constructible_v<matrix>);
    static_assert(std::is_nothrow_move_assignable_v<matrix>);
    std::vector<double> val = {5, 6};
    spmv_plan_options options = {};

    options.copy = 1;
    matrix a(2, 2, offsets, columns, val, options);
    val = {7, 8};
    ok(first_of(a) == 15, "options are the plan's: a copy of the arrays");
    matrix b(2, 2, offsets, columns, val);
    matrix c(std::move(a));
    ok(first_of(c) == 15, "a moved matrix multiplies");
    c = std::move(b);
    ok(first_of(c) == 21, "a matrix replaces another");
    ok(has(thrown(SPMV_INVALID_ARGUMENT, [&] { first_of(b); }), "moved from"),
       "a matrix that was moved from refuses to multiply");
    const std::shared_ptr<spmv_device> device = spmv::device();
    ok(device == spmv::device() && spmv_device_module_count(device.get()) > 0,
       "all matrices share a device");
}

static void test_errors()
{
    using matrix = spmv::matrix<double>;
    const std::vector<double> val = {5, 6};
    const std::vector<std::int32_t> empty, outside = {0, 9};
    spmv_plan_options options = {};
    const matrix a(2, 2, offsets, columns, val);
    std::vector<double> y = {1, 2, 3};
    std::array<double, 2> z = {3, 4};

    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { a.multiply(1, x34, 0, y); }) ==
       "y has 3 elements, expected 2", "y of another size is refused");
    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { a.multiply(1, y, 0, z); }) ==
       "x has 3 elements, expected 2", "x of another size is refused");
    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { matrix(3, 2, offsets, columns, val); }) ==
       "row_ptr has 3 elements, expected 4", "row_ptr of another size is refused");
    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { matrix(-1, 2, empty, columns, val); }) ==
       "rows is negative", "a negative number of rows is refused");
    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { matrix(0, 2, empty, columns, val); }) ==
       "row_ptr has 0 elements, expected 1", "an empty row_ptr is refused");
    ok(thrown(SPMV_INVALID_ARGUMENT, [&] { matrix(2, 2, offsets, columns, y); }) ==
       "val has 3 elements, expected 2", "val of another size is refused");
    options.full_check = 1;
    ok(has(thrown(SPMV_INVALID_MATRIX, [&] { matrix(2, 2, offsets, outside, val, options); }),
           "col_idx"), "a refused matrix throws libspmv's text");
    options.method = "nothing";
    ok(has(thrown(SPMV_UNSUPPORTED, [&] { matrix(2, 2, offsets, columns, val, options); }),
           "nothing"), "as does an unknown method");
    ok(thrown(SPMV_ALIASING, [&] { a.multiply(1, z, 0, z); }) ==
       spmv_status_text(SPMV_ALIASING), "a failed multiplication throws the status's text");
}

int main()
{
    test_types<std::int32_t, double>("int32_t, double");
    test_types<std::int64_t, double>("int64_t, double");
    test_types<std::int32_t, float>("int32_t, float");
    test_types<std::int64_t, float>("int64_t, float");
#if __cplusplus >= 202002L
    std::vector<double> y = {0, 0};
    const std::vector<double> val = {5, 6};
    const spmv::matrix<double> a(2, 2, std::span(offsets), std::span(columns), std::span(val));
    a.multiply(1, std::span(x34), 0, std::span(y));
    ok(y[1] == 24, "std::span");
#endif
    test_products();
    test_mixed();
    test_ownership();
    test_errors();
    std::printf("1..%d\n", run);
    return failed ? 1 : 0;
}
