/* candidates.h: what a choice was made from.
 *
 * One entry a method that has a module for the matrix's types; after spmv_candidates_sort the
 * cheapest first, in the order of the device's list where costs are equal, and last those that were
 * left out. Owned by the choice, then by its plan; constant once sorted.
 */
#ifndef SPMV_CANDIDATES_H
#define SPMV_CANDIDATES_H

#include "runtime/spmv.h"

/* Why a method is not chosen. */
typedef enum spmv_why_not {
    SPMV_NOT_LEFT_OUT,
    SPMV_CONVERSION_NOT_AMORTISED,
    SPMV_OWN_ORDER,              /* it permutes a vector, which the caller must ask for by name */
    SPMV_MATRIX_REFUSED,         /* none of its modules takes the matrix */
    SPMV_NO_MEMORY
} spmv_why_not;

typedef struct spmv_candidate_entry {
    const spmv_module *module;   /* the best that takes the matrix; where none does, the best */
    spmv_why_not why_not;
    char why_not_text[256];      /* "" for a candidate that is not left out */
    double cost, build_cost;     /* as spmv_layout has them */
    double total;                /* of all that is expected */
    double seconds;              /* of a multiplication, if it was measured */
    double build_seconds;        /* of building, if it was */
    size_t layout_bytes, workspace_bytes;
    int32_t borrows;
} spmv_candidate_entry;

typedef struct spmv_candidates {
    spmv_candidate_entry *entry;
    size_t count;
} spmv_candidates;

/* Entries of zeros, as many. False: out of memory. */
int spmv_candidates_create(spmv_candidates *out, size_t count);
void spmv_candidates_destroy(spmv_candidates *candidates);       /* all zero is fine */

/* The module takes the matrix, with this layout; or no module of the method does. */
void spmv_candidate_take(spmv_candidate_entry *entry, const spmv_module *module,
                         const spmv_layout *layout, int32_t runs);
void spmv_candidate_leave_out(spmv_candidate_entry *entry, const spmv_module *module,
                              spmv_why_not why_not, const char *text);

/* Writes the reason's text, completed by `detail`: of SPMV_CONVERSION_NOT_AMORTISED the number of
 * runs, of SPMV_OWN_ORDER the module and the vector, of the others the whole text. */
void spmv_why_not_write(spmv_error *err, spmv_status status, spmv_why_not why_not,
                        const char *detail);

void spmv_candidates_sort(spmv_candidates *candidates);

#endif
