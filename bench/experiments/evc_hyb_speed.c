/* evc_hyb_speed.c: speeds of evc_hyb beside other methods. See evc_hyb.h. */
#include "bench/experiments/evc_hyb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/experiments/evaluators.h"
#include "common/fail.h"

enum { LABEL_BYTES = 128, NAME_BYTES = 192 };

bool bench_evc_hyb_speed(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    size_t won = 0, raced = 0;

    if (!bench_evaluate_speed(records, figure, error))
        return false;
    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *own = bench_find_fastest(
            records, m, (bench_wanted){ .method = "evc_hyb" }, false);
        const bench_record_result *best = bench_find_fastest(records, m, (bench_wanted){ 0 },
                                                             false);
        const bench_record_result *peer = bench_find_fastest(records, m, (bench_wanted){ 0 },
                                                             true);
        raced += own != NULL;
        won += own && own == best && !(peer && peer->seconds < own->seconds);
    }
    bench_figure_found(figure, "evc_hyb is the fastest on %zu of %zu matrices", won, raced);
    return true;
}

/* ---- the gain over CSR --------------------------------------------------------------------- */

bool bench_evc_hyb_gain(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t gain = bench_figure_panel(figure, BENCH_BARS, "Speed over the plain CSR loop",
                                           "matrix", "times");
    const size_t cost = bench_figure_panel(figure, BENCH_TABLE,
                                           "Preparation, in multiplications of the plain CSR loop",
                                           "matrix", "multiplications");
    bool any = false;

    for (size_t m = 0; m < records->matrix_count; m++) {
        const double plain = records->matrix[m].plain_seconds;
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        char label[LABEL_BYTES], name[NAME_BYTES];
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t i = first; i < first + count; i++) {
            const bench_record_result *r = &records->result[i];
            if (!r->correct || !(r->ratio > 0) || r->peer)
                continue;
            bench_result_label(records, r, name, sizeof name);
            bench_figure_number(figure, gain, label, name, r->ratio);
            if (plain > 0)
                bench_figure_number(figure, cost, label, name, r->prepare_seconds / plain);
            any = true;
        }
    }
    if (!any)
        return sg_fail(error, "no correct result was timed beside the plain CSR loop");
    for (size_t s = 0; gain < figure->panels && s < figure->panel[gain].series_count; s++)
        bench_figure_found(figure, "%s: %.3g times the plain CSR loop (geometric mean)",
                           figure->panel[gain].series[s],
                           bench_panel_geometric_mean(&figure->panel[gain],
                                                      figure->panel[gain].series[s]));
    return true;
}

/* ---- bandwidth ----------------------------------------------------------------------------- */

bool bench_evc_hyb_bandwidth(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Bandwidth of a multiplication",
                                            "matrix", "GB/s");
    const size_t share = bench_figure_panel(figure, BENCH_TABLE,
                                            "Bandwidth, as a share of the reading rate", "matrix",
                                            "%");

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_matrix *matrix = &records->matrix[m];
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        char label[LABEL_BYTES], name[NAME_BYTES];
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t i = first; i < first + count; i++) {
            const bench_record_result *r = &records->result[i];
            if (!r->correct || !(r->seconds > 0) || isnan(matrix->csr_bytes))
                continue;
            const double rate = matrix->csr_bytes / r->seconds / 1e9;
            bench_result_label(records, r, name, sizeof name);
            bench_figure_number(figure, panel, label, name, rate);
            if (matrix->read_rate > 0)
                bench_figure_number(figure, share, label, name, 100 * rate / matrix->read_rate);
        }
        if (matrix->read_rate > 0)
            bench_figure_number(figure, panel, label, "reading", matrix->read_rate);
    }
    if (share >= figure->panels || figure->panel[share].labels == 0)
        return sg_fail(error, "no record has both a time and the rate of reading");
    for (size_t s = 0; s < figure->panel[share].series_count; s++)
        bench_figure_found(figure, "%s: %.3g %% of the rate of reading (geometric mean)",
                           figure->panel[share].series[s],
                           bench_panel_geometric_mean(&figure->panel[share],
                                                      figure->panel[share].series[s]));
    return true;
}

/* ---- order --------------------------------------------------------------------------------- */

bool bench_evc_hyb_orders(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    static const char rows[] = "rows in order (csr_vector)", scattered[] = "sorted, y scattered",
                      y[] = "sorted, y too", both[] = "sorted, x and y too";
    const char *const series[] = { scattered, y, both };
    const bench_evc_hyb_order order[] = { BENCH_EVC_HYB_NATURAL, BENCH_EVC_HYB_PERMUTED_Y,
                                          BENCH_EVC_HYB_PERMUTED_BOTH };
    const size_t speeds = bench_figure_panel(figure, BENCH_BARS, "Speed by order of the rows",
                                             "matrix", "GFlop/s");
    const size_t gains = bench_figure_panel(figure, BENCH_TABLE,
                                            "Speed over that with y scattered", "matrix", "times");

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *natural = bench_evc_hyb_result(records, m, order[0]);
        const bench_record_result *unsorted = bench_find_result(
            records, m, (bench_wanted){ .method = "csr_vector" });
        char label[LABEL_BYTES];
        if (!natural)
            continue;
        bench_matrix_label(records, m, label, sizeof label);
        if (unsorted) {
            bench_figure_number(figure, speeds, label, rows, unsorted->gflops);
            bench_figure_number(figure, gains, label, rows, natural->seconds / unsorted->seconds);
        }
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            const bench_record_result *r = bench_evc_hyb_result(records, m, order[i]);
            if (!r)
                continue;
            bench_figure_number(figure, speeds, label, series[i], r->gflops);
            if (r != natural)
                bench_figure_number(figure, gains, label, series[i],
                                    natural->seconds / r->seconds);
        }
    }
    if (gains >= figure->panels || figure->panel[gains].labels == 0)
        return sg_fail(error, "no matrix has results of evc_hyb with y scattered and with another "
                       "order: race it with --setting permuted_y=0,1");
    for (size_t s = 0; s < figure->panel[gains].series_count; s++)
        bench_figure_found(figure, "%s: %.3g times as fast as sorted rows with y scattered "
                           "(geometric mean)", figure->panel[gains].series[s],
                           bench_panel_geometric_mean(&figure->panel[gains],
                                                      figure->panel[gains].series[s]));
    return true;
}

/* ---- density ------------------------------------------------------------------------------- */

/* The matrices, sparsest first, to be freed; NULL: out of memory. Papers measure a few dozen. */
static size_t *by_density(const bench_records *records)
{
    size_t *order = calloc(records->matrix_count + 1, sizeof *order);

    for (size_t m = 0; m < records->matrix_count && order; m++) {
        size_t at = m;
        for (; at > 0 && records->matrix[order[at - 1]].average_row >
                             records->matrix[m].average_row; at--)
            order[at] = order[at - 1];
        order[at] = m;
    }
    return order;
}

/* The speed of evc_hyb over that of csr_vector; NaN: one of them did not race. */
static double over_csr_vector(const bench_records *records, size_t matrix)
{
    const bench_record_result *own = bench_find_result(records, matrix,
                                                       (bench_wanted){ .method = "evc_hyb" });
    const bench_record_result *other = bench_find_result(records, matrix,
                                                         (bench_wanted){ .method = "csr_vector" });

    return own && other ? own->gflops / other->gflops : NAN;
}

/* Says how evc_hyb compares with csr_vector on one matrix. */
static void found_density(const bench_records *records, size_t matrix, const char *which,
                          bench_figure *figure)
{
    const bench_record_matrix *m = &records->matrix[matrix];
    const double times = over_csr_vector(records, matrix);

    if (!isnan(times))
        bench_figure_found(figure, "%s: %.3g nonzeros a row (%.3g %% of the places), evc_hyb %.3g "
                           "times as fast as csr_vector", which, m->average_row,
                           100 * m->average_row / (double)m->cols, times);
}

/* The same for the sparsest and the densest matrix, and for that with the greatest gain. */
static void found_densities(const bench_records *records, const size_t *order,
                            bench_figure *figure)
{
    size_t best = order[0];

    for (size_t k = 1; k < records->matrix_count; k++)
        if (isnan(over_csr_vector(records, best)) ||
            over_csr_vector(records, order[k]) > over_csr_vector(records, best))
            best = order[k];
    found_density(records, order[0], "sparsest", figure);
    found_density(records, order[records->matrix_count - 1], "densest", figure);
    found_density(records, best, "greatest gain", figure);
}

bool bench_evc_hyb_density(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_CURVES, "Speed by density",
                                            "nonzeros a row", "GFlop/s");
    size_t *order = by_density(records);

    if (!order)
        return sg_fail(error, "out of memory");
    for (size_t k = 0; k < records->matrix_count; k++) {
        size_t count;
        const size_t first = bench_records_first_result(records, order[k], &count);
        char label[LABEL_BYTES], name[NAME_BYTES];
        snprintf(label, sizeof label, "%.4g", records->matrix[order[k]].average_row);
        for (size_t i = first; i < first + count; i++)
            if (records->result[i].correct)
                bench_figure_number(figure, panel, label,
                                    bench_result_label(records, &records->result[i], name,
                                                       sizeof name),
                                    records->result[i].gflops);
    }
    if (records->matrix_count > 0)
        found_densities(records, order, figure);
    free(order);
    return true;
}
