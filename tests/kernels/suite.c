/* suite.c: see suite.h. */
#include "suite.h"

#include <stdarg.h>
#include <stdio.h>

#include "../tap.h"
#include "tile_bound.h"

enum { DESCRIBED = 4 };          /* number of described failures of a property */

/* The texts of the F_ properties name the authors' code that has the fault. */
static const char *const texts[PROPERTIES] = {
    [P_CONTRACT] = "sizes, steps and statuses are as the contract says",
    [P_MEMORY] = "nothing outside the arrays is read or written",
    [P_EXACT] = "integers are exact for every shape, base, alpha and beta",
    [P_BOUND] = "random values stay within the bound of reference.h, or of tile_bound.h",
    [P_BETA_ZERO] = "beta = 0 never reads y",
    [P_ALPHA_ZERO] = "alpha = 0 reads neither A nor x",
    [P_ORDER] = "the same bits again, in any order of chunks",
    [P_PARALLEL] = "the same bits when chunks run concurrently",
    [P_THREADS] = "1, 2 and 7 threads give the bits of a run by the contract alone",
    [P_WORKSPACE] = "the same bits with the caller's workspace",
    [P_AT_ONCE] = "concurrent multiplications of one plan do not disturb each other",
    [P_UNCHANGED] = "the caller's CSR and x do not change",
    [P_COPY] = "options.copy: no array of the caller's is read after the plan is made",
    [P_UPDATE] = "new values give the bits of a new plan",
    [P_RESTORE] = "the CSR is restored exactly, in its base and order",
    [P_SETTINGS] = ("right results, and the same bits in each row, with each setting at its least "
                    "and at its most"),
    [P_COLUMNS] = "several vectors get the bits of one column, and nothing between them changes",
    [P_DEVICE] = "the device gives the bits of the program's text as C, in any order of items",
    [F_ACCUMULATES] = "CSR5 fault: y += instead of y =",
    [F_ALPHA_BETA] = "CSR5 fault: alpha and beta left out",
    [F_EMPTY_ROWS] = "CSR5 fault: empty rows before the tail never written",
    [F_LEADING_EMPTY] = "speculative fault: leading empty rows never written",
    [F_TRAILING_EMPTY] =
        "CSR5 fault: trailing empty rows at an exact tile multiple write out of bounds",
    [F_NO_NONZEROS] = "CSR5 fault: nnz = 0 reads index -1",
    [F_SMALL] = "CSR5 fault: nnz <= omega*sigma launches nothing",
    [F_31_BITS] = "CSR5 fault: 31-bit masks and products on 64-bit indices",
    [F_IN_PLACE] = "CSR5 fault: transposes the caller's arrays in place",
    [F_ONE_INF] = "CSR5 fault: one Inf or NaN spreads over its tile",
    [F_PREFIX] = "CSR5 fault: prefix differences lose small rows beside large ones",
    [F_PADDING] = "EVC-HYB fault: padding times Inf",
    [F_PERMUTED] = "EVC-HYB fault: y is left in permuted order",
    [F_NAN_SURVIVES] = "CSR-Adaptive fault: (beta - 1)*y keeps a NaN alive",
    [F_METADATA] = "CSR-Adaptive fault: flags in the matrix's own metadata",
    [F_LAST_GROUP] = "CSR-Adaptive fault: bounds checked in the last group alone",
    [F_STALE_SLOT] = "speculative fault: a tile that ends with a row adds a stale slot",
    [F_OLD_VALUES] = "speculative fault: a dirty tile destroys old y that beta needs",
    [P_SPECULATES] =
        "compact sums of dirty tiles are in y before the repair if repair is host and beta is 0",
};

const char *property_text(property p)
{
    return texts[p];
}

bool suite_check(suite *s, property p, bool passed, const char *format, ...)
{
    char text[512];
    va_list args;

    s->checks[p]++;
    if (passed || s->failures[p]++ >= DESCRIBED || s->quiet)
        return passed;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag("%s%s%s: %s: %s", s->module->name, s->settings[0] ? " with " : "", s->settings, texts[p],
         text);
    return false;
}

bool suite_accept(suite *s, property p, bare_fault fault, const char *name)
{
    /* The property that each fault breaks, even in the test of another property. */
    static const property broken[BARE_FAULTS] = {
        [BARE_MEMORY] = P_MEMORY,
        [BARE_CHANGED] = P_UNCHANGED,
        [BARE_UNBORROWED] = P_COPY,
        [BARE_ALPHA_ZERO] = P_ALPHA_ZERO,
        [BARE_CONTRACT] = P_CONTRACT,
        [BARE_REFUSED] = P_CONTRACT,
        [BARE_DECLINED] = P_CONTRACT,        /* a matrix that was taken before */
    };
    const char *error = bare_error(s->bare);

    if (fault && broken[fault] != p)
        suite_check(s, broken[fault], false, "%s: %s", name, error);
    s->checks[P_MEMORY]++;
    s->checks[P_CONTRACT]++;
    return suite_check(s, p, !fault, "%s: %s", name, error);
}

bool suite_build(suite *s, property p, const spmv_csr *csr, guard_side side, bare_order order,
                 const char *name)
{
    const bare_fault fault = bare_build(s->bare, csr, side, order);

    if (fault == BARE_DECLINED) {
        s->declined[p]++;
        return false;
    }
    s->taken += !fault;
    return suite_accept(s, p, fault, name);
}

bool suite_check_result(suite *s, property p, const test_input *input, double alpha, double beta,
                        const void *before, const void *y, bool exact)
{
    if (bench_reference_agrees(input->reference, alpha, beta, before, y, exact))
        return suite_check(s, p, true, "%s", input->name);

    const bench_verdict v =
        s->benchmark_only && !exact
            ? test_tile_bound_check(s->module, input, alpha, beta, before, y)
            : bench_reference_check(input->reference, alpha, beta, before, y, exact);
    return suite_check(s, p, v.wrong == 0, "%s, alpha %g, beta %g: %lld rows are wrong; row %lld: "
                       "expected %.17g within %.3g, found %.17g", input->name, alpha, beta,
                       (long long)v.wrong, (long long)v.row, v.expected, v.bound, v.found);
}
