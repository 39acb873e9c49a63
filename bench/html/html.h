/* html.h: records as a report: one HTML page that needs no network. The page's script groups,
 * draws and sorts the records in the browser. */
#ifndef BENCH_HTML_H
#define BENCH_HTML_H

#include <stddef.h>
#include <stdio.h>

#include "bench/output/output_file.h"

/* Writes the page. text: JSON Lines that bench_records_read accepts; a last line without line feed
 * is left out. A caller checks ferror(out). */
void bench_report_html(const char *text, size_t bytes, FILE *out);

/* Rules for a file that an option names for a report. */
bench_output_file_rules bench_report_html_rules(const char *option, const char *const *inputs,
                                                size_t input_count);

#endif
