/* stored.h: the types that the values of a caller's matrix may have: those of modules, and 16-bit
 * floats. Size and alignment are 0 for a value that is not in the enum. */
#ifndef SPMV_STORED_H
#define SPMV_STORED_H

#include "runtime/base/types.h"

static inline int spmv_is_half(spmv_value_type type)
{
    return type == SPMV_F16 || type == SPMV_BF16;
}

static inline size_t spmv_stored_bytes(spmv_value_type type)
{
    return spmv_is_half(type) ? sizeof(uint16_t) : spmv_value_bytes(type);
}

static inline size_t spmv_stored_alignment(spmv_value_type type)
{
    return spmv_is_half(type) ? SPMV_ALIGNOF(uint16_t) : spmv_value_alignment(type);
}

static inline const char *spmv_stored_name(spmv_value_type type)
{
    return type == SPMV_F16 ? "f16" : type == SPMV_BF16 ? "bf16" : spmv_value_name(type);
}

#endif
