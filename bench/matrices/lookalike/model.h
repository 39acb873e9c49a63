/* model.h: what the matrices of a class have in common, as numbers that a look-alike is drawn from.
 *
 * Row lengths are drawn from a distribution that is given by its quantiles, and then fitted to the
 * facts (lengths.h). The columns of a row come in pieces, one after the other until the row is full
 * (columns.h):
 *
 *     row's place on the diagonal
 *              |
 *      ##    ####   ##        ##                   #
 *      piece  piece 0       piece                piece
 *      \____________ reach ___________/
 *
 * A piece is a run of consecutive nodes; a node is a few rows, and as many columns, that look
 * alike, as the unknowns in one point of a grid do. Where a piece stands is drawn once for a patch
 * of nodes or by each node for itself; so neighbouring rows read the same parts of x or others.
 *
 * All of it is whole numbers: the same everywhere, whatever the compiler makes of floating point.
 */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stdbool.h>

#include "bench/matrices/lookalike/facts.h"
#include "bench/matrices/statistics.h"

enum { BENCH_WHOLE = 1024 };     /* a chance of 1 */

typedef enum bench_piece {
    BENCH_SHIFTED,               /* at a distance from the node that is its patch's */
    BENCH_SHARED,                /* where all nodes of the patch have it */
    BENCH_OWN,                   /* at a distance of the node's own */
    BENCH_HUB,                   /* at one of the columns that many rows of a region have; regions
                                    are of all sizes, from a patch to the matrix */
    BENCH_ANYWHERE,
    BENCH_PIECES
} bench_piece;

typedef struct bench_model {
    const char *kind;            /* the class */
    const char *meaning;         /* for people */

    /* Lengths, in thousandths of the average, at bench_quantile_points. */
    int32_t quantile[BENCH_QUANTILES];
    int32_t giants;              /* rows that are left out of that: the longest, half of it, ... */

    int32_t node;                /* rows and columns that look alike */
    int32_t patch;               /* nodes */
    int32_t alike;               /* chance that a node has its patch's length, or its patch's hub */
    int32_t skip;                /* chance that a node leaves a piece of its patch out */
    bool diagonal;               /* piece 0 is at the node itself */
    int32_t run, longer;         /* nodes of a run: these, and the chance of each further one */
    int32_t nearest;             /* distances are 2^nearest nodes or more, all octaves alike, */
    int32_t reach;               /* up to nodes^(reach/16) */
    int32_t jitter;              /* nodes by which a node's piece is off its patch's, at most */
    int32_t weight[BENCH_PIECES];
    int32_t spread;              /* rows of this length have a column in each part of the matrix */
} bench_model;

const bench_model *bench_models(size_t *count);
const bench_model *bench_model_find(const char *kind);           /* NULL: no such class */

/* The model of a matrix: its class's, with what is known of this matrix alone. False: no such
 * class. */
bool bench_model_of(const bench_facts *facts, bench_model *out);

#endif
