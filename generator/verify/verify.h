/* verify.h: compiles programs for the device's own instruction set, and checks that the resources
 * of each kernel stay within the page's limits. Nothing is written. */
#ifndef SG_VERIFY_H
#define SG_VERIFY_H

#include "generator/emit/emit.h"

typedef enum sg_verified {
    SG_VERIFIED,
    SG_NOT_VERIFIED,             /* a kernel exceeds a limit, or there was an error */
    SG_NOT_VERIFIABLE            /* the page names no compiler, or it is not installed */
} sg_verified;

/* Emits the selections in memory and compiles each program, equal ones once, on `jobs` threads.
 * Appends a table for each target to report. Adds diagnostics unless it returns SG_VERIFIED.
 * SG_NOT_VERIFIED of one target wins over SG_NOT_VERIFIABLE of another. */
sg_verified sg_verify(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                      const sg_selection *selections, size_t count, int jobs, sg_text *report);

#endif
