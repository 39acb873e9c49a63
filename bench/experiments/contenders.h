/* contenders.h: finds results in records, for the experiments. */
#ifndef BENCH_CONTENDERS_H
#define BENCH_CONTENDERS_H

#include "bench/records/record.h"

/* What a result must have; NULL: anything. `set` and `settings` are whole texts, "" for none. */
typedef struct bench_wanted {
    const char *method, *target, *set, *settings;
} bench_wanted;

/* The first result of a matrix that has all that is wanted, is correct and was timed; NULL: none.
 */
const bench_record_result *bench_find_result(const bench_records *records, size_t matrix,
                                             bench_wanted wanted);

/* The fastest such result of our methods; with `peers`, of the peers. */
const bench_record_result *bench_find_fastest(const bench_records *records, size_t matrix,
                                              bench_wanted wanted, bool peers);

/* The value of a key in `set`, as in "csr5.sigma"; NULL: it has none. The text ends at a space or
 * at its end; buffer gets a copy. */
const char *bench_result_value(const bench_record_result *result, const char *key, char *buffer,
                               size_t bytes);

/* The same as a number; NaN: it has none. */
double bench_result_number(const bench_record_result *result, const char *key);

/* A number of the layout, by its name in --details, and the seconds of a step of building it; NaN:
 * the result has none. */
double bench_result_figure(const bench_record_result *result, const char *name);
double bench_result_build_step(const bench_record_result *result, const char *name);

/* A name of the result for tables: the method, its values and settings, and the target if another
 * result of the same matrix has all of these, too. */
const char *bench_result_label(const bench_records *records, const bench_record_result *result,
                               char *buffer, size_t bytes);

/* Bytes of the matrix in CSR: values, columns and row pointers. */
double bench_matrix_bytes(const bench_record_matrix *matrix);

/* An input's name for tables, without "lookalike:", and behind it the type, unless that is "". */
const char *bench_input_label(const char *input, const char *type, char *buffer, size_t bytes);

/* The matrix's name for tables, without "lookalike:"; with the type, if the records have both. */
const char *bench_matrix_label(const bench_records *records, size_t matrix, char *buffer,
                               size_t bytes);

#endif
