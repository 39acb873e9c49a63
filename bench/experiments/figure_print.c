/* figure_print.c: a figure as text: tables, bars, sentences; and as CSV. See figure.h. */
#include "bench/experiments/figure.h"

#include <math.h>
#include <string.h>

#include "bench/experiments/figure_curves.h"
#include "bench/output/bar.h"
#include "bench/output/csv.h"
#include "bench/output/table.h"

/* Four digits, and more of a large count. */
static void format_number(double number, char *text, size_t bytes)
{
    if (isnan(number))
        snprintf(text, bytes, "-");
    else
        snprintf(text, bytes, fabs(number) >= 1000 ? "%.0f" : "%.4g", number);
}

static void print_table(const bench_panel *panel, FILE *out)
{
    bench_table *table = bench_table_create(1 + panel->series_count, 1);

    bench_table_add(table, "%s", panel->label_name);
    for (size_t s = 0; s < panel->series_count; s++)
        bench_table_add(table, "%s", panel->series[s]);
    for (size_t i = 0; i < panel->labels; i++) {
        bench_table_add(table, "%s", panel->label[i]);
        for (size_t s = 0; s < panel->series_count; s++) {
            char text[32];
            format_number(panel->number[i][s], text, sizeof text);
            bench_table_add(table, "%s", text);
        }
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
}

static int longest(char *const *text, size_t count)
{
    size_t most = 0;

    for (size_t i = 0; i < count; i++)
        if (strlen(text[i]) > most)
            most = strlen(text[i]);
    return (int)most;
}

/* A line with a bar for each number: the labels below one another, their series together. */
static void print_bars(const bench_panel *panel, int columns, bool utf8, FILE *out)
{
    enum { NUMBER = 9, LEAST_BAR = 8, LONGEST_BAR = 48 };
    const int label = longest(panel->label, panel->labels);
    const int series = longest(panel->series, panel->series_count);
    const double most = bench_panel_greatest(panel);
    int bar = columns - label - series - NUMBER - 4;

    bar = bar < LEAST_BAR ? LEAST_BAR : bar > LONGEST_BAR ? LONGEST_BAR : bar;
    for (size_t i = 0; i < panel->labels; i++)
        for (size_t s = 0; s < panel->series_count; s++) {
            const double number = panel->number[i][s];
            char text[32];
            if (isnan(number))
                continue;
            format_number(number, text, sizeof text);
            fprintf(out, "%-*s  %-*s ", label, s == 0 ? panel->label[i] : "", series,
                    panel->series[s]);
            bench_bar_print(most > 0 && number > 0 ? number / most : 0, bar, utf8, out);
            fprintf(out, " %s\n", text);
        }
}

void bench_figure_print(const bench_figure *figure, int columns, bool utf8, FILE *out)
{
    for (size_t p = 0; p < figure->panels; p++) {
        const bench_panel *panel = &figure->panel[p];
        if (panel->labels == 0)
            continue;
        fprintf(out, "%s, %s\n\n", panel->title, panel->unit);
        print_table(panel, out);
        fputc('\n', out);
        if (panel->kind == BENCH_BARS)
            print_bars(panel, columns, utf8, out);
        else if (panel->kind == BENCH_CURVES)
            bench_curves_print(panel, columns, out);
        if (panel->kind != BENCH_TABLE)
            fputc('\n', out);
    }
    for (size_t i = 0; i < figure->findings; i++)
        fprintf(out, "found    %s\n", figure->finding[i]);
}

const char bench_figure_csv_beginning[] = "panel,label,series,number,unit\n";

void bench_figure_csv(const bench_figure *figure, FILE *out)
{
    fputs(bench_figure_csv_beginning, out);
    for (size_t p = 0; p < figure->panels; p++) {
        const bench_panel *panel = &figure->panel[p];
        for (size_t i = 0; i < panel->labels; i++)
            for (size_t s = 0; s < panel->series_count; s++) {
                if (isnan(panel->number[i][s]))
                    continue;
                const char *const words[] = { panel->title, panel->label[i], panel->series[s] };
                for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
                    bench_csv_text(words[w], out);
                    fputc(',', out);
                }
                fprintf(out, "%.9g,", panel->number[i][s]);
                bench_csv_text(panel->unit, out);
                fputc('\n', out);
            }
    }
}
