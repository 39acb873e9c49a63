/* csr_traffic.c: what a matrix in CSR moves, and what its size costs a CPU, for the costs that
 * methods are chosen by. */

/* Values, columns and row pointers once, x and y once. */
static f64 csr_traffic(const spmv_csr *csr)
{
    const u32 value = value_bytes(csr);

    return (f64)csr->nnz * entry_bytes(csr) +
           (f64)csr->rows * (offset_bytes(csr) + value) + (f64)csr->cols * value;
}

/* Nonzeros whose x is not in the first cache. */
static f64 far_nonzeros(const spmv_csr *csr)
{
    const f64 near = 40000;      /* bytes of x that are */
    const f64 bytes = (f64)csr->cols * value_bytes(csr);

    return bytes > near ? (f64)csr->nnz * (1 - near / bytes) : 0;
}

/* What building pays for the bytes of CSR that the caches hold no more, when memory is new. */
static f64 new_memory_cycles(const spmv_csr *csr)
{
    const f64 held = 1500000;
    const f64 bytes = (f64)csr->nnz * entry_bytes(csr) +
                      (f64)csr->rows * sizeof(i32);

    return bytes > held ? (bytes - held) / 12 : 0;
}
