/* bar.h: a bar of a plot in text. */
#ifndef BENCH_BAR_H
#define BENCH_BAR_H

#include <stdbool.h>
#include <stdio.h>

/* Prints a bar that fills `share` of `letters` letters, and spaces up to `letters`: in eighths of a
 * letter; in ASCII, in whole letters. A share above 0 always shows. */
void bench_bar_print(double share, int letters, bool utf8, FILE *out);

#endif
