/* user_loop.c: see user_loop.h. Compiled twice, with different options: USER_LOOPS is the name of
 * the table. */
#include "bench/yardsticks/user_loop.h"

#define DEFINE_LOOP(name, offset, value)                                                           \
    static void name(int64_t rows, const void *row_ptr_, const int32_t *col, const void *val_,     \
                     const void *x_, void *y_)                                                     \
    {                                                                                              \
        const offset *row_ptr = row_ptr_;                                                          \
        const value *val = val_, *x = x_;                                                          \
        value *y = y_;                                                                             \
                                                                                                   \
        for (int64_t row = 0; row < rows; row++) {                                                 \
            value sum = 0;                                                                         \
            for (offset k = row_ptr[row]; k < row_ptr[row + 1]; k++)                               \
                sum += val[k] * x[col[k]];                                                         \
            y[row] = sum;                                                                          \
        }                                                                                          \
    }

DEFINE_LOOP(loop_i32_f32, int32_t, float)
DEFINE_LOOP(loop_i32_f64, int32_t, double)
DEFINE_LOOP(loop_i64_f32, int64_t, float)
DEFINE_LOOP(loop_i64_f64, int64_t, double)

bench_user_loop *const USER_LOOPS[2][2] = {
    { loop_i32_f32, loop_i32_f64 }, { loop_i64_f32, loop_i64_f64 }
};
