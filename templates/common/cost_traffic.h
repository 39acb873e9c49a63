/* cost_traffic.h: bytes that multiplying a CSR matrix moves, and the cache misses that follow from
 * its size, for the cost models by which methods are chosen. */
#ifndef SPMV_COMMON_COST_TRAFFIC_H
#define SPMV_COMMON_COST_TRAFFIC_H

#include "../prelude/host.h"

/* Bytes of values, columns, row pointers, x and y, each moved once. */
static f64 csr_traffic(const spmv_csr *csr)
{
    const u32 value = value_bytes(csr);

    return (f64)csr->nnz * entry_bytes(csr) +
           (f64)csr->rows * (offset_bytes(csr) + value) + (f64)csr->cols * value;
}

/* Number of nonzeros whose x is expected to miss the first-level cache. */
static f64 far_nonzeros(const spmv_csr *csr)
{
    const f64 near = 40000;      /* bytes of x that the cache holds */
    const f64 bytes = (f64)csr->cols * value_bytes(csr);

    return bytes > near ? (f64)csr->nnz * (1 - near / bytes) : 0;
}

/* Number of 12-byte units of a layout as large as CSR that exceed the caches. A build pays cycles
 * for each, since the memory is newly allocated. */
static f64 new_memory_units(const spmv_csr *csr)
{
    const f64 held = 1500000;    /* bytes in the caches */
    const f64 bytes = (f64)csr->nnz * entry_bytes(csr) +
                      (f64)csr->rows * sizeof(i32);

    return bytes > held ? (bytes - held) / 12 : 0;
}

#endif
