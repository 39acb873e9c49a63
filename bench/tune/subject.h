/* subject.h: what is tuned: a page, and the parameters of its methods. */
#ifndef BENCH_TUNE_SUBJECT_H
#define BENCH_TUNE_SUBJECT_H

#include "bench/race/options.h"
#include "bench/tune/space.h"
#include "runtime/spmv.h"

typedef struct bench_tune_subject {
    char page[128];              /* its name; "host" is the page of this CPU */
    const bench_space **space;   /* those to tune: by type, then by method */
    size_t count;
    bench_space *all;            /* of the page */
    size_t all_count;
} bench_tune_subject;

/* Asks spmvgen for the page that `target` names, and takes the spaces of the options' methods and
 * types. False, with a sentence in error: there is none. *out can be freed in any case. */
bool bench_tune_subject_find(const bench_options *options, const char *target,
                             bench_tune_subject *out, spmv_error *error);
void bench_tune_subject_free(bench_tune_subject *subject);       /* all zero is fine */

#endif
