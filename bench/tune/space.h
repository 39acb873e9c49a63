/* space.h: the search space of a method and value type: the parameters that are worth tuning, with
 * the page's value and others, as `spmvgen --tunable` lists them; and which combinations of them
 * are tried. Pure functions of texts and numbers. */
#ifndef BENCH_TUNE_SPACE_H
#define BENCH_TUNE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/sweep/grid.h"
#include "runtime/spmv.h"

typedef struct bench_space {
    char method[64], type[4];    /* "csr5", "f64" */
    bench_grid grid;             /* keys METHOD.TYPE.PARAM; the first value is the page's own */
} bench_space;

/* Reads the output of `spmvgen --tunable`, the spaces in its order. NULL, with a sentence in
 * error: the text has a line that is none of a list, or memory ran out. */
bench_space *bench_spaces_read(const char *text, size_t *count, spmv_error *error);
void bench_spaces_free(bench_space *spaces, size_t count);

/* A combination: the number of a value for each axis of the grid. All 0: the page as it is. */
typedef struct bench_point {
    unsigned char value[BENCH_MAX_AXES];
} bench_point;

bool bench_point_equals(const bench_point *a, const bench_point *b);

/* The number of axes at which a point differs from the page, and the first of them. */
size_t bench_point_changes(const bench_space *space, const bench_point *point, size_t *first);

/* The number of combinations, the page itself included; SIZE_MAX: too many to count. */
size_t bench_space_size(const bench_space *space);

/* Writes at most `most` different points: first the page itself, then points that differ from it at
 * one axis, then random ones: at each axis every value is as likely. If there are
 * no more than `most` in all, every point. The order depends on the seed. Returns their number. */
size_t bench_space_points(const bench_space *space, size_t most, uint64_t seed, bench_point *out);

/* Writes a point as "KEY=VALUE KEY=VALUE", without the axes at which it is the page: a value that
 * is derived from another one is then derived anew. */
void bench_space_text(const bench_space *space, const bench_point *point, char *text,
                      size_t bytes);

/* The same for people: "PARAM=VALUE PARAM=VALUE"; the page itself is "as the page is". */
void bench_space_words(const bench_space *space, const bench_point *point, char *text,
                       size_t bytes);

/* The name of the parameter of an axis: "sigma". */
const char *bench_space_parameter(const bench_space *space, size_t axis);

enum { BENCH_POINT_BYTES = 1024 };       /* enough for either text */

#endif
