/* fetched.h: a caller's matrix in memory of the host, where layouts are built: the caller's arrays,
 * or temporary copies of those that are in memory of the device. */
#ifndef SPMV_FETCHED_H
#define SPMV_FETCHED_H

#include "runtime/core/layout.h"

typedef struct spmv_fetched {
    spmv_csr csr;                /* all arrays can be read by the host */
    void *copy[SPMV_CSR_ARRAYS]; /* owned; NULL: the caller's array is used */
    double seconds;              /* that the copies took */
} spmv_fetched;

/* Checks types, sizes and pointers of the matrix before it copies anything. csr may be NULL; then
 * there is nothing to fetch. Also after an error, spmv_fetched_free must follow. */
spmv_status spmv_fetched_take(const spmv_device *device, const spmv_csr *csr,
                              spmv_fetched *fetched, spmv_error *err);
int spmv_fetched_has_copies(const spmv_fetched *fetched);
void spmv_fetched_free(spmv_fetched *fetched);

/* Copies an array of `bytes` bytes to the host, in memory of spmv_memory_alloc. *copy == NULL with
 * SPMV_OK: the host can read the array itself. */
spmv_status spmv_fetch_array(const spmv_device *device, const char *name, const void *array,
                             size_t bytes, void **copy, spmv_error *err);

#endif
