/* message.h: lines of spmvbench in which names may hold any letters. */
#ifndef BENCH_MESSAGE_H
#define BENCH_MESSAGE_H

#include <stdio.h>

/* Prints "spmvbench: ", the text and a line feed to stderr. Unprintable letters of the text, line
 * feeds included, are escaped (common/utf8.h). */
void bench_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the text, escaped in the same way, and a line feed. */
void bench_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { BENCH_PRINTABLE_BYTES = 1100 };

/* Writes a name of less than 256 bytes to buffer, escaped in the same way, and returns buffer. */
const char *bench_printable(char buffer[BENCH_PRINTABLE_BYTES], const char *name);

#endif
