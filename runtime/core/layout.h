/* layout.h: getting a module's layout of a matrix, and properties of a layout. */
#ifndef SPMV_LAYOUT_H
#define SPMV_LAYOUT_H

#include "runtime/spmv.h"

/* The arrays of a CSR. */
enum { SPMV_ROW_PTR, SPMV_COL_IDX, SPMV_VAL, SPMV_CSR_ARRAYS };

/* The initial values of the module's settings. */
void spmv_initial_settings(const spmv_module *module, int64_t setting[SPMV_MAX_SETTINGS]);

/* Gets the module's layout of a checked matrix with these settings. val_type: as of the layout.
 * scratch: ops->sizing_bytes bytes, aligned to SPMV_ALIGNMENT. SPMV_ABI_MISMATCH: the layout breaks
 * the module contract. The module may also decline the matrix. Arrays are not allocated: their
 * pointers are NULL. */
spmv_status spmv_layout_size_with(const spmv_module *module, const spmv_csr *csr, int32_t val_type,
                                  const int64_t setting[SPMV_MAX_SETTINGS], void *scratch,
                                  spmv_layout *layout, spmv_error *err);

/* Whether the module's layout_size, which returned `status`, keeps the module contract. If not,
 * *err says why. From the shell. */
int spmv_layout_is_sound(const spmv_module *module, const spmv_layout *layout, spmv_status status,
                         spmv_error *err);

/* Whether the area overlaps one of the layout's arrays. */
int spmv_layout_overlaps(const spmv_layout *layout, const void *memory, size_t bytes);

/* An array of the matrix. bytes == 0: the layout does not borrow it. */
typedef struct spmv_borrowed {
    const char *name;
    const void *data;
    size_t bytes;
} spmv_borrowed;

/* which: SPMV_ROW_PTR, SPMV_COL_IDX or SPMV_VAL. */
spmv_borrowed spmv_layout_borrowed(const spmv_layout *layout, int which);

/* Values of x and of y: cols and rows of csr, or rows and cols if the module transposes. */
int64_t spmv_layout_x_count(const spmv_layout *layout, const spmv_method_ops *ops);
int64_t spmv_layout_y_count(const spmv_layout *layout, const spmv_method_ops *ops);

/* Bytes of the vectors of a module that does not transpose, as those of devices. */
size_t spmv_layout_x_bytes(const spmv_layout *layout);
size_t spmv_layout_y_bytes(const spmv_layout *layout);

/* Whether host steps use parts of the workspace. */
int spmv_layout_has_host_parts(const spmv_layout *layout);

#endif
