/* mtx_header.h: the banner and the size line.
 *
 *     %%MatrixMarket matrix coordinate real general      banner: always the first line
 *     % comments and blank lines
 *     ROWS COLS ENTRIES                                  size line; of an array file: ROWS COLS
 */
#ifndef MTX_HEADER_H
#define MTX_HEADER_H

#include "bench/matrices/mtx/mtx_input.h"

typedef struct mtx_header {
    mtx_format format;
    mtx_field field;
    mtx_symmetry symmetry;
    int64_t rows, cols;          /* each below 2^31; equal unless general */
    int64_t entries;             /* lines of data; more than rows * cols if places repeat */
    int64_t size_line;           /* number of the size line */
} mtx_header;

/* Reads up to the size line. `lines` then begins after it. */
mtx_status mtx_header_read(mtx_input *input, const mtx_report *report, mtx_lines *lines,
                           mtx_header *out);

#endif
