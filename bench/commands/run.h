/* run.h: what `run` does with options: emits and compiles a sweep, opens devices and peers, races.
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/race/options.h"
#include "bench/records/record.h"

/* Races the inputs of the options, prints the results and writes the options' files. argv: the
 * words of the command line, without the program's name, as files of records keep them. *records
 * gets the results; the caller frees it. Returns an exit code. */
int bench_run(const bench_options *options, int argc, char *const *argv, bench_records *records);

#endif
