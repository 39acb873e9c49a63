/* evaluators.c: see evaluators.h. */
#include "bench/experiments/evaluators.h"

#include <stdlib.h>

#include "bench/experiments/contenders.h"

double bench_result_gflops(const bench_record_matrix *matrix, const bench_record_result *result)
{
    (void)matrix;
    return result->gflops;
}

size_t bench_panel_of_results(const bench_records *records, bench_figure *figure,
                              const char *title, const char *unit, bench_result_number *number)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, title, "matrix", unit);

    for (size_t m = 0; m < records->matrix_count; m++) {
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        char label[128], name[160];
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t i = first; i < first + count; i++) {
            const bench_record_result *r = &records->result[i];
            if (r->correct && r->seconds > 0)
                bench_figure_number(figure, panel, label, bench_result_name(r, name, sizeof name),
                                    number(&records->matrix[m], r));
        }
    }
    return panel;
}

/* Sorts the rows of a panel by their labels, which are numbers. */
static void sort_labels(bench_panel *panel)
{
    for (size_t i = 1; i < panel->labels; i++)
        for (size_t k = i; k > 0 && atof(panel->label[k]) < atof(panel->label[k - 1]); k--) {
            char *label = panel->label[k];
            panel->label[k] = panel->label[k - 1];
            panel->label[k - 1] = label;
            for (size_t s = 0; s < panel->series_count; s++) {
                const double number = panel->number[k][s];
                panel->number[k][s] = panel->number[k - 1][s];
                panel->number[k - 1][s] = number;
            }
        }
}

size_t bench_panel_of_parameter(const bench_records *records, bench_figure *figure,
                                const char *title, const char *key)
{
    const size_t panel = bench_figure_panel(figure, BENCH_CURVES, title, key, "GFlop/s");

    for (size_t m = 0; m < records->matrix_count; m++) {
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        char label[128], value[64];
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t i = first; i < first + count; i++) {
            const bench_record_result *r = &records->result[i];
            if (r->correct && r->seconds > 0 && bench_result_value(r, key, value, sizeof value))
                bench_figure_number(figure, panel, value, label, r->gflops);
        }
    }
    if (panel < figure->panels)
        sort_labels(&figure->panel[panel]);
    return panel;
}

void bench_find_harmonic_means(bench_figure *figure, size_t panel)
{
    for (size_t s = 0; panel < figure->panels && s < figure->panel[panel].series_count; s++) {
        const bench_panel *p = &figure->panel[panel];
        bench_figure_found(figure, "%s: %.3g %s (harmonic mean)", p->series[s],
                           bench_panel_harmonic_mean(p, p->series[s]), p->unit);
    }
}
