/* validation.h: races the point that a study found against the page, on the matrices that its
 * search did not see. */
#ifndef BENCH_TUNE_VALIDATION_H
#define BENCH_TUNE_VALIDATION_H

#include "bench/tune/study.h"

/* Races until study->until, in several passes with plans of their own: where a plan's memory lies
 * changes its speed, too. Fills the study's validation and judgement, and prints them. */
bench_study_status bench_validation_run(bench_study *study, char *message, size_t message_bytes);

#endif
