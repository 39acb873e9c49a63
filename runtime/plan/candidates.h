/* candidates.h: what a choice was made from.
 *
 * One entry a method that has a module for the matrix's types; after spmv_candidates_sort the
 * cheapest first, in the order of the device's list where costs are equal, and last those that were
 * left out. Owned by the choice, then by its plan; constant once sorted.
 */
#ifndef SPMV_CANDIDATES_H
#define SPMV_CANDIDATES_H

#include "runtime/spmv.h"

typedef struct spmv_candidate_entry {
    const spmv_module *module;   /* the best that takes the matrix; where none does, the best */
    int is_left_out;
    char why_not[256];           /* why it was */
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
                              const char *why_not);

void spmv_candidates_sort(spmv_candidates *candidates);

#endif
