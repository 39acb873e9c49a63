/* message.h: messages of spmvbench on stderr, a line each. */
#ifndef BENCH_MESSAGE_H
#define BENCH_MESSAGE_H

/* Prints "spmvbench: ", the text and a line feed. Unprintable letters, line feeds included, are
 * escaped (common/utf8.h), since names may hold any letters. */
void bench_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum { BENCH_PRINTABLE_BYTES = 1100 };

/* Writes a name of less than 256 bytes to buffer, escaped in the same way, and returns buffer. */
const char *bench_printable(char buffer[BENCH_PRINTABLE_BYTES], const char *name);

#endif
