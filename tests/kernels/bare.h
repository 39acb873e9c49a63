/* bare.h: runs a module by its contract alone (runtime/spmv_module.h), without libspmv, in memory
 * that notices mistakes.
 *
 * The caller's CSR, x, y, the workspace and every array of the layout lie in guards. CSR and x can
 * never be written; the layout only while it is built or updated; what the layout does not borrow
 * of the CSR cannot even be read afterwards. With alpha = 0 neither A nor x can be read. y and the
 * workspace are full of garbage before. Chunks of a step run in the order that is asked for, on
 * this thread. A signal is caught and becomes an error.
 *
 * A bare owns its memory and serves one matrix after the other, on one thread.
 */
#ifndef TEST_BARE_H
#define TEST_BARE_H

#include <stdbool.h>

#include "guard.h"
#include "runtime/spmv_module.h"

typedef struct bare bare;

/* How the chunks of a step are run; all are allowed and none may change a bit. */
typedef enum bare_order {
    BARE_WHOLE,                  /* all in one call */
    BARE_FORWARD,                /* one by one */
    BARE_BACKWARD,
    BARE_SHUFFLED,               /* ranges of any length, in any order */
    BARE_ORDERS
} bare_order;

typedef enum bare_fault {
    BARE_NO_FAULT,
    BARE_MEMORY,                 /* touched what is not there, or wrote the layout in an execute */
    BARE_CHANGED,                /* wrote the caller's CSR or x */
    BARE_UNBORROWED,             /* read an array of the CSR that it does not borrow */
    BARE_ALPHA_ZERO,             /* read A or x with alpha = 0 */
    BARE_CONTRACT,               /* returned what the contract does not allow */
    BARE_REFUSED,                /* layout_size returned an error, or the test has no memory */
    BARE_DECLINED,               /* layout_size does not take the matrix: SPMV_UNSUPPORTED */
    BARE_FAULTS
} bare_fault;

bare *bare_create(const spmv_module *module);                    /* NULL: out of memory */
void bare_destroy(bare *b);                                      /* NULL is fine */

/* Settings of builds from now on, a value each; they are the initial ones before. */
void bare_set(bare *b, const int64_t *setting);

/* Copies the matrix and builds its layout. Arrays stand at that side of their guards. */
bare_fault bare_build(bare *b, const spmv_csr *csr, guard_side side, bare_order order);

/* y = alpha*A*x + beta*before. y and before have rows values, in the order of rows whatever order
 * the layout has; before may be NULL to leave y garbage. */
bare_fault bare_execute(bare *b, double alpha, const void *x, double beta, const void *before,
                        bare_order order, void *y);

bare_fault bare_update(bare *b, const void *val, bare_order order);

/* Either output may be NULL. */
bare_fault bare_restore(bare *b, bare_order order, int32_t *col_idx, void *val);

/* What the last fault was, in words. */
const char *bare_error(const bare *b);

/* The layout of the last build. */
const spmv_layout *bare_layout(const bare *b);

#endif
