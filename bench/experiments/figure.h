/* figure.h: what an experiment found: panels of numbers, which are printed as tables and plots, and
 * sentences.
 *
 * A panel is a table: a row for each label (a matrix, a value of a parameter), a column for each
 * series (a method). Labels and series are made by the first number that names them. */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { BENCH_MAX_SERIES = 16, BENCH_FIGURE_TEXT = 256 };

/* How a panel is drawn. */
typedef enum bench_panel_kind {
    BENCH_BARS,                  /* a bar for each number; labels are names */
    BENCH_CURVES,                /* a curve for each series; labels are numbers, ascending */
    BENCH_TABLE                  /* not drawn */
} bench_panel_kind;

typedef struct bench_panel {
    bench_panel_kind kind;
    const char *title, *unit;    /* constant texts: "GFlop/s" */
    const char *label_name;      /* what the labels are: "matrix" */
    char **label;
    double (*number)[BENCH_MAX_SERIES];      /* of each label; NaN: none */
    size_t labels, label_space;
    char *series[BENCH_MAX_SERIES];
    size_t series_count;
} bench_panel;

typedef struct bench_figure {
    bench_panel *panel;
    size_t panels;
    char (*finding)[BENCH_FIGURE_TEXT];      /* sentences, without a line feed */
    size_t findings;
    bool out_of_memory;          /* some of it is missing */
    bool lacks_series;           /* a panel had no room for all series */
} bench_figure;

void bench_figure_free(bench_figure *figure);    /* all zero is fine */

/* Adds a panel and returns its index. */
size_t bench_figure_panel(bench_figure *figure, bench_panel_kind kind, const char *title,
                          const char *label_name, const char *unit);

/* Whether it has no label and no sentence. */
bool bench_figure_is_empty(const bench_figure *figure);

/* Sets a number; the texts are copied and escaped, since names may hold any letters. Series beyond
 * BENCH_MAX_SERIES are dropped, and the figure says so. */
void bench_figure_number(bench_figure *figure, size_t panel, const char *label, const char *series,
                         double number);

/* Adds a sentence about what was found, cut to BENCH_FIGURE_TEXT. */
void bench_figure_found(bench_figure *figure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints panels as tables and plots, then the sentences. columns: of a line. */
void bench_figure_print(const bench_figure *figure, int columns, bool utf8, FILE *out);

/* The plots as an image for light and dark pages. name, where: of the experiment. */
void bench_figure_svg(const bench_figure *figure, const char *name, const char *where, FILE *out);

/* The numbers as CSV, a line each behind the heading. */
extern const char bench_figure_csv_beginning[];
void bench_figure_csv(const bench_figure *figure, FILE *out);

/* The greatest number, and at least 0: the end of an axis that begins at 0. */
double bench_panel_greatest(const bench_panel *panel);

/* Means over the numbers of a series that are above 0; NaN: there is none. */
double bench_panel_mean(const bench_panel *panel, const char *series);
double bench_panel_harmonic_mean(const bench_panel *panel, const char *series);
double bench_panel_geometric_mean(const bench_panel *panel, const char *series);

#endif
