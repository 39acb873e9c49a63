/* csr5.c: the experiments of Liu & Vinter, "CSR5: An Efficient Storage Format for Cross-Platform
 * Sparse Matrix-Vector Multiplication", ICS 2015. */
#include "bench/experiments/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/experiments/evaluators.h"
#include "common/fail.h"

/* The methods that CSR5 races with; a peer may be added by --peers. */
#define ROW_METHODS "--method csr5 --method csr_vector --method csr_adaptive --method csr_scalar "

static const bench_wanted csr5 = { .method = "csr5" };

/* ---- speed ----------------------------------------------------------------------------------- */

/* csr5's speed over that of the fastest other contender of each matrix. */
static void compare_with_best(const bench_records *records, bench_figure *figure)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS,
                                            "Speed of csr5 over the best other method", "matrix",
                                            "times");
    double least = INFINITY, most = 0;

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *own = bench_find_result(records, m, csr5);
        double best = INFINITY;
        char label[128];
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        for (size_t i = first; i < first + count; i++) {
            const bench_record_result *r = &records->result[i];
            if (r->correct && r->seconds < best && strcmp(r->method, "csr5") != 0)
                best = r->seconds;
        }
        if (!own || isinf(best))
            continue;
        const double ratio = best / own->seconds;
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
        bench_figure_number(figure, panel, bench_matrix_label(records, m, label, sizeof label),
                            "csr5", ratio);
    }
    if (panel < figure->panels && most > 0)
        bench_figure_found(figure, "csr5 over the best other method: %.3g (harmonic mean), %.3g "
                           "to %.3g",
                           bench_panel_harmonic_mean(&figure->panel[panel], "csr5"), least, most);
}

/* Fig. 7 and 8. */
static bool speed(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    if (!bench_evaluate_speed(records, figure, error))
        return false;
    compare_with_best(records, figure);
    return true;
}

/* ---- sigma ----------------------------------------------------------------------------------- */

static const char sigma_key[] = "csr5.sigma";

/* Fig. 3: speed over sigma. */
static bool speed_by_sigma(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const bench_parameter sigma = { .key = sigma_key };

    return bench_evaluate_parameter(records, sigma, figure, error);
}

/* Fig. 9: what the rule <r, s, t, u> loses against the best of all values. */
static bool rule_against_search(const bench_records *records, bench_figure *figure,
                                spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS,
                                            "Speed of csr5, by the rule and by search", "matrix",
                                            "GFlop/s");
    const size_t share = bench_figure_panel(figure, BENCH_TABLE, "Rule over search", "matrix",
                                            "times");

    for (size_t m = 0; m < records->matrix_count; m++) {
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        const bench_record_result *rule = NULL, *best = NULL;
        char label[128], value[32];
        for (size_t i = first; i < first + count; i++) {
            const bench_record_result *r = &records->result[i];
            if (!r->correct || !(r->seconds > 0) ||
                !bench_result_value(r, sigma_key, value, sizeof value))
                continue;
            if (strcmp(value, "0") == 0 && (!rule || r->seconds < rule->seconds))
                rule = r;
            if (!best || r->seconds < best->seconds)
                best = r;
        }
        if (!rule)
            return sg_fail(error, "%s has no result with sigma = 0, the rule: expected --set "
                           "csr5.sigma=0,...", records->matrix[m].input);
        bench_matrix_label(records, m, label, sizeof label);
        bench_figure_number(figure, panel, label, "rule", rule->gflops);
        bench_figure_number(figure, panel, label, "search", best->gflops);
        bench_figure_number(figure, share, label, "speed", best->seconds / rule->seconds);
        bench_figure_number(figure, share, label, "sigma by the rule",
                            bench_result_figure(rule, "sigma"));
        bench_figure_number(figure, share, label, "sigma by search",
                            bench_result_figure(best, "sigma"));
    }
    if (share < figure->panels)
        bench_figure_found(figure, "the rule reaches %.3g of the speed by search (harmonic mean)",
                           bench_panel_harmonic_mean(&figure->panel[share], "speed"));
    return true;
}

/* ---- preparation ----------------------------------------------------------------------------- */

/* Fig. 10: the steps of the conversion, in multiplications by csr5. */
static bool conversion(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    static const struct {
        const char *series, *step[3];        /* the steps that the paper counts as one */
    } parts[] = {
        { "tile pointers", { "build_tile_ptr" } },
        { "tile descriptors", { "build_tile_desc", "build_empty_ptr", "build_empty_offset" } },
        { "columns", { "build_tile_columns", "place_tile_columns", "transpose_columns" } },
        { "values", { "transpose_val" } },
    };
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Steps of the conversion",
                                            "matrix", "multiplications");
    size_t found = 0;

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *r = bench_find_result(records, m, csr5);
        char label[128];
        double all = 0;
        if (!r)
            continue;
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
            double seconds = 0;
            for (size_t k = 0; k < 3 && parts[p].step[k]; k++) {
                const double step = bench_result_build_step(r, parts[p].step[k]);
                seconds += isnan(step) ? 0 : step;
            }
            all += seconds;
            bench_figure_number(figure, panel, label, parts[p].series, seconds / r->seconds);
        }
        found += all > 0;
        bench_figure_number(figure, panel, label, "all", all / r->seconds);
    }
    if (found == 0)
        return sg_fail(error, "no result of csr5 has the times of its steps of building");
    if (panel < figure->panels)
        bench_figure_found(figure, "the conversion takes %.3g multiplications (geometric mean)",
                           bench_panel_geometric_mean(&figure->panel[panel], "all"));
    return true;
}

/* Table 3: the speed of a solver of n multiplications, conversion included, over that of CSR. */
static bool solver(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    static const struct {
        int n;
        const char *series;
    } lengths[] = { { 50, "n = 50" }, { 500, "n = 500" } };
    static const bench_wanted csr = { .method = "csr_vector" };
    const size_t panel = bench_figure_panel(figure, BENCH_BARS,
                                            "Speed over CSR, with the conversion", "matrix",
                                            "times");

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *own = bench_find_result(records, m, csr5);
        const bench_record_result *other = bench_find_result(records, m, csr);
        char label[128];
        if (!own || !other || isnan(own->prepare_seconds))
            continue;
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
            bench_figure_number(figure, panel, label, lengths[k].series,
                                lengths[k].n * other->seconds /
                                (own->prepare_seconds + lengths[k].n * own->seconds));
    }
    if (panel >= figure->panels || figure->panel[panel].labels == 0)
        return sg_fail(error, "no matrix has results of csr5 and csr_vector");
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        bench_figure_found(figure, "%s: %.3g times the speed of csr_vector (harmonic mean)",
                           lengths[k].series,
                           bench_panel_harmonic_mean(&figure->panel[panel], lengths[k].series));
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const bench_experiment experiments[] = {
    { .name = "csr5-sigma", .paper = "CSR5", .where = "Fig. 3",
      .title = "speed of csr5 by sigma, for short, medium and long rows",
      .expected = "The best sigma follows the average row length: small for short rows, larger for "
                  "longer ones, and small again for very long rows.",
      .formula = "2 * nnz / t for each sigma",
      .words = "--method csr5 --set csr5.sigma=4,8,12,16,24,32 --seconds 0.2 --dram 0",
      .inputs = "model:random:1M:3 model:random:200k:12 model:random:50k:48 model:random:4k:512",
      .evaluate = speed_by_sigma },
    { .name = "csr5-regular", .paper = "CSR5", .where = "Fig. 7",
      .title = "speed on the 14 regular matrices",
      .expected = "On regular matrices CSR5 is level with the best of the other methods.",
      .formula = "2 * nnz / t; harmonic mean over the suite",
      .words = ROW_METHODS "--seconds 0.3 --dram 0", .inputs = "suite:csr5-regular:10",
      .evaluate = speed },
    { .name = "csr5-irregular", .paper = "CSR5", .where = "Fig. 8",
      .title = "speed on the 10 irregular matrices",
      .expected = "CSR5 over the best other method: 1.18 (two Xeons), 1.29 (NVIDIA), 2.73 (AMD), "
                  "3.93 (Xeon Phi) on average, at most 3.1, 2.5, 5.1 and 10.4 (abstract).",
      .formula = "2 * nnz / t; harmonic mean over the suite",
      .words = ROW_METHODS "--seconds 0.3 --dram 0", .inputs = "suite:csr5-irregular:10",
      .evaluate = speed },
    { .name = "csr5-rule", .paper = "CSR5", .where = "Fig. 9",
      .title = "the rule for sigma against a search of all values",
      .expected = "The rule <r, s, t, u> is close to the best sigma of a search on all matrices.",
      .formula = "t with the best sigma / t with sigma by the rule",
      .words = "--method csr5 --set csr5.sigma=0,4,8,12,16,20,24,28,32 --seconds 0.2 --dram 0",
      .inputs = "suite:csr5:5", .evaluate = rule_against_search },
    { .name = "csr5-conversion", .paper = "CSR5", .where = "Fig. 10",
      .title = "the conversion from CSR, split into its steps",
      .expected = "The conversion costs a few multiplications, most of it the transposition of the "
                  "tiles.",
      .formula = "seconds of a step / t",
      .words = "--method csr5 --seconds 0.3 --dram 0", .inputs = "suite:csr5:10",
      .evaluate = conversion },
    { .name = "csr5-solver", .paper = "CSR5", .where = "Table 3",
      .title = "a solver of 50 and of 500 multiplications, conversion included, over CSR",
      .expected = "CSR5 is ahead of CSR after 50 multiplications already, and more so after 500.",
      .formula = "n * t of CSR / (conversion + n * t of CSR5), n = 50 and 500",
      .words = "--method csr5 --method csr_vector --seconds 0.3 --dram 0",
      .inputs = "suite:csr5:10", .evaluate = solver },
};

const bench_experiments bench_experiments_csr5 = { experiments,
                                                   sizeof experiments / sizeof experiments[0] };
