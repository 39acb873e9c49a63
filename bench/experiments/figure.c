/* figure.c: figures in memory. See figure.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup */
#include "bench/experiments/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/message.h"
#include "common/utf8.h"

void bench_figure_free(bench_figure *figure)
{
    for (size_t p = 0; p < figure->panels; p++) {
        bench_panel *panel = &figure->panel[p];
        for (size_t i = 0; i < panel->labels; i++)
            free(panel->label[i]);
        for (size_t s = 0; s < panel->series_count; s++)
            free(panel->series[s]);
        free(panel->label);
        free(panel->number);
    }
    free(figure->panel);
    free(figure->finding);
    *figure = (bench_figure){ .panel = NULL };
}

bool bench_figure_is_empty(const bench_figure *figure)
{
    size_t labels = 0;

    for (size_t p = 0; p < figure->panels; p++)
        labels += figure->panel[p].labels;
    return labels == 0 && figure->findings == 0;
}

/* An array with room for one more element; NULL, and the figure says so: out of memory. */
static void *one_more(bench_figure *figure, void *array, size_t count, size_t element)
{
    void *grown = realloc(array, (count + 1) * element);

    figure->out_of_memory |= !grown;
    return grown;
}

size_t bench_figure_panel(bench_figure *figure, bench_panel_kind kind, const char *title,
                          const char *label_name, const char *unit)
{
    bench_panel *grown = one_more(figure, figure->panel, figure->panels, sizeof *grown);

    if (!grown)
        return SIZE_MAX;
    figure->panel = grown;
    grown[figure->panels] = (bench_panel){ .kind = kind, .title = title, .unit = unit,
                                           .label_name = label_name };
    return figure->panels++;
}

/* The index of a label, which is added if it is new; SIZE_MAX: out of memory. */
static size_t label_index(bench_figure *figure, bench_panel *panel, const char *label)
{
    for (size_t i = 0; i < panel->labels; i++)
        if (strcmp(panel->label[i], label) == 0)
            return i;
    char **labels = one_more(figure, panel->label, panel->labels, sizeof *labels);
    if (labels)
        panel->label = labels;
    double (*numbers)[BENCH_MAX_SERIES] =
        one_more(figure, panel->number, panel->labels, sizeof *numbers);
    if (numbers)
        panel->number = numbers;
    char *copy = labels && numbers ? strdup(label) : NULL;
    if (!copy) {
        figure->out_of_memory = true;
        return SIZE_MAX;
    }
    panel->label[panel->labels] = copy;
    for (size_t s = 0; s < BENCH_MAX_SERIES; s++)
        panel->number[panel->labels][s] = NAN;
    return panel->labels++;
}

/* The index of a series; BENCH_MAX_SERIES: unknown. */
static size_t find_series(const bench_panel *panel, const char *series)
{
    for (size_t s = 0; s < panel->series_count; s++)
        if (strcmp(panel->series[s], series) == 0)
            return s;
    return BENCH_MAX_SERIES;
}

void bench_figure_number(bench_figure *figure, size_t index, const char *label, const char *series,
                         double number)
{
    bench_panel *panel = index < figure->panels ? &figure->panel[index] : NULL;
    char shown_label[BENCH_PRINTABLE_BYTES], shown_series[BENCH_PRINTABLE_BYTES];

    label = bench_printable(shown_label, label);
    series = bench_printable(shown_series, series);
    const size_t row = panel ? label_index(figure, panel, label) : SIZE_MAX;
    size_t s = panel ? find_series(panel, series) : BENCH_MAX_SERIES;

    if (row == SIZE_MAX)
        return;
    if (s == BENCH_MAX_SERIES && panel->series_count < BENCH_MAX_SERIES) {
        if (!(panel->series[panel->series_count] = strdup(series))) {
            figure->out_of_memory = true;
            return;
        }
        s = panel->series_count++;
    }
    if (s < BENCH_MAX_SERIES)
        panel->number[row][s] = number;
    else
        figure->lacks_series = true;
}

void bench_figure_found(bench_figure *figure, const char *format, ...)
{
    char (*grown)[BENCH_FIGURE_TEXT] =
        one_more(figure, figure->finding, figure->findings, sizeof *grown);
    char text[BENCH_FIGURE_TEXT];
    va_list args;

    if (!grown)
        return;
    figure->finding = grown;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sg_make_printable(grown[figure->findings++], sizeof *grown, text);
}

double bench_panel_greatest(const bench_panel *panel)
{
    double most = 0;

    for (size_t i = 0; i < panel->labels; i++)
        for (size_t s = 0; s < panel->series_count; s++)
            if (panel->number[i][s] > most)
                most = panel->number[i][s];
    return most;
}

/* The mean of f(number) over the numbers above 0; NaN: there is none. */
static double mean_of(const bench_panel *panel, const char *series, double (*f)(double))
{
    const size_t s = find_series(panel, series);
    double sum = 0;
    size_t count = 0;

    for (size_t i = 0; i < panel->labels && s < BENCH_MAX_SERIES; i++)
        if (panel->number[i][s] > 0) {
            sum += f(panel->number[i][s]);
            count++;
        }
    return count > 0 ? sum / (double)count : NAN;
}

static double itself(double number)
{
    return number;
}

double bench_panel_mean(const bench_panel *panel, const char *series)
{
    return mean_of(panel, series, itself);
}

static double inverse(double number)
{
    return 1 / number;
}

double bench_panel_harmonic_mean(const bench_panel *panel, const char *series)
{
    return 1 / mean_of(panel, series, inverse);
}

double bench_panel_geometric_mean(const bench_panel *panel, const char *series)
{
    return exp(mean_of(panel, series, log));
}
