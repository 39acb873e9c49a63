/* verify.h: compiles programs for the device's own instruction set, and checks that the resources
 * of each kernel stay within the page's limits. Nothing is written. */
#ifndef SG_VERIFY_H
#define SG_VERIFY_H

#include "generator/assemble/emission.h"
#include "generator/verify/compiler.h"

typedef enum sg_verified {
    SG_VERIFIED,
    SG_NOT_VERIFIED,             /* a kernel exceeds a limit, or there was an error */
    SG_NOT_VERIFIABLE            /* the page names no compiler, or it is not installed */
} sg_verified;

/* Finds the compiler of a plan. Returns false, with diagnostics, if the page is wrong. *out is
 * NULL, with a diagnostic, if the target cannot be verified. */
bool sg_verify_find_compiler(sg_arena *arena, sg_diags *diags, const sg_plan *plan,
                             const sg_compiler **out);

/* Compiles each program of the emissions, which have a target each, equal ones once, on `jobs`
 * threads. compilers: by emission; NULL: it cannot be verified. Appends a table for each target to
 * report. Adds diagnostics unless it returns SG_VERIFIED. SG_NOT_VERIFIED of one target wins over
 * SG_NOT_VERIFIABLE of another. */
sg_verified sg_verify(sg_arena *arena, sg_diags *diags, const sg_emission *emissions,
                      const sg_compiler *const *compilers, size_t count, int jobs,
                      sg_text *report);

#endif
