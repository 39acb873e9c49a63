/* parameter_sweep.c: a sweep over one parameter. See evaluators.h. */
#include "bench/experiments/evaluators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "common/fail.h"

enum { VALUE_BYTES = 32, LABEL_BYTES = 128 };

typedef struct values {
    char text[BENCH_MAX_SERIES][VALUE_BYTES];    /* by number, then by text */
    size_t count;
} values;

static int compare_values(const void *a, const void *b)
{
    const double x = strtod(a, NULL), y = strtod(b, NULL);

    return x < y ? -1 : x > y ? 1 : strcmp(a, b);
}

/* The values of the key among correct results, as many as a panel shows. */
static values list_values(const bench_records *records, const char *key)
{
    values found = { .count = 0 };
    char value[VALUE_BYTES];

    for (size_t i = 0; i < records->result_count && found.count < BENCH_MAX_SERIES; i++) {
        size_t v = 0;
        if (!records->result[i].correct ||
            !bench_result_value(&records->result[i], key, value, sizeof value))
            continue;
        while (v < found.count && strcmp(found.text[v], value) != 0)
            v++;
        if (v == found.count)
            strcpy(found.text[found.count++], value);
    }
    qsort(found.text, found.count, sizeof found.text[0], compare_values);
    return found;
}

/* The speed of the fastest result with this value; NaN: there is none. */
static double speed_of(const bench_records *records, size_t matrix, const char *key,
                       const char *value)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    double best = NAN;
    char own[VALUE_BYTES];

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (r->correct && r->seconds > 0 && bench_result_value(r, key, own, sizeof own) &&
            strcmp(own, value) == 0 && !(r->gflops <= best))
            best = r->gflops;
    }
    return best;
}

/* Speeds of one value over the matrices, relative to the fastest value of each. */
typedef struct value_mean {
    double log_sum, least;
    size_t count;
} value_mean;

/* Adds a matrix to the panel of speeds and to the means of all values. */
static void add_matrix(const bench_records *records, size_t matrix, const char *key,
                       const values *found, bench_figure *figure, size_t panel, value_mean *mean)
{
    double speed[BENCH_MAX_SERIES], most = 0;
    char label[LABEL_BYTES];

    bench_matrix_label(records, matrix, label, sizeof label);
    for (size_t v = 0; v < found->count; v++) {
        speed[v] = speed_of(records, matrix, key, found->text[v]);
        if (speed[v] > most)
            most = speed[v];
    }
    for (size_t v = 0; v < found->count; v++) {
        if (isnan(speed[v]) || !(most > 0))
            continue;
        bench_figure_number(figure, panel, label, found->text[v], speed[v]);
        mean[v].log_sum += log(speed[v] / most);
        if (mean[v].count++ == 0 || speed[v] / most < mean[v].least)
            mean[v].least = speed[v] / most;
    }
}

static double mean_share(const value_mean *mean)
{
    return 100 * exp(mean->log_sum / (double)mean->count);
}

/* The curve, and what it says. The best is among the values that most matrices could take. False:
 * nothing was timed. */
static bool add_means(bench_parameter sweep, const values *found, const value_mean *mean,
                      bench_figure *figure)
{
    const size_t panel = bench_figure_panel(figure, BENCH_CURVES,
                                            "Speed relative to the fastest value of each matrix",
                                            sweep.key, "%");
    size_t best = 0, most = 0;

    for (size_t v = 0; v < found->count; v++) {
        if (mean[v].count == 0)
            continue;
        bench_figure_number(figure, panel, found->text[v], "geometric mean", mean_share(&mean[v]));
        bench_figure_number(figure, panel, found->text[v], "slowest matrix", 100 * mean[v].least);
        if (mean[v].count > most ||
            (mean[v].count == most && mean[v].log_sum > mean[best].log_sum)) {
            best = v;
            most = mean[v].count;
        }
    }
    if (most == 0)
        return false;
    bench_figure_found(figure, "best on average: %s=%s, %.3g %% of the fastest (geometric mean), "
                       "%.3g %% on the slowest matrix", sweep.key, found->text[best],
                       mean_share(&mean[best]), 100 * mean[best].least);
    for (size_t v = 0; v < found->count && sweep.paper_value; v++)
        if (strcmp(found->text[v], sweep.paper_value) == 0 && mean[v].count > 0)
            bench_figure_found(figure, "the paper's %s=%s: %.3g %% of the fastest, %.3g %% on the "
                               "slowest matrix", sweep.key, sweep.paper_value,
                               mean_share(&mean[v]), 100 * mean[v].least);
    return true;
}

bool bench_evaluate_parameter(const bench_records *records, bench_parameter sweep,
                              bench_figure *figure, spmv_error *error)
{
    const values found = list_values(records, sweep.key);
    value_mean mean[BENCH_MAX_SERIES] = { { .count = 0 } };

    if (found.count == 0)
        return sg_fail(error, "no correct result has a value of %s: race it with --set "
                       "%s=VALUE,VALUE", sweep.key, sweep.key);
    const size_t panel = bench_figure_panel(figure, BENCH_TABLE, "Speed by value", "matrix",
                                            "GFlop/s");
    for (size_t m = 0; m < records->matrix_count; m++)
        add_matrix(records, m, sweep.key, &found, figure, panel, mean);
    return add_means(sweep, &found, mean, figure) ||
           sg_fail(error, "no result with a value of %s was timed", sweep.key);
}
