/* input_rows.h: rows of option tables that all commands with inputs have: the options that name a
 * matrix without an operand. */
#ifndef BENCH_INPUT_ROWS_H
#define BENCH_INPUT_ROWS_H

#include <stddef.h>

#include "common/options.h"

extern const sg_option_listing bench_listed_shapes, bench_listed_lookalikes;

/* For a struct with the members of a bench_options; `in` is "base." if they are in its member. */
#define BENCH_INPUT_ROWS(type, in) \
    { .name = "poisson", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = 1290, \
      .offset = offsetof(type, in poisson), \
      .help = "the 7-point Poisson problem on N x N x N points" }, \
    { .name = "shape", .value = "NAME", .kind = SG_OPTION_TEXT, \
      .offset = offsetof(type, in shape), .listing = &bench_listed_shapes, \
      .help = "a matrix made on the spot; --list shows the names" }, \
    { .name = "lookalike", .value = "NAME", .kind = SG_OPTION_TEXT, \
      .offset = offsetof(type, in lookalike), .listing = &bench_listed_lookalikes, \
      .help = "a matrix with the sizes, the row lengths and the locality of one that\n" \
              "papers measure; list shows them; all: 18 matrices of all kinds. Beside\n" \
              "an INPUT, a class: that matrix's look-alike" }, \
    { .name = "size", .value = "N", .kind = SG_OPTION_INTEGER, .max = INT32_MAX, \
      .offset = offsetof(type, in size), \
      .help = "size of --shape; what it counts is shown by --list" }, \
    { .name = "seed", .value = "N", .kind = SG_OPTION_INTEGER, .max = INT64_MAX, \
      .offset = offsetof(type, in seed), \
      .help = "seed of made matrices, and of x and y; without it 1" }

#endif
