/* toy_library.c: the toy modules as a shared object. */
#include "toy.c"

extern const spmv_module *const spmv_module_table[];
const spmv_module *const spmv_module_table[] = {
    &toy_rows_f64_i32, &toy_rows_f32_i64, &toy_parts_f64_i32, &toy_fast_f64_i32,
    &toy_unusable_f64_i32, &toy_loose_f64_i32, NULL,
};
