/* choice.h: choosing the module that multiplies a matrix.
 *
 * Each method with modules for the matrix's types has one candidate: the usable module of highest
 * rank that takes the matrix. The candidate with the lowest estimate for building and all
 * expected multiplications wins; among equal estimates, the first in the device's list. So the
 * choice depends on modules, matrix and options alone.
 */
#ifndef SPMV_CHOICE_H
#define SPMV_CHOICE_H

#include "runtime/core/candidates.h"
#include "runtime/core/request.h"

typedef struct spmv_choice {
    const spmv_module *module;
    spmv_layout layout;          /* sized for the matrix; its arrays are not allocated */
    char reason[320];            /* a sentence without a full stop */
    spmv_candidates candidates;  /* for the caller to destroy */
} spmv_choice;

/* Fewer multiplications seldom pay for a conversion of the matrix. */
enum { SPMV_CONVERSION_RUNS = 8 };

/* Also after an error, spmv_candidates_destroy must follow. */
spmv_status spmv_choice_make(const spmv_request *request, spmv_choice *choice, spmv_error *err);

/* Likewise, of exactly this module. */
spmv_status spmv_choice_named(const spmv_request *request, const spmv_module *module,
                              spmv_choice *choice, spmv_error *err);

/* Gets the module's layout of its form of the matrix. */
spmv_status spmv_choice_size(const spmv_request *request, const spmv_module *module,
                             spmv_layout *layout, spmv_error *err);

#endif
