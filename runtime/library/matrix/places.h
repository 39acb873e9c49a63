/* places.h: arrays of offsets and of entries' indices, of either width. Where `bytes` is a literal,
 * a loop has no test of the width. */
#ifndef SPMV_PLACES_H
#define SPMV_PLACES_H

#include "runtime/spmv_module.h"

/* ---- offsets: int32_t or int64_t ------------------------------------------------------------- */

SPMV_INLINED int64_t spmv_get_offset(const void *offsets, int64_t index, size_t bytes)
{
    return bytes == sizeof(int32_t) ? ((const int32_t *)offsets)[index]
                                    : ((const int64_t *)offsets)[index];
}

SPMV_INLINED void spmv_set_offset(void *offsets, int64_t index, int64_t value, size_t bytes)
{
    if (bytes == sizeof(int32_t))
        ((int32_t *)offsets)[index] = (int32_t)value;
    else
        ((int64_t *)offsets)[index] = value;
}

/* ---- places: uint32_t or uint64_t, indices of entries ---------------------------------------- */

SPMV_INLINED int64_t spmv_get_place(const void *places, int64_t index, size_t bytes)
{
    return bytes == sizeof(uint32_t) ? (int64_t)((const uint32_t *)places)[index]
                                     : (int64_t)((const uint64_t *)places)[index];
}

SPMV_INLINED void spmv_set_place(void *places, int64_t index, int64_t value, size_t bytes)
{
    if (bytes == sizeof(uint32_t))
        ((uint32_t *)places)[index] = (uint32_t)value;
    else
        ((uint64_t *)places)[index] = (uint64_t)value;
}

#endif
