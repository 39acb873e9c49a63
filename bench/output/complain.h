/* complain.h: what spmvbench says on stderr, a line at a time. */
#ifndef BENCH_COMPLAIN_H
#define BENCH_COMPLAIN_H

/* Prints "spmvbench: ", the text and a line feed. Names in it may hold anything: letters that are
 * not printable are escaped, line feeds too (common/letters.h). */
void bench_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum { BENCH_SHOWN_BYTES = 1100 };

/* A name of less than 256 bytes for a table or a heading, escaped likewise. Fills buffer and
 * returns it. */
const char *bench_shown(char buffer[BENCH_SHOWN_BYTES], const char *name);

#endif
