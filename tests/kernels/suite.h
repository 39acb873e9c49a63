/* suite.h: one module under test: what it is, what was found, and what is told.
 *
 * Each property is one TAP line. While its tests run, failures are counted against it and the first
 * few are described; kernel_suite.c prints the lines.
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
    PROPERTIES
} property;

/* The sentence of a property's TAP line. */
const char *property_text(property p);

typedef struct suite {
    const spmv_module *module;
    spmv_device *device;         /* has this module */
    bare *bare;
    test_effort effort;
    const char *shape;           /* that a device tries alone; NULL: all */
    int64_t setting[SPMV_MAX_SETTINGS];      /* what is being tried */
    char settings[96];           /* the same for libspmv; empty: initial values */
    bool benchmark_only;         /* the module gives up bounds and isolation */
    bool quiet;                  /* failures are expected, and not described */
    int checks[PROPERTIES];      /* how often each was looked at; none: nothing to say */
    int failures[PROPERTIES];
    const char *skipped[PROPERTIES];     /* why, or NULL */
    int declined[PROPERTIES];    /* matrices that the module declined */
    int taken;                   /* those that it took */
    char label[128];             /* what is being tried, for a crash */
} suite;

/* Counts a check, and a failure with its description. Returns `passed`. */
bool suite_check(suite *s, property p, bool passed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Puts a fault of the bare runner to the property that it breaks; true where there was none. */
bool suite_accept(suite *s, property p, bare_fault fault, const char *name);

/* Builds the layout by the bare runner. False: suite_accept says so, or the module declines the
 * matrix, which is counted and no failure. */
bool suite_build(suite *s, property p, const spmv_csr *csr, guard_side side, bare_order order,
                 const char *name);

/* y is what alpha, beta and the input ask for. Describes the first wrong row. */
bool suite_check_result(suite *s, property p, const test_input *input, double alpha, double beta,
                        const void *before, const void *y, bool exact);

/* ---- the tests, in the order in which they run --------------------------------------------- */

void test_shapes(suite *s);          /* every case by the bare runner */
void test_faults(suite *s);          /* the authors' known faults */
void test_isolation(suite *s);       /* what is in one row stays there */
void test_past_31_bits(suite *s);
void test_parallel(suite *s);        /* chunks at the same time */
void test_plans(suite *s);           /* through libspmv */
void test_figures(suite *s);         /* what a layout tells about itself */
void test_settings_initial(suite *s);        /* takes the module's initial settings */
void test_settings(suite *s);        /* some of this with each setting at its ends */

/* One in three cases as things are at first; the others have a setting at one of its ends. */
void test_settings_choose(suite *s, size_t turn);

/* Each tiny case once, with settings in turns: for programs of other devices where there is no time for
 * more, since every exchange of work-items costs. */
void test_once(suite *s);

/* Opens the device of that name, which runs the module's program. False: label says why. */
bool test_device_open(suite *s, const char *name);
bool test_device_runs(suite *s);      /* likewise: whether what is open runs it */
bool test_device_reopens(const suite *s, const char *name);      /* each case opens it by itself */
void test_device(suite *s, const char *name);        /* every case there */

#endif
