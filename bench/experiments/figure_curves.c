/* figure_curves.c: the curves of a panel as letters on a grid. See figure.h. */
#include "bench/experiments/figure_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 14, LABELS = 9, WIDEST = 64 };

static const char marks[] = "abcdefghijklmnop";

/* The lines of a plot, WIDEST letters each. */
typedef struct grid {
    char cell[HEIGHT][WIDEST];
    int width;
    double least, most;
} grid;

static bool find_range(const bench_panel *panel, grid *g)
{
    g->least = INFINITY;
    g->most = -INFINITY;
    for (size_t i = 0; i < panel->labels; i++)
        for (size_t s = 0; s < panel->series_count; s++) {
            const double number = panel->number[i][s];
            if (isnan(number))
                continue;
            g->least = number < g->least ? number : g->least;
            g->most = number > g->most ? number : g->most;
        }
    if (g->least > 0 && g->least < g->most / 2)
        g->least = 0;
    return g->least <= g->most;
}

/* The line of a number: 0 is the top. */
static int line_of(const grid *g, double number)
{
    const double share = g->most > g->least ? (number - g->least) / (g->most - g->least) : 0.5;

    return (int)lround((1 - share) * (HEIGHT - 1));
}

static int column_of(const bench_panel *panel, const grid *g, size_t label)
{
    return panel->labels > 1
               ? (int)((double)label * (g->width - 1) / (double)(panel->labels - 1) + 0.5) : 0;
}

/* A dot for each column between two labels, on the straight line between their numbers. */
static void draw_line(const bench_panel *panel, size_t s, size_t label, grid *g)
{
    const double from = panel->number[label][s], to = panel->number[label + 1][s];
    const int begin = column_of(panel, g, label), end = column_of(panel, g, label + 1);

    for (int c = begin + 1; c < end && !isnan(from) && !isnan(to); c++) {
        const double at = (double)(c - begin) / (end - begin);
        char *cell = &g->cell[line_of(g, from + at * (to - from))][c];
        if (*cell == ' ')
            *cell = '.';
    }
}

static void draw(const bench_panel *panel, grid *g)
{
    memset(g->cell, ' ', sizeof g->cell);
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t i = 0; i + 1 < panel->labels; i++)
            draw_line(panel, s, i, g);
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t i = 0; i < panel->labels; i++) {
            const double number = panel->number[i][s];
            if (isnan(number))
                continue;
            char *cell = &g->cell[line_of(g, number)][column_of(panel, g, i)];
            *cell = *cell == ' ' || *cell == '.' ? marks[s] : '*';
        }
}

/* The labels below the axis, as many as have room. */
static void print_axis(const bench_panel *panel, const grid *g, FILE *out)
{
    int at = 0;

    fprintf(out, "%*s +", LABELS, "");
    for (int c = 0; c < g->width; c++)
        fputc('-', out);
    fprintf(out, "\n%*s  ", LABELS, "");
    for (size_t i = 0; i < panel->labels; i++) {
        const int column = column_of(panel, g, i);
        if (column < at)
            continue;
        at += fprintf(out, "%*s%s ", column - at, "", panel->label[i]);
    }
    fprintf(out, " %s\n", panel->label_name);
}

void bench_curves_print(const bench_panel *panel, int columns, FILE *out)
{
    grid g = { .width = columns - LABELS - 2 - 12 };

    g.width = g.width > WIDEST ? WIDEST : g.width < 16 ? 16 : g.width;
    if (!find_range(panel, &g))
        return;
    draw(panel, &g);
    for (int line = 0; line < HEIGHT; line++) {
        if (line % 4 == 0 || line == HEIGHT - 1)
            fprintf(out, "%*.4g |", LABELS,
                    g.most - (g.most - g.least) * line / (HEIGHT - 1));
        else
            fprintf(out, "%*s |", LABELS, "");
        int end = g.width;
        while (end > 0 && g.cell[line][end - 1] == ' ')
            end--;
        fprintf(out, "%.*s\n", end, g.cell[line]);
    }
    print_axis(panel, &g, out);
    for (size_t s = 0; s < panel->series_count; s++)
        fprintf(out, "%*s%c  %s\n", LABELS + 2, "", marks[s], panel->series[s]);
    fprintf(out, "%*s*  several\n", LABELS + 2, "");
}
