/* mtx_entries.h: the lines of data, into a store. */
#ifndef MTX_ENTRIES_H
#define MTX_ENTRIES_H

#include "bench/matrices/mtx/mtx_decimal.h"
#include "bench/matrices/mtx/mtx_header.h"
#include "bench/matrices/mtx/mtx_store.h"
#include "bench/matrices/mtx/mtx_tally.h"

/* Reads from behind the size line to the end of the file: as many entries as the header says,
 * blank lines and comments between and after them, nothing else. A symmetric or skew-symmetric
 * file keeps to one triangle, either one; a skew-symmetric diagonal holds nothing but zeros. */
mtx_status mtx_entries_read(mtx_input *input, const mtx_report *report, const mtx_decimal *decimal,
                            const mtx_header *header, mtx_lines *lines, mtx_store *store,
                            mtx_tally *tally);

#endif
