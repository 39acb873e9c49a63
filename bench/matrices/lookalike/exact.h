/* exact.h: matrices whose sizes alone tell where every entry is. */
#ifndef BENCH_EXACT_H
#define BENCH_EXACT_H

#include "bench/matrices/lookalike/facts.h"

typedef struct bench_exact {
    const char *kind;            /* the class */
    const char *meaning;         /* what was recognised, and by what */
    /* The side of the grid that has just these facts; 0: they belong to something else. */
    int64_t (*recognise)(const bench_facts *facts);
    /* Writes the columns of a row in ascending order (col may be NULL); how many. */
    int64_t (*draw)(int64_t side, int64_t row, int32_t *col);
} bench_exact;

/* NULL: none is known; else *side is set. */
const bench_exact *bench_exact_find(const bench_facts *facts, int64_t *side);

#endif
