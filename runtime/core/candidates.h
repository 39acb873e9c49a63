/* candidates.h: the methods that a choice considered.
 *
 * There is one entry for each method that has a module for the matrix's types. spmv_candidates_sort
 * puts the cheapest first, equal costs in the order of the device's list, and left-out methods
 * last. First the choice owns the candidates, then its plan; they are constant once sorted.
 */
#ifndef SPMV_CANDIDATES_H
#define SPMV_CANDIDATES_H

#include "runtime/spmv.h"

/* Why a method is not chosen. */
typedef enum spmv_why_not {
    SPMV_NOT_LEFT_OUT,
    SPMV_CONVERSION_NOT_AMORTISED,
    SPMV_OWN_ORDER,              /* it permutes x or y: the caller must name the method */
    SPMV_MATRIX_REFUSED,         /* none of its modules takes the matrix */
    SPMV_NO_MEMORY
} spmv_why_not;

typedef struct spmv_candidate_entry {
    const spmv_module *module;   /* the module of highest rank that takes the matrix; if none does,
                                    that of highest rank */
    spmv_why_not why_not;
    char why_not_text[256];      /* "" for a candidate that is not left out */
    double cost, build_cost;     /* as in spmv_layout */
    double total;                /* cost of building and all expected multiplications */
    double seconds;              /* of one multiplication; 0: not measured */
    double build_seconds;        /* of building; 0: not measured */
    size_t layout_bytes, workspace_bytes;
    int32_t borrows;
} spmv_candidate_entry;

typedef struct spmv_candidates {
    spmv_candidate_entry *entry;
    size_t count;
} spmv_candidates;

/* Allocates `count` entries of zeros. Returns 0: no memory. */
int spmv_candidates_create(spmv_candidates *out, size_t count);
void spmv_candidates_destroy(spmv_candidates *candidates);       /* all zero is fine */

/* Fills the entry: the module takes the matrix with this layout, or the method is left out. */
void spmv_candidate_take(spmv_candidate_entry *entry, const spmv_module *module,
                         const spmv_layout *layout, int32_t runs);
void spmv_candidate_leave_out(spmv_candidate_entry *entry, const spmv_module *module,
                              spmv_why_not why_not, const char *text);

/* Writes the reason's text. `detail` completes it: the number of runs for
 * SPMV_CONVERSION_NOT_AMORTISED, the module and the vector for SPMV_OWN_ORDER, the whole text for
 * the others. */
void spmv_why_not_write(spmv_error *err, spmv_status status, spmv_why_not why_not,
                        const char *detail);

void spmv_candidates_sort(spmv_candidates *candidates);

#endif
