/* svg.h: spy plot and histogram of a matrix as one SVG image, for light and dark pages. */
#ifndef BENCH_SVG_H
#define BENCH_SVG_H

#include <stdio.h>

#include "bench/inspect/structure.h"

/* How the file begins. */
extern const char bench_svg_beginning[];

/* name: UTF-8, printable. */
spmv_status bench_svg_write(const spmv_csr *csr, const bench_structure *structure, const char *name,
                            FILE *out);

#endif
