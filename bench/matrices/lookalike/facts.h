/* facts.h: facts about the matrices that papers on SpMV measure: sizes, row lengths and class.
 * Look-alikes are made from these facts. */
#ifndef BENCH_FACTS_H
#define BENCH_FACTS_H

#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNKNOWN = -1 };

typedef struct bench_facts {
    const char *name;            /* in papers: "FEM/Spheres" */
    const char *suitesparse;     /* "Williams/consph" */
    const char *kind;            /* class: "fem", "web"; model.h has a model for each */
    int64_t rows, cols, nnz;
    int64_t row_min;             /* BENCH_UNKNOWN: in no paper */
    int64_t row_avg;             /* nnz / rows, truncated or rounded */
    int64_t row_max;             /* BENCH_UNKNOWN */
} bench_facts;

const bench_facts *bench_facts_all(size_t *count);

/* Finds a matrix by its name in papers or in SuiteSparse, or by the part after the slash of either.
 * Case is ignored, and ' ', '-' and '_' are the same. NULL: unknown. */
const bench_facts *bench_facts_find(const char *name);

/* Writes "; did you mean 'NAME'?" or "" to buffer and returns buffer. */
const char *bench_facts_suggest(char *buffer, size_t size, const char *unknown);

#endif
