/* verify.h: programs compiled for the device's own instruction set, what their kernels take there,
 * and whether the page allows it. Nothing is written. */
#ifndef SG_VERIFY_H
#define SG_VERIFY_H

#include "generator/emit/emit.h"

typedef enum sg_verified {
    SG_VERIFIED,
    SG_NOT_VERIFIED,             /* a kernel takes what it must not, or something is wrong */
    SG_NOT_VERIFIABLE            /* nothing here could tell: no compiler, or it is not installed */
} sg_verified;

/* Emits the selections in memory and compiles each program, equal ones once, on `jobs` threads.
 * Appends a table for each target to report. Diagnostics unless SG_VERIFIED; where some targets are
 * not verified and others not verifiable, the former counts. */
sg_verified sg_verify(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                      const sg_selection *selections, size_t count, int jobs, sg_text *report);

#endif
