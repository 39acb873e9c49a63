/* mtx_tally.h: counts of the entries read so far. */
#ifndef MTX_TALLY_H
#define MTX_TALLY_H

#include <stdint.h>

enum { MTX_LOWER = 1, MTX_UPPER = 2 };

typedef struct mtx_tally {
    int64_t stored;              /* all entries */
    int64_t zeros, non_finite;   /* of these */
    int64_t beyond_float, beyond_float_line;         /* as in mtx_matrix */
    unsigned triangles;          /* MTX_LOWER, MTX_UPPER or both: those that have entries */
} mtx_tally;

#endif
