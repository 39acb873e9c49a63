/* csr_adaptive_switches.c: what each kind of row block and each optimisation is worth. See
 * csr_adaptive.h. */
#include <math.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/experiments/csr_adaptive.h"
#include "bench/experiments/evaluators.h"
#include "common/fail.h"

/* ---- rows of a block ------------------------------------------------------------------------- */

static const char stream[] = "CSR-Stream", vector[] = "CSR-Vector";

/* A number of a panel; NaN: none. */
static double number_at(const bench_panel *panel, size_t label, const char *series)
{
    for (size_t s = 0; s < panel->series_count; s++)
        if (strcmp(panel->series[s], series) == 0)
            return panel->number[label][s];
    return NAN;
}

/* The sentence: from which number of rows on CSR-Stream is always at least as fast. Less than 2 %
 * is noise. */
static void find_threshold(const bench_panel *panel, const char *type, bench_figure *figure)
{
    const double level = 0.98;
    const char *from = NULL;

    for (size_t i = panel->labels; i-- > 0;) {
        const double s = number_at(panel, i, stream), v = number_at(panel, i, vector);
        if (isnan(s) || isnan(v))
            continue;
        if (s < level * v)
            break;
        from = panel->label[i];
    }
    if (from)
        bench_figure_found(figure, "%s: CSR-Stream is at least as fast, to 2 %%, from %s row%s of "
                           "a block on", type, from, strcmp(from, "1") == 0 ? "" : "s");
    else
        bench_figure_found(figure, "%s: CSR-Vector is faster even with the most rows of a block",
                           type);
}

bool bench_csr_adaptive_rows(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    static const char *const type[] = { "f32", "f64" };
    static const char *const title[] = { "Row blocks of N rows, f32", "Row blocks of N rows, f64" };

    for (size_t t = 0; t < 2; t++) {
        size_t panel = bench_figure_panel(figure, BENCH_CURVES, title[t], "rows", "GFlop/s");
        for (size_t i = 0; i < records->result_count; i++) {
            const bench_record_result *r = &records->result[i];
            const bench_record_matrix *m = &records->matrix[r->matrix];
            const double entries = bench_result_number(r, "csr_adaptive.nnz_per_wg");
            const double rows = floor(entries / m->average_row);
            const double least = bench_result_number(r, "csr_adaptive.num_rows_stream");
            char label[32];
            if (!r->correct || strcmp(m->type, type[t]) != 0 || !(rows >= 1) || isnan(least))
                continue;
            snprintf(label, sizeof label, "%g", rows);
            bench_figure_number(figure, panel, label, rows >= least ? stream : vector, r->gflops);
        }
        if (panel < figure->panels && figure->panel[panel].labels > 0)
            find_threshold(&figure->panel[panel], type[t], figure);
    }
    if (figure->findings == 0)
        return sg_fail(error, "no result of csr_adaptive has nnz_per_wg and num_rows_stream in its "
                       "--set");
    return true;
}

/* ---- switches -------------------------------------------------------------------------------- */

/* An optimisation, in the order in which the papers add them, and the values that turn it off. */
typedef struct optimisation {
    const char *key, *off[2], *name;
} optimisation;

static const optimisation optimisations[] = {
    { "csr_adaptive.num_rows_stream", { "1" }, "+ few rows by CSR-Vector" },
    { "csr_adaptive.scalar_rows", { "1" }, "+ logarithmic reduction" },
    { "csr_adaptive.short_row", { "0", "1" }, "+ long rows apart" },
    { "csr_adaptive.nnz_multiplier", { "0", "64" }, "+ CSR-VectorL" },
};

enum { OPTIMISATIONS = sizeof optimisations / sizeof optimisations[0] };

/* 1: the result has the optimisation; 0: it is off; -1: the result's --set does not say. */
static int has(const bench_record_result *result, const optimisation *o)
{
    char text[32];
    const char *value = bench_result_value(result, o->key, text, sizeof text);

    if (!value)
        return -1;
    for (size_t i = 0; i < 2; i++)
        if (o->off[i] && strcmp(value, o->off[i]) == 0)
            return 0;
    return 1;
}

/* The optimisations that are off in some results and on in others. */
typedef struct switches {
    const optimisation *of[OPTIMISATIONS];
    size_t count;
} switches;

static switches switches_of(const bench_records *records)
{
    switches s = { .count = 0 };

    for (size_t o = 0; o < OPTIMISATIONS; o++) {
        bool seen[2] = { false, false };
        for (size_t i = 0; i < records->result_count; i++) {
            const int state = has(&records->result[i], &optimisations[o]);
            if (state >= 0 && records->result[i].correct)
                seen[state] = true;
        }
        if (seen[0] && seen[1])
            s.of[s.count++] = &optimisations[o];
    }
    return s;
}

/* The fastest result of a matrix with the first `on` optimisations and no other; NULL: none. */
static const bench_record_result *find(const bench_records *records, size_t matrix,
                                       const switches *s, size_t on)
{
    size_t results;
    const size_t first = bench_records_first_result(records, matrix, &results);
    const bench_record_result *best = NULL;

    for (size_t i = first; i < first + results; i++) {
        const bench_record_result *r = &records->result[i];
        bool fits = r->correct && r->seconds > 0 && (!best || r->seconds < best->seconds);
        for (size_t o = 0; o < s->count && fits; o++)
            fits = has(r, s->of[o]) == (o < on);
        if (fits)
            best = r;
    }
    return best;
}

bool bench_csr_adaptive_switches(const bench_records *records, bench_figure *figure,
                                 spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Speed over all off", "matrix",
                                            "times");
    const switches s = switches_of(records);

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *none = find(records, m, &s, 0);
        char label[128];
        for (size_t on = 1; none && on <= s.count; on++) {
            const bench_record_result *some = find(records, m, &s, on);
            if (some)
                bench_figure_number(figure, panel,
                                    bench_matrix_label(records, m, label, sizeof label),
                                    s.of[on - 1]->name, none->seconds / some->seconds);
        }
    }
    if (panel >= figure->panels || figure->panel[panel].labels == 0)
        return sg_fail(error, "no matrix has results of csr_adaptive with all optimisations off "
                       "and with some on, in the order of the figure");
    bench_describe_series(figure, panel, BENCH_GEOMETRIC, "");
    return true;
}
