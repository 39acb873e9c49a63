/* terminal.h: what the terminal can show: how many columns, and whether UTF-8. */
#ifndef BENCH_TERMINAL_H
#define BENCH_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal that `out` writes to; else of COLUMNS; else 80. At least 20. */
int bench_terminal_columns(FILE *out);

/* Whether a line of progress can be drawn on stderr: a terminal, but none where stdout is a pipe,
 * whose reader may draw on the same terminal. */
bool bench_terminal_takes_line(void);

/* Whether the locale in the environment is one of UTF-8. It need not be installed. */
bool bench_terminal_is_utf8(void);

/* Prints "label     text", with lines broken at spaces to fit the columns, and indented below the
 * text. The label is at most 9 letters. Unprintable letters are escaped (common/utf8.h). */
void bench_print_wrapped(const char *label, const char *text, int columns, FILE *out);

#endif
