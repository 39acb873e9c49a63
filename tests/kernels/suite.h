/* suite.h: one module under test, with its properties and their failures.
 *
 * Each property is one TAP line, which kernel_suite.c prints. Tests count a property's checks and
 * failures, and describe its first failures.
 */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include <stdbool.h>

#include "bare.h"
#include "cases.h"
#include "runtime/spmv.h"

typedef enum property {
    P_CONTRACT,
    P_MEMORY,
    P_EXACT,
    P_BOUND,
    P_BETA_ZERO,
    P_ALPHA_ZERO,
    P_ORDER,
    P_PARALLEL,
    P_THREADS,
    P_WORKSPACE,
    P_AT_ONCE,
    P_UNCHANGED,
    P_COPY,
    P_UPDATE,
    P_RESTORE,
    P_SETTINGS,
    P_COLUMNS,
    P_DEVICE,
    F_ACCUMULATES,
    F_ALPHA_BETA,
    F_EMPTY_ROWS,
    F_LEADING_EMPTY,
    F_TRAILING_EMPTY,
    F_NO_NONZEROS,
    F_SMALL,
    F_31_BITS,
    F_IN_PLACE,
    F_ONE_INF,
    F_PREFIX,
    F_PADDING,
    F_PERMUTED,
    F_NAN_SURVIVES,
    F_METADATA,
    F_LAST_GROUP,
    F_STALE_SLOT,
    F_OLD_VALUES,
    P_SPECULATES,
    PROPERTIES
} property;

/* The sentence of a property's TAP line. */
const char *property_text(property p);

typedef struct suite {
    const spmv_module *module;
    spmv_device *device;         /* the module was added to it */
    bare *bare;
    test_effort effort;
    const char *shape;           /* the one shape that a device tries; NULL: all shapes */
    int64_t setting[SPMV_MAX_SETTINGS];      /* current value of each setting */
    char settings[96];           /* the same as text for libspmv; empty: initial values */
    bool benchmark_only;         /* rows may disturb each other: tile_bound.h has the bound */
    bool quiet;                  /* failures are expected, and not described */
    int checks[PROPERTIES];      /* checks of each property; 0: not tried */
    int failures[PROPERTIES];
    const char *skipped[PROPERTIES];     /* reason, or NULL */
    int declined[PROPERTIES];    /* matrices that the module declined */
    int taken;                   /* matrices that the module did not decline */
    char label[128];             /* the current case, printed at a crash */
} suite;

/* Counts a check, and a failure with its description. Returns `passed`. */
bool suite_check(suite *s, property p, bool passed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Counts a fault of the bare runner against the property that it breaks. True: no fault. */
bool suite_accept(suite *s, property p, bare_fault fault, const char *name);

/* Builds the layout in the bare runner. False: the build failed, which is a failure of the
 * property, or the module declined the matrix, which is no failure and counts in `declined`. */
bool suite_build(suite *s, property p, const spmv_csr *csr, guard_side side, bare_order order,
                 const char *name);

/* Checks y = alpha*A*x + beta*before for the input, and describes the first wrong row. A module for
 * benchmarks only has the bound of tile_bound.h. */
bool suite_check_result(suite *s, property p, const test_input *input, double alpha, double beta,
                        const void *before, const void *y, bool exact);

/* Whether the exception "invalid" was raised: arithmetic on a signalling NaN raises it, even if
 * the result is discarded. False with clang, which may add such arithmetic, since it assumes that
 * no code observes floating-point exceptions. */
bool test_has_computed_with_nan(void);

/* ---- the tests, in the order in which they run --------------------------------------------- */

void test_shapes(suite *s);          /* every case in the bare runner */
void test_faults(suite *s);          /* known faults of the authors' code */
void test_isolation(suite *s);       /* Inf and NaN stay in their rows */
void test_speculation(suite *s);     /* what the first steps of speculative leave in y */

/* Whether test_speculation tests the module: speculative's, with its parameters, which a template
 * as it stands does not state. */
bool test_speculation_applies(const spmv_module *module);

/* Multiplies the matrix that the bare runner has built by several vectors. `turn` chooses their
 * number and their places. */
void test_columns(suite *s, const test_input *input, size_t turn);

void test_past_31_bits(suite *s);
void test_parallel(suite *s);        /* chunks run concurrently */
void test_plans(suite *s);           /* plans of libspmv */
void test_figures(suite *s);         /* the figures of layouts */
void test_settings_initial(suite *s);        /* sets every setting to its initial value */
void test_settings(suite *s);        /* each setting at its ends */

/* Sets the settings for case number `turn`: every third case has the initial values, the other
 * cases have one setting at one of its ends. */
void test_settings_choose(suite *s, size_t turn);

/* Runs each tiny case once, with varying settings: for programs of other devices, where every
 * switch between work-items takes time. */
void test_once(suite *s);

/* Opens the device of that name and checks that it runs the module's program. False: label has the
 * reason. */
bool test_device_open(suite *s, const char *name);
bool test_device_runs(suite *s);     /* the same check of the open device */
bool test_device_reopens(const suite *s, const char *name);      /* whether each case opens it */
void test_device(suite *s, const char *name);        /* every case on the device */

#endif
