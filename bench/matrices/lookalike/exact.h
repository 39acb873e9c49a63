/* exact.h: matrices whose structure follows from their sizes. */
#ifndef BENCH_EXACT_H
#define BENCH_EXACT_H

#include "bench/matrices/lookalike/facts.h"

typedef struct bench_exact {
    const char *kind;            /* the class */
    const char *meaning;         /* for people */
    /* The side of the grid with exactly these facts; 0: there is none. */
    int64_t (*recognise)(const bench_facts *facts);
    /* Writes the columns of a row in ascending order, unless col is NULL. Returns their number. */
    int64_t (*draw)(int64_t side, int64_t row, int32_t *col);
} bench_exact;

/* NULL: no exact matrix has these facts; else *side is set. */
const bench_exact *bench_exact_find(const bench_facts *facts, int64_t *side);

#endif
