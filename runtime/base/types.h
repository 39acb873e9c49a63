/* types.h: sizes, alignments and names of the contract's types. Size and alignment are 0 for a
 * value that is not in the enum. */
#ifndef SPMV_TYPES_H
#define SPMV_TYPES_H

#include "runtime/spmv_module.h"

#ifdef __cplusplus
#define SPMV_ALIGNOF(type) alignof(type)
#else
#define SPMV_ALIGNOF(type) _Alignof(type)
#endif

static inline size_t spmv_value_bytes(spmv_value_type type)
{
    return type == SPMV_F32 ? sizeof(float) : type == SPMV_F64 ? sizeof(double) : 0;
}

static inline size_t spmv_value_alignment(spmv_value_type type)
{
    return type == SPMV_F32 ? SPMV_ALIGNOF(float) : type == SPMV_F64 ? SPMV_ALIGNOF(double) : 0;
}

static inline const char *spmv_value_name(spmv_value_type type)
{
    return type == SPMV_F32 ? "f32" : type == SPMV_F64 ? "f64" : type == SPMV_F16 ? "f16"
           : type == SPMV_BF16 ? "bf16" : "unknown";
}

/* The values of a caller's matrix may also be 16-bit floats. */
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

static inline size_t spmv_offset_bytes(spmv_offset_type type)
{
    return type == SPMV_I32 ? sizeof(int32_t) : type == SPMV_I64 ? sizeof(int64_t) : 0;
}

static inline size_t spmv_offset_alignment(spmv_offset_type type)
{
    return type == SPMV_I32 ? SPMV_ALIGNOF(int32_t) : type == SPMV_I64 ? SPMV_ALIGNOF(int64_t) : 0;
}

static inline int64_t spmv_offset_at(const spmv_csr *csr, int64_t row)
{
    return csr->offset_type == SPMV_I32 ? ((const int32_t *)csr->row_ptr)[row]
                                        : ((const int64_t *)csr->row_ptr)[row];
}

static inline const char *spmv_offset_name(spmv_offset_type type)
{
    return type == SPMV_I32 ? "i32" : type == SPMV_I64 ? "i64" : "unknown";
}

static inline int spmv_is_aligned(const void *pointer, size_t alignment)
{
    return (uintptr_t)pointer % alignment == 0;
}

#endif
