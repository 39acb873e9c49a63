/* evc_hyb_times.c: the times that A, x and y take apart, beside a whole multiplication by evc_hyb.
 * See evc_hyb.h.
 *
 * Yardsticks of this CPU race with the contenders, in the same rounds:
 *
 *     T_A    reads an array of the bytes of the layout                     bandwidth.h
 *     T_X    reads x at the columns, row after row, and the columns        x_gather.h
 *     T_Y    writes y, scattered as the sort scatters it                   y_write.h
 *
 * Columns are read by T_A and by T_X. x and y are also measured in the matrix's own order, which
 * shows what the sort costs or saves. */
#include "bench/experiments/evc_hyb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/process/interrupt.h"
#include "bench/race/contender.h"
#include "bench/yardsticks/bandwidth.h"
#include "bench/yardsticks/x_gather.h"
#include "bench/yardsticks/y_write.h"
#include "common/fail.h"

/* Runners of a race. Each gather has all variants, of which the fastest counts. */
enum {
    WHOLE, WHOLE_PERMUTED, A_READ, Y_IN_ORDER, Y_SCATTERED, X_IN_ORDER,
    X_SORTED = X_IN_ORDER + BENCH_X_GATHER_VARIANTS,
    RUNNERS = X_SORTED + BENCH_X_GATHER_VARIANTS
};

/* A matrix, and what races on it. */
typedef struct times_race {
    bench_problem problem;
    bench_candidate *candidate;
    bench_contender natural, permuted;
    bench_stream *stream;
    bench_y_write write[2];      /* in order, scattered */
    bench_x_gather gather[2 * BENCH_X_GATHER_VARIANTS];
    int32_t *sorted_columns;     /* the columns of the rows in the order of the sort */
    spmv_csr sorted;             /* no row_ptr and no values: a gather reads neither */
    bench_runner runner[RUNNERS];
    int threads;
} times_race;

static void destroy_race(times_race *t)
{
    bench_contender_destroy(&t->natural);
    bench_contender_destroy(&t->permuted);
    bench_stream_destroy(t->stream);
    free(t->write[0].y);
    free(t->sorted_columns);
    free(t->candidate);
    bench_problem_destroy(&t->problem);
}

/* ---- making -------------------------------------------------------------------------------- */

static bool prepare(bench_contender *contender, const bench_candidate *candidates, size_t count,
                    bench_evc_hyb_order order, const bench_problem *problem, int threads,
                    spmv_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(candidates[i].module->method, "evc_hyb") != 0 ||
            bench_evc_hyb_order_of(candidates[i].settings) != order)
            continue;
        bench_contender_prepare(contender, &candidates[i], problem, threads,
                                BENCH_MOST_PLANS);
        return contender->correct || sg_fail(error, "%s", contender->failure);
    }
    return sg_fail(error, "evc_hyb with permuted_y=%d does not race: leave --method and --setting "
                   "as they are", order != BENCH_EVC_HYB_NATURAL);
}

static bool make_contenders(times_race *t, const bench_options *options,
                            const bench_devices *devices, spmv_error *error)
{
    const spmv_csr *csr = &t->problem.source.matrix->csr;

    t->candidate = calloc(bench_selection_most(options, devices) + 1, sizeof *t->candidate);
    if (!t->candidate)
        return sg_fail(error, "out of memory");
    const size_t count = bench_selection_make(options, devices, csr, t->candidate, error);
    return count > 0 &&
           prepare(&t->natural, t->candidate, count, BENCH_EVC_HYB_NATURAL, &t->problem,
                   (int)options->threads, error) &&
           prepare(&t->permuted, t->candidate, count, BENCH_EVC_HYB_PERMUTED_Y, &t->problem,
                   (int)options->threads, error);
}

/* Copies the columns of each row, in the order of y of the permuted plan. */
static void sort_columns(times_race *t, const spmv_csr *csr, const int32_t *order)
{
    int64_t to = 0;

    for (int64_t k = 0; k < csr->rows; k++) {
        const int64_t first = bench_csr_offset(csr, order[k]);
        const int64_t length = bench_csr_offset(csr, order[k] + 1) - first;
        memcpy(t->sorted_columns + to, csr->col_idx + first, (size_t)length * sizeof(int32_t));
        to += length;
    }
    t->sorted = *csr;
    t->sorted.col_idx = t->sorted_columns;
}

static bool make_yardsticks(times_race *t, spmv_error *error)
{
    const spmv_csr *csr = &t->problem.source.matrix->csr;
    const int32_t *order = t->permuted.info.y_permutation;
    void *y = malloc((size_t)csr->rows * bench_value_bytes(csr->value_type) + 1);

    t->threads = t->natural.info.threads;
    t->stream = bench_stream_create(t->natural.info.layout_bytes, t->threads);
    t->write[0] = (bench_y_write){ .y = y, .rows = csr->rows, .value_type = csr->value_type,
                                   .threads = t->threads };
    t->write[1] = t->write[0];
    t->write[1].order = order;
    t->sorted_columns = malloc((size_t)csr->nnz * sizeof(int32_t) + 1);
    if (!y || !t->stream || !t->sorted_columns)
        return sg_fail(error, "out of memory");
    if (!order)
        return sg_fail(error, "evc_hyb does not say how it permutes y");
    sort_columns(t, csr, order);
    for (int v = 0; v < 2 * BENCH_X_GATHER_VARIANTS; v++)
        t->gather[v] = (bench_x_gather){
            .csr = v < BENCH_X_GATHER_VARIANTS ? csr : &t->sorted, .x = t->problem.x,
            .variant = (bench_x_gather_variant)(v % BENCH_X_GATHER_VARIANTS),
            .threads = t->threads,
        };
    return true;
}

/* ---- racing -------------------------------------------------------------------------------- */

/* Fills t->runner with those that this CPU supports; others keep a median of 0. */
static bool race(times_race *t, const bench_options *options, spmv_error *error)
{
    const bench_race rules = { .seconds = options->seconds, .rounds = (size_t)options->rounds,
                               .is_over = bench_interrupted };
    bench_runner all[RUNNERS] = {
        [WHOLE] = { .run = bench_contender_run, .context = &t->natural },
        [WHOLE_PERMUTED] = { .run = bench_contender_run, .context = &t->permuted },
        [A_READ] = { .run = bench_stream_read, .context = t->stream },
        [Y_IN_ORDER] = { .run = bench_y_write_run, .context = &t->write[0] },
        [Y_SCATTERED] = { .run = bench_y_write_run, .context = &t->write[1] },
    };
    size_t place[RUNNERS], count = 0;

    for (size_t i = 0; i < RUNNERS; i++) {
        if (i >= X_IN_ORDER) {
            bench_x_gather *gather = &t->gather[i - X_IN_ORDER];
            if (!bench_x_gather_is_supported(gather->variant))
                continue;
            all[i] = (bench_runner){ .run = bench_x_gather_run, .context = gather };
        }
        place[count] = i;
        all[count++] = all[i];
    }
    if (bench_race_run(&rules, all, count))
        return sg_fail(error, "the measurement failed: out of memory, or a result changed");
    if (bench_interrupted())
        return sg_fail(error, "interrupted");
    for (size_t i = 0; i < count; i++)
        t->runner[place[i]] = all[i];
    return true;
}

/* The median of a runner, or the least of a gather's variants, in microseconds. */
static double microseconds(const times_race *t, size_t runner)
{
    double least = t->runner[runner].time.median;

    for (size_t v = 1; runner >= X_IN_ORDER && v < BENCH_X_GATHER_VARIANTS; v++) {
        const double median = t->runner[runner + v].time.median;
        if (median > 0 && median < least)
            least = median;
    }
    return 1e6 * least;
}

/* ---- the figure ---------------------------------------------------------------------------- */

typedef struct panels {
    size_t times, shares, orders;
} panels;

static panels make_panels(bench_figure *figure)
{
    panels p;

    p.times = bench_figure_panel(figure, BENCH_BARS, "Times apart and of the whole", "matrix",
                                 "microseconds");
    p.shares = bench_figure_panel(figure, BENCH_TABLE, "Share of the whole", "matrix", "%");
    p.orders = bench_figure_panel(figure, BENCH_TABLE, "By the order of the rows", "matrix",
                                  "microseconds");
    return p;
}

static void add_numbers(bench_figure *figure, panels p, const char *label, const times_race *t)
{
    const struct { const char *name; double time; } part[] = {
        { "T_A", microseconds(t, A_READ) },
        { "T_X", microseconds(t, X_SORTED) },
        { "T_Y", microseconds(t, Y_SCATTERED) },
    };
    const double whole = microseconds(t, WHOLE);
    double sum = 0;

    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        bench_figure_number(figure, p.times, label, part[i].name, part[i].time);
        bench_figure_number(figure, p.shares, label, part[i].name, 100 * part[i].time / whole);
        sum += part[i].time;
    }
    bench_figure_number(figure, p.times, label, "sum", sum);
    bench_figure_number(figure, p.times, label, "whole", whole);
    bench_figure_number(figure, p.shares, label, "sum", 100 * sum / whole);
    bench_figure_number(figure, p.orders, label, "T_X in order", microseconds(t, X_IN_ORDER));
    bench_figure_number(figure, p.orders, label, "T_X sorted", part[1].time);
    bench_figure_number(figure, p.orders, label, "T_Y in order", microseconds(t, Y_IN_ORDER));
    bench_figure_number(figure, p.orders, label, "T_Y scattered", part[2].time);
    bench_figure_number(figure, p.orders, label, "whole", whole);
    bench_figure_number(figure, p.orders, label, "whole, y sorted",
                        microseconds(t, WHOLE_PERMUTED));
}

static void find_means(bench_figure *figure, panels p)
{
    if (p.orders >= figure->panels)
        return;
    const bench_panel *shares = &figure->panel[p.shares], *orders = &figure->panel[p.orders];

    bench_figure_found(figure, "T_A %.3g %%, T_X %.3g %%, T_Y %.3g %% and their sum %.3g %% of the "
                       "whole (geometric means)", bench_panel_geometric_mean(shares, "T_A"),
                       bench_panel_geometric_mean(shares, "T_X"),
                       bench_panel_geometric_mean(shares, "T_Y"),
                       bench_panel_geometric_mean(shares, "sum"));
    bench_figure_found(figure, "the sort makes T_X %.3g and T_Y %.3g times as long; with y sorted, "
                       "too, the whole takes %.3g times as long (geometric means)",
                       bench_panel_geometric_mean(orders, "T_X sorted") /
                           bench_panel_geometric_mean(orders, "T_X in order"),
                       bench_panel_geometric_mean(orders, "T_Y scattered") /
                           bench_panel_geometric_mean(orders, "T_Y in order"),
                       bench_panel_geometric_mean(orders, "whole, y sorted") /
                           bench_panel_geometric_mean(orders, "whole"));
}

static bool measure(const bench_options *options, const bench_devices *devices, panels p,
                    const char *label, bench_figure *figure, bool *on_device, spmv_error *error)
{
    times_race *t = calloc(1, sizeof *t);
    bool good = t != NULL || sg_fail(error, "out of memory");

    good = good && bench_problem_create(options, &t->problem, error) &&
           make_contenders(t, options, devices, error) &&
           make_yardsticks(t, error) && race(t, options, error);
    if (good) {
        add_numbers(figure, p, label, t);
        *on_device |= bench_contender_has_kernels(&t->natural);
    }
    if (t)
        destroy_race(t);
    free(t);
    return good;
}

static bool measure_all(const bench_options *options, const bench_inputs *inputs,
                        const bench_devices *devices, bench_figure *figure, spmv_error *error)
{
    const panels p = make_panels(figure);
    const char *type[BENCH_MAX_TYPES];
    const size_t types = bench_options_types(options, type);
    bool good = true, on_device = false;

    for (size_t i = 0; i < inputs->count * types && good; i++) {
        bench_options one = bench_inputs_options(options, inputs, i / types);
        char label[128];
        one.type = type[i % types];
        bench_input_label(inputs->text[i / types], types > 1 ? one.type : "", label, sizeof label);
        good = measure(&one, devices, p, label, figure, &on_device, error);
    }
    if (good)
        find_means(figure, p);
    if (on_device)
        bench_figure_found(figure, "evc_hyb ran on a device, but T_A, T_X and T_Y are this CPU's: "
                           "compare them only if the device is this CPU");
    return good;
}

bool bench_evc_hyb_times(const bench_options *options, const bench_inputs *inputs,
                         bench_figure *figure, spmv_error *error)
{
    bench_sweep none = { 0 };
    bench_devices devices;

    if (bench_options_sweep(options))
        return sg_fail(error, "it emits no kernels, so it takes no --set and no page's file as "
                       "--target");
    bool good = !bench_devices_open(options, &none, &devices, error);
    good = good && bench_selection_check(options, &devices, error) &&
           measure_all(options, inputs, &devices, figure, error);
    bench_devices_close(&devices);
    return good;
}
