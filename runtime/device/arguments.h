/* arguments.h: what the arguments of a program's kernels are, whatever device they are for: what a
 * name stands for (found when a plan is made), and the values of those that are no pointers. Pure
 * functions; everything may run at once. */
#ifndef SPMV_ARGUMENTS_H
#define SPMV_ARGUMENTS_H

#include "runtime/spmv.h"

/* Where an argument comes from. Those from FROM_CSR to FROM_Y are pointers. */
typedef enum spmv_source {
    SPMV_FROM_NOTHING, SPMV_FROM_CSR, SPMV_FROM_ARRAY, SPMV_FROM_PART, SPMV_FROM_X, SPMV_FROM_Y,
    SPMV_FROM_ALPHA, SPMV_FROM_BETA, SPMV_FROM_ROWS, SPMV_FROM_COLS, SPMV_FROM_NNZ, SPMV_FROM_BASE,
    SPMV_FROM_NUMBER
} spmv_source;

typedef struct spmv_binding {
    spmv_source source;
    int32_t index;               /* of FROM_CSR, FROM_ARRAY, FROM_PART, FROM_NUMBER */
} spmv_binding;

typedef spmv_binding spmv_bindings[SPMV_MAX_KERNELS][SPMV_MAX_ARGUMENTS];

/* Finds what every argument of the module's kernels is. SPMV_ABI_MISMATCH: one is nothing. */
spmv_status spmv_arguments_bind(const spmv_module *module, const spmv_layout *layout,
                                spmv_bindings bindings, spmv_error *err);

typedef union spmv_scalar {
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
} spmv_scalar;

/* The value of an argument that is none of a pointer, and how many bytes it has: 0 for a pointer. */
size_t spmv_argument_value(const spmv_job *job, spmv_binding binding, spmv_argument_kind kind,
                           spmv_scalar *value);

#endif
