/* mtx_entries.h: reads the lines of data into a store. */
#ifndef MTX_ENTRIES_H
#define MTX_ENTRIES_H

#include "bench/matrices/mtx/mtx_decimal.h"
#include "bench/matrices/mtx/mtx_header.h"
#include "bench/matrices/mtx/mtx_store.h"
#include "bench/matrices/mtx/mtx_tally.h"

/* Reads from the size line to the end of the file: as many entries as the header states, with blank
 * lines and comments between and after them, and nothing else. A symmetric or skew-symmetric file
 * must keep to one triangle, lower or upper. A skew-symmetric diagonal holds only zeros. */
mtx_status mtx_entries_read(mtx_input *input, const mtx_report *report, const mtx_decimal *decimal,
                            const mtx_header *header, mtx_lines *lines, mtx_store *store,
                            mtx_tally *tally);

#endif
