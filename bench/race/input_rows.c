/* input_rows.c: see input_rows.h. */
#include "bench/race/input_rows.h"

const sg_option_listing bench_listed_shapes = {
    .options = "--list", .heading = "shapes:", .column = 1
};
const sg_option_listing bench_listed_lookalikes = {
    .options = "--lookalike list", .heading = "name", .column = 1, .more = "all list"
};
