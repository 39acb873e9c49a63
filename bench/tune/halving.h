/* halving.h: successive halving (Jamieson & Talwalkar, AISTATS 2016): all candidates are measured
 * briefly on few matrices, the better half longer on more, until few are left. The measurement is
 * the caller's, so that the search can be tested without a clock.
 *
 *     rung         1   2   3   4
 *     candidates  16   8   4   2      the better half goes on
 *     matrices     2   4   6   8      the first ones of a list, all in the last rung
 */
#ifndef BENCH_TUNE_HALVING_H
#define BENCH_TUNE_HALVING_H

#include <stdbool.h>
#include <stddef.h>

/* Most candidates that are added after the first rung. */
enum { BENCH_HALVING_EXTENSIONS = 4 };

typedef struct bench_rung {
    size_t index, rungs;         /* 0 to rungs - 1 */
    size_t candidates, matrices;
} bench_rung;

typedef struct bench_halving {
    size_t matrices;             /* of the last rung */

    /* Measures candidates, given by their numbers: the speed of each over that of the page as it
     * is; NaN: it does not run. False: it cannot go on; the search ends. */
    bool (*measure)(void *context, const bench_rung *rung, const size_t *candidate, double *speed);

    /* After the first rung: adds candidates that its speeds suggest, at most
     * BENCH_HALVING_EXTENSIONS, with numbers from `count` on. Returns how many. NULL: none. */
    size_t (*extend)(void *context, const double *speed, size_t count);
    void *context;
} bench_halving;

/* The rungs of a search among so many candidates. */
size_t bench_halving_rungs(size_t candidates);

typedef struct bench_halved {
    size_t best;                 /* a candidate's number */
    double speed;                /* in the last rung that was measured; NaN: no candidate runs */
    bool complete;               /* the last rung was measured */
} bench_halved;

/* Searches among candidates 0 to count - 1. Equal speeds: the lower number is better. */
bench_halved bench_halving_run(const bench_halving *halving, size_t count);

#endif
