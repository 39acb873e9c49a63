/* fetched.c: see fetched.h. Thread-safe: no shared state. */
#include "runtime/library/devices/fetched.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/library/matrix/admit.h"
#include "runtime/base/types.h"
#include "runtime/library/devices/device.h"

#include <string.h>

static spmv_status look(const spmv_device *device, const void *array, int *is_hidden,
                        spmv_error *err)
{
    const spmv_module_filter *filter = &device->filter;

    *is_hidden = 0;
    if (filter->backend == NULL || filter->backend->look == NULL || array == NULL)
        return SPMV_OK;
    return filter->backend->look(filter->backend_state, array, is_hidden, err);
}

spmv_status spmv_fetch_array(const spmv_device *device, const char *name, const void *array,
                             size_t bytes, void **copy, spmv_error *err)
{
    const spmv_module_filter *filter = &device->filter;
    int is_hidden;
    spmv_status status = look(device, array, &is_hidden, err);

    *copy = NULL;
    if (status != SPMV_OK || !is_hidden)
        return status;
    *copy = spmv_memory_alloc_streamed(bytes);
    if (*copy == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                              "no memory of the host for a copy of %.32s, %zu bytes, from the "
                              "device", name, bytes);
    status = filter->backend->fetch(filter->backend_state, name, array, bytes, *copy, err);
    if (status == SPMV_OK)
        return SPMV_OK;
    spmv_memory_free(*copy);
    *copy = NULL;
    return status;
}

static spmv_status is_any_hidden(const spmv_device *device, const void *const array[],
                                 int *is_hidden, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    *is_hidden = 0;
    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK && !*is_hidden; i++)
        status = look(device, array[i], is_hidden, err);
    return status;
}

spmv_status spmv_fetched_take(const spmv_device *device, const spmv_csr *csr,
                              spmv_fetched *fetched, spmv_error *err)
{
    static const char *const name[SPMV_CSR_ARRAYS] = {
        [SPMV_ROW_PTR] = "row_ptr", [SPMV_COL_IDX] = "col_idx", [SPMV_VAL] = "val",
    };
    const void *array[SPMV_CSR_ARRAYS];
    const double start = spmv_seconds_now();
    int is_hidden;
    spmv_status status;

    memset(fetched, 0, sizeof *fetched);
    if (csr == NULL)
        return SPMV_OK;
    fetched->csr = *csr;
    array[SPMV_ROW_PTR] = csr->row_ptr;
    array[SPMV_COL_IDX] = csr->col_idx;
    array[SPMV_VAL] = csr->val;
    status = is_any_hidden(device, array, &is_hidden, err);
    if (status != SPMV_OK || !is_hidden ||
        (status = spmv_matrix_check_sizes(csr, err)) != SPMV_OK)
        return status;
    const size_t bytes[SPMV_CSR_ARRAYS] = {
        [SPMV_ROW_PTR] = ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type),
        [SPMV_COL_IDX] = (size_t)csr->nnz * sizeof(int32_t),
        [SPMV_VAL] = (size_t)csr->nnz * spmv_stored_bytes(csr->value_type),
    };
    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        status = spmv_fetch_array(device, name[i], array[i], bytes[i], &fetched->copy[i], err);
    if (fetched->copy[SPMV_ROW_PTR] != NULL)
        fetched->csr.row_ptr = fetched->copy[SPMV_ROW_PTR];
    if (fetched->copy[SPMV_COL_IDX] != NULL)
        fetched->csr.col_idx = (const int32_t *)fetched->copy[SPMV_COL_IDX];
    if (fetched->copy[SPMV_VAL] != NULL)
        fetched->csr.val = fetched->copy[SPMV_VAL];
    fetched->seconds = spmv_seconds_now() - start;
    return status;
}

int spmv_fetched_has_copies(const spmv_fetched *fetched)
{
    int count = 0;

    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        count += fetched->copy[i] != NULL;
    return count > 0;
}

void spmv_fetched_free(spmv_fetched *fetched)
{
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        spmv_memory_free(fetched->copy[i]);
    memset(fetched, 0, sizeof *fetched);
}
