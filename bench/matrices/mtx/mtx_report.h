/* mtx_report.h: error messages of the reader.
 *
 * A message is "FILE:LINE: what was found; what was expected; what to do". A report belongs to one
 * call of mtx_read and has the file's name and the caller's mtx_error.
 */
#ifndef MTX_REPORT_H
#define MTX_REPORT_H

#include "bench/matrices/mtx/mtx.h"

typedef struct mtx_report {
    const char *name;            /* of the file, as the caller gave it */
    mtx_error *err;              /* owned by the caller; may be NULL */
} mtx_report;

enum { MTX_QUOTE_SIZE = 64 };

/* Writes the message and returns `status`. Line 0 means the whole file. %m is errno, as in
 * printf. */
mtx_status mtx_report_fail(const mtx_report *report, mtx_status status, int64_t line,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Quotes the characters of [begin, end), shortened, with unprintable ones escaped. */
const char *mtx_report_quote(char out[MTX_QUOTE_SIZE], const char *begin, const char *end);

#endif
