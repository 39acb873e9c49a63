/* evaluators.c: bars of speed and speed-ups. See evaluators.h. */
#include "bench/experiments/evaluators.h"

#include <math.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "common/fail.h"

/* ---- sentences ------------------------------------------------------------------------------- */

void bench_describe_series(bench_figure *figure, size_t index, bench_mean mean, const char *before)
{
    static const struct {
        const char *name;
        double (*mean)(const bench_panel *panel, const char *series);
    } means[] = {
        [BENCH_ARITHMETIC] = { "mean", bench_panel_mean },
        [BENCH_GEOMETRIC] = { "geometric mean", bench_panel_geometric_mean },
        [BENCH_HARMONIC] = { "harmonic mean", bench_panel_harmonic_mean },
    };

    for (size_t s = 0; index < figure->panels && s < figure->panel[index].series_count; s++) {
        const bench_panel *p = &figure->panel[index];
        size_t least = p->labels, most = p->labels;
        for (size_t i = 0; i < p->labels; i++) {
            if (isnan(p->number[i][s]))
                continue;
            if (least == p->labels || p->number[i][s] < p->number[least][s])
                least = i;
            if (most == p->labels || p->number[i][s] > p->number[most][s])
                most = i;
        }
        if (most == p->labels)
            continue;
        bench_figure_found(figure, "%s%s: %.3g %s (%s), %.3g (%s) to %.3g (%s)", before,
                           p->series[s], means[mean].mean(p, p->series[s]), p->unit,
                           means[mean].name, p->number[least][s], p->label[least],
                           p->number[most][s], p->label[most]);
    }
}

/* ---- bars ------------------------------------------------------------------------------------ */

bool bench_evaluate_speed(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Speed of a multiplication",
                                            "matrix", "GFlop/s");
    const size_t means = bench_figure_panel(figure, BENCH_BARS, "Speed over the matrices",
                                            "method", "GFlop/s");

    (void)error;
    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        char label[128], name[192];
        if (r->correct)
            bench_figure_number(figure, panel,
                                bench_matrix_label(records, r->matrix, label, sizeof label),
                                bench_result_label(records, r, name, sizeof name), r->gflops);
    }
    for (size_t s = 0; means < figure->panels && s < figure->panel[panel].series_count; s++)
        bench_figure_number(figure, means, figure->panel[panel].series[s], "harmonic mean",
                            bench_panel_harmonic_mean(&figure->panel[panel],
                                                      figure->panel[panel].series[s]));
    bench_describe_series(figure, panel, BENCH_HARMONIC, "");
    return true;
}

bool bench_evaluate_speedup(const bench_records *records, const char *method, bench_figure *figure,
                            spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Speed over other methods",
                                            "matrix", "times");
    char before[64], over[80];

    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        const bench_record_result *ours =
            bench_find_fastest(records, r->matrix, (bench_wanted){ .method = method }, false);
        char label[128];
        if (!ours || strcmp(r->method, method) == 0)
            continue;
        const bench_record_result *theirs =
            bench_find_fastest(records, r->matrix, (bench_wanted){ .method = r->method }, r->peer);
        snprintf(over, sizeof over, "over %.64s", r->method);
        if (theirs == r)
            bench_figure_number(figure, panel,
                                bench_matrix_label(records, r->matrix, label, sizeof label),
                                over, r->seconds / ours->seconds);
    }
    if (panel >= figure->panels || figure->panel[panel].labels == 0)
        return sg_fail(error, "no matrix has a correct time both of %s and of another method",
                       method);
    snprintf(before, sizeof before, "%s ", method);
    bench_describe_series(figure, panel, BENCH_GEOMETRIC, before);
    return true;
}
