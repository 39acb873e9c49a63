/* mtx_explain.h: explains why a line of data was refused, by reading it again word by word. */
#ifndef MTX_EXPLAIN_H
#define MTX_EXPLAIN_H

#include "bench/matrices/mtx/mtx_decimal.h"
#include "bench/matrices/mtx/mtx_header.h"
#include "bench/matrices/mtx/mtx_tally.h"

/* `text` is the refused line, not blank, up to its newline. Always returns a failure. */
mtx_status mtx_explain(const mtx_report *report, const mtx_decimal *decimal,
                       const mtx_header *header, const mtx_tally *tally, const char *text,
                       int64_t line);

#endif
