/* svg_page.h: what all SVG images of spmvbench have. */
#ifndef BENCH_SVG_PAGE_H
#define BENCH_SVG_PAGE_H

#include <stdio.h>

/* How the file begins. */
extern const char bench_svg_beginning[];

/* A style element with colours of text, lines and marks, and a second set of them for dark pages;
 * classes: title, faint, end (of a text at its right end), page, frame, mark. */
extern const char bench_svg_style[];

/* Prints text with what XML needs escaped. */
void bench_svg_text(const char *text, FILE *out);

#endif
