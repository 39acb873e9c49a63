/* toy.h: hand-written modules, so that the runtime's tests need no emitted code.
 *
 * toy_rows multiplies the caller's CSR without conversion. toy_parts has layout arrays, a workspace
 * and three steps: it cuts the nonzeros into chunks of three, across rows, and adds the later
 * chunks of a row as carries. By their estimates toy_rows is cheaper below a hundred nonzeros.
 */
#ifndef TEST_TOY_H
#define TEST_TOY_H

#include "runtime/spmv_module.h"

extern const spmv_module toy_rows_f64_i32, toy_rows_f32_i64;
extern const spmv_module toy_parts_f64_i32;
extern const spmv_module toy_fast_f64_i32;       /* toy_rows for target "toy-fast", of rank 50 */
extern const spmv_module toy_unusable_f64_i32;   /* toy_rows for no existing CPU, of rank 99 */
extern const spmv_module toy_loose_f64_i32;      /* "toy_loose", benchmark only, of cost 0 */

extern const spmv_module *const toy_modules[];   /* all of the above */

int32_t toy_is_usable(void);

/* If set, toy_parts calls the function once during an execute. */
extern void (*toy_during_execute)(void);

#endif
