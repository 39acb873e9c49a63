/* outputs.h: the files that a run writes: those of --save and --resume, which grow race by race,
 * and those of --report and --json, which it writes at its end.
 *
 * They are opened or checked before a sweep compiles anything, which may take minutes. */
#ifndef BENCH_OUTPUTS_H
#define BENCH_OUTPUTS_H

#include "bench/race/options.h"
#include "bench/records/save.h"
#include "runtime/spmv.h"

typedef struct bench_outputs {
    const bench_options *options;
    bench_save *save[BENCH_MAX_NAMES + 1];
    size_t saves;
    bench_records resumed;       /* the file of --resume */
} bench_outputs;

/* Describes the run of a command line in *records, and opens its files; nothing is written yet.
 * options: with the first input; argv[1] is the first word behind the command's name. False, with a
 * sentence in error: a file cannot be read or written. *out can be closed in any case. */
bool bench_outputs_open(const bench_options *options, int argc, char *const *argv,
                        bench_records *records, bench_outputs *out, spmv_error *error);

/* Write to the files of records: the run, and a group, into the file of --resume, too, unless it is
 * from there. */
void bench_outputs_begin(bench_outputs *outputs, const bench_records *records);
void bench_outputs_group(bench_outputs *outputs, const bench_records *records, size_t matrix,
                         bool is_resumed);

/* Writes the end and the page of --report. False: a sentence is in error. */
bool bench_outputs_end(bench_outputs *outputs, const bench_records *records,
                       const bench_ending *ending, spmv_error *error);

/* False: a text could not be written, as the sentence in error says. */
bool bench_outputs_close(bench_outputs *outputs, spmv_error *error);

#endif
