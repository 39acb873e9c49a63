/* narrow_values.c: an experiment of this project: what strips gains from values in fewer bytes. */
#include "bench/experiments/contenders.h"
#include "bench/experiments/evaluators.h"
#include "bench/experiments/experiment.h"
#include "common/fail.h"

/* Panels of the figure. */
typedef struct panels {
    size_t ratio, bytes, speed;
} panels;

static void add_matrix(const bench_records *records, size_t matrix, const panels *p,
                       bench_figure *figure)
{
    const bench_record_result *wide = bench_find_fastest(
        records, matrix, (bench_wanted){ .method = "strips", .settings = "wide_values=1" }, false);
    const bench_record_result *narrow = bench_find_fastest(
        records, matrix, (bench_wanted){ .method = "strips", .settings = "wide_values=0" }, false);
    char label[128];

    if (!wide || !narrow)
        return;
    bench_matrix_label(records, matrix, label, sizeof label);
    bench_figure_number(figure, p->ratio, label, "speed", wide->seconds / narrow->seconds);
    bench_figure_number(figure, p->ratio, label, "preparing",
                        narrow->prepare_seconds / wide->prepare_seconds);
    bench_figure_number(figure, p->ratio, label, "new values",
                        narrow->update_seconds / wide->update_seconds);
    bench_figure_number(figure, p->bytes, label, "values",
                        bench_result_figure(narrow, "bytes of a value"));
    bench_figure_number(figure, p->bytes, label, "columns",
                        bench_result_figure(narrow, "bytes of a column"));
    bench_figure_number(figure, p->speed, label, "wide", wide->gflops);
    bench_figure_number(figure, p->speed, label, "narrowed", narrow->gflops);
}

static bool evaluate(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const panels p = {
        bench_figure_panel(figure, BENCH_TABLE, "Narrowed over wide values", "matrix", "times"),
        bench_figure_panel(figure, BENCH_TABLE, "A nonzero of narrowed strips", "matrix", "bytes"),
        bench_figure_panel(figure, BENCH_TABLE, "Speed of a multiplication", "matrix", "GFlop/s"),
    };

    for (size_t m = 0; m < records->matrix_count; m++)
        add_matrix(records, m, &p, figure);
    if (bench_figure_is_empty(figure))
        return sg_fail(error, "no matrix has results of strips with --setting wide_values=1,0");
    bench_describe_series(figure, p.ratio, BENCH_GEOMETRIC, "");
    return true;
}

#define ALL_VALUES(input) "values:1:" input " values:6:" input " values:200:" input \
                          " values:f32:" input " values:random:" input " "

static const bench_experiment experiments[] = {
    { .name = "narrow-values", .paper = "spmvgen", .where = "methods/strips.md",
      .title = "strips with values in fewer bytes beside strips with values as they are",
      .expected = "Beyond the caches, time in proportion to bytes: 1.8 times in f64 and 1.4 in f32 "
                  "where values are equal, few or exact in f32; no loss elsewhere; preparing at "
                  "most 1.3 times as long.",
      .formula = "time of wide values / time of narrowed values; preparing and new values the "
                 "other way round",
      .words = "--method strips --setting wide_values=1,0",
      .inputs = ALL_VALUES("model:poisson7:200") ALL_VALUES("shape:irregular:8000000")
                ALL_VALUES("model:blocks:240000:6:10")
                "values:1:model:rmat:20:16 values:random:model:rmat:20:16",
      .evaluate = evaluate },
};

const bench_experiments bench_experiments_narrow_values = {
    experiments, sizeof experiments / sizeof experiments[0]
};
