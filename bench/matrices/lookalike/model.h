/* model.h: the model of a class of matrices: numbers from which look-alikes are drawn.
 *
 * Row lengths are drawn from a distribution, given by its quantiles, and then fitted to the facts
 * (lengths.h). The columns of a row are drawn in pieces until the row is full (columns.h):
 *
 *     row's place on the diagonal
 *              |
 *      ##    ####   ##        ##                   #
 *      piece  piece 0       piece                piece
 *      \____________ reach ___________/
 *
 * A piece is a run of consecutive nodes. A node is a few rows and as many columns with the same
 * structure, such as the unknowns of a grid point. The place of a piece is drawn once for a patch
 * of nodes, or by each node; so neighbouring rows read the same parts of x or different parts.
 *
 * All numbers are integers, so that results do not depend on a compiler's floating point.
 */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stdbool.h>

#include "bench/matrices/lookalike/facts.h"
#include "bench/matrices/statistics.h"

enum { BENCH_WHOLE = 1024,       /* a chance of 1 */
       BENCH_SHORT = 128 };      /* most entries of a short row, one of EVC-HYB's ELL part */

typedef enum bench_piece {
    BENCH_SHIFTED,               /* at a distance from the node, the same for the patch */
    BENCH_SHARED,                /* at the same place for all nodes of the patch */
    BENCH_OWN,                   /* at a distance from the node, drawn by the node */
    BENCH_HUB,                   /* at a column that many rows of a region share; regions
                                    have all sizes, from a patch to the matrix */
    BENCH_ANYWHERE,
    BENCH_PIECES
} bench_piece;

typedef struct bench_model {
    const char *kind;            /* the class */
    const char *meaning;         /* for people */

    /* Lengths, in thousandths of the average, at bench_quantile_points. */
    int32_t quantile[BENCH_QUANTILES];
    int32_t giants;              /* rows beside the distribution: the longest, half of it, ... */
    int64_t second;              /* of a matrix: its longest row but one; 0: unknown */
    int64_t short_rows;          /* of a matrix: its short rows, 0: unknown; */
    int64_t short_nnz;           /* and their nonzeros */

    int32_t node;                /* rows and columns with the same structure */
    int32_t patch;               /* in nodes */
    int32_t alike;               /* chance that a node has its patch's length or hub */
    int32_t skip;                /* chance that a node leaves out a piece of its patch */
    bool diagonal;               /* piece 0 is at the node itself */
    int32_t run, longer;         /* nodes of a run, and the chance of each further node */
    int32_t nearest;  /* least distance: 2^nearest nodes. All octaves have the same chance, */
    int32_t reach;               /* up to nodes^(reach/16) */
    int32_t jitter;              /* largest shift, in nodes, of a piece against its patch */
    int32_t weight[BENCH_PIECES];
    int32_t spread;              /* rows from this length on have evenly spread columns */
} bench_model;

const bench_model *bench_models(size_t *count);
const bench_model *bench_model_find(const char *kind);           /* NULL: no such class */

/* The model of the matrix's class, with what is known of this matrix alone. False: no such class.
 */
bool bench_model_of(const bench_facts *facts, bench_model *out);

#endif
