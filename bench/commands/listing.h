/* listing.h: --list and --lookalike list: kernels, models, shapes and look-alikes. */
#ifndef BENCH_LISTING_H
#define BENCH_LISTING_H

#include "bench/race/options.h"

/* Whether the options ask for a list. */
bool bench_listing_is_asked(const bench_options *options);

/* Prints it: the kernels that the devices of the options can run, of their targets, with models and
 * shapes; or look-alikes and their classes. Returns an exit code. */
int bench_listing_print(const bench_options *options);

#endif
