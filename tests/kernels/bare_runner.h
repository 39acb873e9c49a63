/* bare_runner.h: what the files of a bare runner (bare.h) share.
 *
 *     bare.c           its memory; multiplications, updates, restores
 *     bare_build.c     layouts: their sizes, their build
 *     bare_steps.c     the steps that a module lists, and their faults
 */
#ifndef TEST_BARE_RUNNER_H
#define TEST_BARE_RUNNER_H

#include "bare.h"
#include "bench/matrices/random.h"
#include "transposing.h"
#include "trap.h"

/* Indices of guards. */
enum {
    BARE_ROW_PTR, BARE_COL_IDX, BARE_VAL, BARE_X, BARE_Y, BARE_WORKSPACE, BARE_SCRATCH,
    BARE_COL_IDX_OUT, BARE_VAL_OUT, BARE_ARRAYS, BARE_GUARDS = BARE_ARRAYS + SPMV_MAX_ARRAYS
};

struct bare {
    const spmv_module *module;
    guard *guard[BARE_GUARDS];
    guard_side side;
    int x_side;                  /* where x was placed; -1: nowhere */
    int64_t setting[SPMV_MAX_SETTINGS];
    spmv_layout layout;
    transposing transpose;       /* of the matrix, for a module that transposes */
    int32_t *order_y;            /* a copy of the layout's order of y; NULL: the order of rows */
    int32_t *order_x;            /* a copy of the layout's order of x; NULL: the order of columns */
    bench_random random;
    uint32_t runs;               /* chooses the garbage in the workspace */
    bool alpha_is_zero;
    const char *stop;            /* bare_execute_until's; else NULL */
    char error[256];
};

/* Rows and columns of the matrix in the product, whichever way the module multiplies. */
static inline int64_t bare_row_count(const bare *b)
{
    return b->module->ops->transposes ? b->layout.csr.cols : b->layout.csr.rows;
}

static inline int64_t bare_column_count(const bare *b)
{
    return b->module->ops->transposes ? b->layout.csr.rows : b->layout.csr.cols;
}

/* Places `count` elements of `bytes` bytes, a copy of `from` if that is not NULL, in a guard. NULL:
 * out of memory. */
void *bare_place(bare *b, int index, const void *from, int64_t count, size_t bytes);

/* ---- steps ----------------------------------------------------------------------------------- */

typedef struct bare_step_call {
    bare *b;
    const char *what;
    int32_t (*of_layout)(const spmv_layout *layout, spmv_step *step);   /* exactly one of the two is
                                                                           set */
    int32_t (*of_job)(const spmv_job *job, spmv_step *step);
    const spmv_job *job;
    bare_order order;
    bare_fault result;
} bare_step_call;

/* Lists the steps and runs them. */
bare_fault bare_run(bare_step_call *call);

/* Sets bare_error, and returns `kind`. */
__attribute__((format(printf, 3, 4)))
bare_fault bare_fail(bare *b, bare_fault kind, const char *format, ...);

/* Finds the array that a signal's address lies in, and describes the fault. `what`: what ran. */
bare_fault bare_fail_by_signal(bare *b, const char *what, const trap_report *report);

/* Whether something was written beside an array. */
bare_fault bare_check_bands(bare *b, const char *what);

#endif
