/* experiment.h: the experiments of the papers: each repeats a figure or a table of a paper.
 *
 * Most experiments are a race, the command line of which they name, and a function that makes the
 * paper's numbers of its records. Others measure by themselves. Files are by paper: csr5.c,
 * csr_adaptive.c, evc_hyb.c, speculative.c; narrow_values.c is of this project. A table of each is
 * listed in experiments.c. */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "bench/experiments/figure.h"
#include "bench/inputs/inputs.h"
#include "bench/race/options.h"
#include "bench/records/record.h"
#include "runtime/spmv.h"

typedef struct bench_experiment {
    const char *name;            /* "csr5-regular" */
    const char *paper;           /* "CSR5" */
    const char *where;           /* in the paper: "Fig. 7 and 8" */
    const char *title;           /* what it shows: no capital, no full stop */
    const char *expected;        /* what the paper found, on its machine: sentences */
    const char *formula;         /* how its numbers are made: "2 * nnz / t" */

    /* The words of the race, with spaces between, as `spmvbench run` takes them; options of the
     * command line stand behind them. */
    const char *words;
    const char *inputs;          /* likewise: what it multiplies if the command line names none */

    /* NULL, or the words of a second race: it has the other words, too, and its records follow
     * those of the first one. */
    const char *second;

    /* Makes the figure from the records of the race; or measures without one. One of them is NULL.
     * False, with a sentence in error, if that is impossible here. */
    bool (*evaluate)(const bench_records *records, bench_figure *figure, spmv_error *error);
    bool (*measure)(const bench_options *options, const bench_inputs *inputs, bench_figure *figure,
                    spmv_error *error);
} bench_experiment;

/* All experiments, in the order of papers and their figures. */
size_t bench_experiment_count(void);
const bench_experiment *bench_experiment_at(size_t index);

/* NULL: none has this name. */
const bench_experiment *bench_experiment_find(const char *name);

/* The experiments of a paper. */
typedef struct bench_experiments {
    const bench_experiment *experiment;
    size_t count;
} bench_experiments;

extern const bench_experiments bench_experiments_csr5;
extern const bench_experiments bench_experiments_csr_adaptive;
extern const bench_experiments bench_experiments_evc_hyb;
extern const bench_experiments bench_experiments_narrow_values;
extern const bench_experiments bench_experiments_speculative;

#endif
