/* facts.h: what is known of the matrices that papers on SpMV measure, as far as a matrix can be
 * made like them: sizes, row lengths, and what kind of matrix it is. Facts only.
 */
#ifndef BENCH_FACTS_H
#define BENCH_FACTS_H

#include <stddef.h>
#include <stdint.h>

enum { BENCH_UNKNOWN = -1 };

typedef struct bench_facts {
    const char *name;            /* as the papers call it: "FEM/Spheres" */
    const char *suitesparse;     /* "Williams/consph" */
    const char *kind;            /* its class: "fem", "web"; model.h has one model for each */
    int64_t rows, cols, nnz;
    int64_t row_min;             /* BENCH_UNKNOWN: no paper says */
    int64_t row_avg;             /* nnz / rows, cut or rounded */
    int64_t row_max;             /* BENCH_UNKNOWN */
} bench_facts;

const bench_facts *bench_facts_all(size_t *count);

/* By the paper's name, SuiteSparse's, or what follows the slash of either; case does not count, and
 * ' ', '-' and '_' are the same. NULL: unknown. */
const bench_facts *bench_facts_find(const char *name);

/* "; did you mean 'NAME'?" or "". Fills buffer and returns it. */
const char *bench_facts_suggest(char *buffer, size_t size, const char *unknown);

#endif
