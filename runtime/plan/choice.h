/* choice.h: which module multiplies a matrix.
 *
 * Of each method that fits the matrix's types, the usable module of the highest rank that takes the
 * matrix is a candidate; the cheapest candidate by its own estimate wins, of building and of all
 * the multiplications that are expected. Equal costs go to the candidate that stands first in the
 * device's list, so that the choice depends on modules and matrix alone.
 */
#ifndef SPMV_CHOICE_H
#define SPMV_CHOICE_H

#include "runtime/plan/candidates.h"
#include "runtime/device/device.h"
#include "runtime/plan/request.h"

typedef struct spmv_choice {
    const spmv_module *module;
    spmv_layout layout;          /* sized for the matrix; its arrays are not allocated */
    char reason[320];            /* a sentence without a full stop */
    spmv_candidates candidates;  /* the caller's to destroy where spmv_choice_make succeeds */
} spmv_choice;

spmv_status spmv_choice_make(const spmv_device *device, const spmv_request *request,
                             spmv_choice *choice, spmv_error *err);

#endif
