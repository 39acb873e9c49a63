/* arguments.h: the arguments of a program's kernels, on any device. Names are resolved when a plan
 * is made; values of scalar arguments are computed for each multiplication. Pure functions. */
#ifndef SPMV_ARGUMENTS_H
#define SPMV_ARGUMENTS_H

#include "runtime/spmv.h"

/* The source of an argument. Those from FROM_CSR to FROM_Y are pointers. */
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

/* Resolves the arguments of all kernels of the module. SPMV_ABI_MISMATCH: a name is unknown. */
spmv_status spmv_arguments_bind(const spmv_module *module, const spmv_layout *layout,
                                spmv_bindings bindings, spmv_error *err);

typedef union spmv_scalar {
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
} spmv_scalar;

/* Writes the value of a scalar argument and returns its size in bytes; 0 for a pointer. */
size_t spmv_argument_value(const spmv_job *job, spmv_binding binding, spmv_argument_kind kind,
                           spmv_scalar *value);

#endif
