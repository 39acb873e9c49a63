// quick.cpp: quick.c in C++: a matrix that owns its plan, ranges of any kind, and exceptions.
//
//     c++ -std=c++17 quick.cpp $(pkg-config --cflags --libs spmv)
#include "spmv.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

int main()
{
    //     | 4 1 . . |          | 1 |
    // A = | 1 4 1 . |      x = | 2 |
    //     | . . . . |          | 3 |
    //     | . . 1 4 |          | 4 |
    const std::vector<std::int32_t> row_ptr = {0, 2, 5, 5, 7};
    const std::vector<std::int32_t> col_idx = {0, 1, 0, 1, 2, 2, 3};
    const std::vector<double> val = {4, 1, 1, 4, 1, 1, 4};
    const double x[] = {1, 2, 3, 4};
    std::array<double, 4> y = {100, 100, 100, 100};

    try {
        const spmv::matrix<double> a(4, 4, row_ptr, col_idx, val);
        a.multiply(2.0, x, 0.5, y);          // y = 2*A*x + 0.5*y
        std::printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
    } catch (const spmv::error &e) {
        std::fprintf(stderr, "quick: %s\n", e.what());
        return 1;
    }
}
