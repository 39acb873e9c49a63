/* experiment_words.h: the command line of an experiment's race: the words of the experiment, then
 * those of spmvbench's command line, without the options that the experiment itself takes. */
#ifndef BENCH_EXPERIMENT_WORDS_H
#define BENCH_EXPERIMENT_WORDS_H

#include "bench/experiments/experiment.h"
#include "common/options.h"

/* Words, which are borrowed but for the experiment's own. */
typedef struct bench_experiment_words {
    char **word;
    size_t count;
    char *own;                   /* the experiment's words, cut at spaces */
} bench_experiment_words;

/* Makes the words of a race: "run", e->words, `second` (or ""), argv from 2 on without the `own`
 * options, and e->inputs unless argv has inputs. A --set of argv takes the place of the
 * experiment's --set of the same key. False: out of memory. */
bool bench_experiment_words_make(const bench_experiment *e, const char *second,
                                 const sg_option *own, size_t own_count, int argc,
                                 char *const *argv, bool has_inputs, bench_experiment_words *out);
void bench_experiment_words_free(bench_experiment_words *words);     /* all zero is fine */

#endif
