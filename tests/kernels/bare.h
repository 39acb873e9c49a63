/* bare.h: runs a module without libspmv, only by the module contract (runtime/spmv_module.h), in
 * memory where wrong accesses are errors.
 *
 * The caller's CSR, x, y, the workspace and every array of the layout lie in guards (guard.h). CSR
 * and x are never writable. The layout is writable only while it is built or updated. After the
 * build, arrays of the CSR that the layout does not borrow are not readable. With alpha = 0,
 * neither A nor x is readable. y and the workspace hold garbage before a multiplication. The chunks
 * of a step run on the calling thread, in the order that the caller chooses. A signal becomes an
 * error.
 *
 * A bare runner owns its memory and serves one matrix at a time, on one thread.
 */
#ifndef TEST_BARE_H
#define TEST_BARE_H

#include <stdbool.h>

#include "guard.h"
#include "runtime/spmv_module.h"

typedef struct bare bare;

/* How the chunks of a step are run. The contract allows every order, and no order changes a bit. */
typedef enum bare_order {
    BARE_WHOLE,                  /* all in one call */
    BARE_FORWARD,                /* one by one */
    BARE_BACKWARD,
    BARE_SHUFFLED,               /* ranges of any length, in any order */
    BARE_ORDERS
} bare_order;

typedef enum bare_fault {
    BARE_NO_FAULT,
    BARE_MEMORY,                 /* an access out of bounds, or a write to the layout in a launch */
    BARE_CHANGED,                /* wrote the caller's CSR or x */
    BARE_UNBORROWED,             /* read an array of the CSR that the layout does not borrow */
    BARE_ALPHA_ZERO,             /* read A or x with alpha = 0 */
    BARE_CONTRACT,               /* broke another rule of the contract */
    BARE_REFUSED,                /* layout_size returned an error, or the test has no memory */
    BARE_DECLINED,               /* layout_size declined the matrix: SPMV_UNSUPPORTED */
    BARE_FAULTS
} bare_fault;

bare *bare_create(const spmv_module *module);                    /* NULL: out of memory */
void bare_destroy(bare *b);                                      /* NULL is fine */

/* A value for each setting, for all later builds. A new bare runner has the initial values. */
void bare_set(bare *b, const int64_t *setting);

/* Copies the matrix, or its transpose if the module transposes, and builds the layout. `side`: the
 * side of their guards where arrays lie. */
bare_fault bare_build(bare *b, const spmv_csr *csr, guard_side side, bare_order order);

/* y = alpha*A*x + beta*before. y and before have `rows` values in the order of rows, for every
 * order of the layout; with a NULL `before`, y begins as garbage. */
bare_fault bare_execute(bare *b, double alpha, const void *x, double beta, const void *before,
                        bare_order order, void *y);

/* Several vectors for launches_columns, as in spmv_job. Places of x and y that belong to no column
 * are read and written by nobody. */
typedef struct bare_columns {
    int32_t columns;
    int64_t x_stride, y_row_stride, y_column_stride;
    const void *x;               /* (cols - 1) * x_stride + columns values */
    void *y;                     /* bare_columns_y_count values: before and after */
} bare_columns;

/* Number of values of y, up to the last one of the last column; 0 without rows. */
int64_t bare_columns_y_count(const bare_columns *c, int64_t rows);

/* The row of A for row k of Y. */
int64_t bare_y_row(const bare *b, int64_t k);

/* Y = alpha*A*X + beta*Y by launches_columns, which the module has. Rows of Y are in the layout's
 * order. The layout does not permute x. */
bare_fault bare_execute_columns(bare *b, double alpha, double beta, const bare_columns *c,
                                bare_order order);

/* As bare_execute with BARE_FORWARD, but without the step `stop` and those after it: y is then as
 * the steps before left it. */
bare_fault bare_execute_until(bare *b, const char *stop, double alpha, const void *x, double beta,
                              const void *before, void *y);

bare_fault bare_update(bare *b, const void *val, bare_order order);

/* Either output may be NULL. */
bare_fault bare_restore(bare *b, bare_order order, int32_t *col_idx, void *val);

/* The text of the last fault. */
const char *bare_error(const bare *b);

/* The layout of the last build. */
const spmv_layout *bare_layout(const bare *b);

/* The workspace of the last multiplication; valid until the next call. */
const void *bare_workspace(const bare *b);

#endif
