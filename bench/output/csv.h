/* csv.h: texts in files of comma-separated values. */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include <stdio.h>

/* Writes a text in quotes, in which quotes are doubled (RFC 4180). Unprintable letters are escaped
 * (common/utf8.h), so that a value has one line and the file is UTF-8. */
void bench_csv_text(const char *text, FILE *out);

#endif
