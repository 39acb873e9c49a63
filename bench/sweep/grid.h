/* grid.h: the combinations of values that --set and --setting list: KEY=VALUE,VALUE... */
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/spmv.h"

enum { BENCH_MAX_AXES = 16 };

/* A key and its values, in the order of the command line, each value once. */
typedef struct bench_axis {
    char *key;                   /* owned, with the texts of the values */
    const char **value;
    size_t count;
} bench_axis;

/* Sorted by key, so that equal combinations have equal texts in whatever order they were given. */
typedef struct bench_grid {
    bench_axis axis[BENCH_MAX_AXES];
    size_t count;
} bench_grid;

/* Reads the words of an option, `option` in messages: KEY=VALUE,VALUE... False, with a sentence in
 * error, if a word has no key or no value, or if a key is given twice. */
bool bench_grid_create(const char *option, const char *const *words, size_t count, bench_grid *out,
                       spmv_error *error);
void bench_grid_destroy(bench_grid *grid);               /* all zero is fine */

/* Which axes count: of a method, of a value type, ... */
typedef bool bench_axis_filter(const void *context, const char *key);

/* The number of combinations of the axes that count: 1 if there are none, SIZE_MAX if there are
 * too many to count. */
size_t bench_grid_combinations(const bench_grid *grid, bench_axis_filter *counts,
                               const void *context);

/* Writes a combination, 0 to bench_grid_combinations - 1, as "KEY=VALUE" with `separator` between;
 * values of the last key change first. Returns the length that it has without a limit. */
size_t bench_grid_text(const bench_grid *grid, bench_axis_filter *counts, const void *context,
                       size_t combination, char separator, char *text, size_t bytes);

#endif
