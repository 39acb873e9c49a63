/* mtx_explain.h: why a line of data was refused. Reads it again, slowly, word by word. */
#ifndef MTX_EXPLAIN_H
#define MTX_EXPLAIN_H

#include "bench/matrices/mtx/mtx_decimal.h"
#include "bench/matrices/mtx/mtx_header.h"
#include "bench/matrices/mtx/mtx_tally.h"

/* `text` is the refused line, up to its newline, and not blank. Always a failure. */
mtx_status mtx_explain(const mtx_report *report, const mtx_decimal *decimal,
                       const mtx_header *header, const mtx_tally *tally, const char *text,
                       int64_t line);

#endif
