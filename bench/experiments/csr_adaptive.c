/* csr_adaptive.c: the experiments of Daga & Greathouse, "Structural agnostic SpMV: adapting
 * CSR-Adaptive for irregular matrices", HiPC 2015, and of Greathouse & Daga, SC 2014. */
#include "bench/experiments/csr_adaptive.h"

#include <math.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/experiments/evaluators.h"
#include "bench/experiments/experiment.h"
#include "common/fail.h"

static bool speed(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    return bench_evaluate_speed(records, figure, error) &&
           bench_evaluate_speedup(records, "csr_adaptive", figure, error);
}

static bool speedup(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    return bench_evaluate_speedup(records, "csr_adaptive", figure, error);
}

/* Adds number(result) of each correct result as bars. Returns the panel's index. */
static size_t add_bars(const bench_records *records, const char *title, const char *unit,
                       double (*number)(const bench_records *, const bench_record_result *),
                       bench_figure *figure)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, title, "matrix", unit);

    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        char label[128], name[192];
        const double n = r->correct && r->seconds > 0 ? number(records, r) : NAN;
        if (!isnan(n))
            bench_figure_number(figure, panel,
                                bench_matrix_label(records, r->matrix, label, sizeof label),
                                bench_result_label(records, r, name, sizeof name), n);
    }
    return panel;
}

static double preparation_of(const bench_records *records, const bench_record_result *r)
{
    (void)records;
    return r->prepare_seconds / r->seconds;
}

static bool preparation(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = add_bars(records, "Time to make a plan", "multiplications",
                                  preparation_of, figure);

    (void)error;
    bench_describe_series(figure, panel, BENCH_GEOMETRIC, "");
    return true;
}

static double storage_of(const bench_records *records, const bench_record_result *r)
{
    return r->layout_bytes < 0 ? NAN : 100 * (double)r->layout_bytes /
                                       bench_matrix_bytes(&records->matrix[r->matrix]);
}

static bool storage(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = add_bars(records, "Storage beside the caller's CSR", "% of CSR",
                                  storage_of, figure);

    (void)error;
    bench_describe_series(figure, panel, BENCH_ARITHMETIC, "");
    return true;
}

/* The multiplications from which on a method is ahead of csr_adaptive, plans included; NaN: never,
 * or it is csr_adaptive. */
static double break_even_of(const bench_records *records, const bench_record_result *r)
{
    const bench_record_result *ours = bench_find_fastest(
        records, r->matrix, (bench_wanted){ .method = "csr_adaptive" }, false);

    if (!ours || strcmp(r->method, "csr_adaptive") == 0 || !(r->seconds < ours->seconds))
        return NAN;
    const double runs = (r->prepare_seconds - ours->prepare_seconds) / (ours->seconds - r->seconds);
    return runs > 1 ? ceil(runs) : 1;
}

/* The number of matrices on which a method is never ahead of csr_adaptive. */
static void count_never(const bench_records *records, const char *method, bench_figure *figure)
{
    size_t both = 0, never = 0;

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *theirs =
            bench_find_fastest(records, m, (bench_wanted){ .method = method }, false);
        const bench_record_result *ours =
            bench_find_fastest(records, m, (bench_wanted){ .method = "csr_adaptive" }, false);
        both += theirs && ours;
        never += theirs && ours && !(theirs->seconds < ours->seconds);
    }
    bench_figure_found(figure, "%s is never ahead of csr_adaptive on %zu of %zu matrices", method,
                       never, both);
}

static bool break_even(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = add_bars(records, "Multiplications until a method is ahead",
                                  "multiplications", break_even_of, figure);

    (void)error;
    bench_describe_series(figure, panel, BENCH_GEOMETRIC, "");
    for (size_t i = 0; i < records->result_count; i++) {
        const char *method = records->result[i].method;
        bool seen = strcmp(method, "csr_adaptive") == 0 || records->result[i].peer;
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(records->result[j].method, method) == 0;
        if (!seen)
            count_never(records, method, figure);
    }
    return true;
}

/* The result of the second race of the same contender on the same matrix; NULL: none. */
static const bench_record_result *twin_of(const bench_records *records, size_t index)
{
    const bench_record_result *r = &records[0].result[index];
    const bench_record_matrix *m = &records[0].matrix[r->matrix];
    const size_t twin = bench_records_find(&records[1], m);
    size_t count;

    if (twin == records[1].matrix_count)
        return NULL;
    const size_t first = bench_records_first_result(&records[1], twin, &count);
    for (size_t i = first; i < first + count; i++)
        if (bench_records_same_contender(&records[1].result[i], r) &&
            records[1].result[i].correct && records[1].result[i].seconds > 0)
            return &records[1].result[i];
    return NULL;
}

/* Two races, the first with beta = 0. */
static bool beta(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t bars = bench_figure_panel(figure, BENCH_BARS, "Speed without and with beta",
                                           "matrix", "GFlop/s");
    const size_t cost = bench_figure_panel(figure, BENCH_TABLE, "Time with beta over that without",
                                           "matrix", "times");

    if (records[0].matrix[0].beta != 0 || records[1].matrix[0].beta == 0)
        return sg_fail(error, "the first race needs beta = 0 and the second another beta, not %g "
                       "and %g: leave out --beta, or give --from in this order",
                       records[0].matrix[0].beta, records[1].matrix[0].beta);
    for (size_t i = 0; i < records[0].result_count; i++) {
        const bench_record_result *r = &records[0].result[i], *twin = twin_of(records, i);
        char label[128], name[192], series[224];
        if (!twin || !r->correct || !(r->seconds > 0))
            continue;
        bench_matrix_label(&records[0], r->matrix, label, sizeof label);
        bench_result_label(&records[0], r, name, sizeof name);
        snprintf(series, sizeof series, "%s beta-", name);
        bench_figure_number(figure, bars, label, series, r->gflops);
        snprintf(series, sizeof series, "%s beta+", name);
        bench_figure_number(figure, bars, label, series, twin->gflops);
        bench_figure_number(figure, cost, label, name, twin->seconds / r->seconds);
    }
    bench_describe_series(figure, cost, BENCH_GEOMETRIC, "time with beta over that without, ");
    return true;
}

#define METHODS "--method csr_adaptive --method csr_scalar --method csr_vector --method csr5 " \
                "--method evc_hyb --method speculative --seconds 0.3 "

static const bench_experiment experiments[] = {
    { .name = "csr-adaptive-rows", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 4",
      .title = "CSR-Stream against CSR-Vector, by the rows of a block",
      .expected = "CSR-Stream is faster from 2 rows of a block on in f32 and from 3 on in f64, "
                  "which is num_rows_stream on the FirePro W9100.",
      .formula = "2 * nnz / t of matrices whose blocks of 1024 nonzeros have N rows",
      .words = "--method csr_adaptive --set csr_adaptive.nnz_per_wg=1024 "
               "--set csr_adaptive.num_rows_stream=1,257 --type f32,f64 --seconds 0.2",
      .inputs = "model:random:1500:700:constant model:random:2k:512:constant "
                "model:random:3k:341:constant model:random:4k:256:constant "
                "model:random:8k:128:constant model:random:16k:64:constant "
                "model:random:32k:32:constant model:random:64k:16:constant "
                "model:random:128k:8:constant model:random:256k:4:constant",
      .evaluate = bench_csr_adaptive_rows },
    { .name = "csr-adaptive-speed-f32", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 8; SC 2014",
      .title = "speed of CSR-Adaptive beside other methods, f32",
      .expected = "SC 2014: 14.7 times as fast as earlier methods on plain CSR, on average, and "
                  "2.3 times as fast as a choice of formats (clSpMV). HiPC 2015 doubles that "
                  "speed.",
      .formula = "2 * nnz / t; the other method's time over that of csr_adaptive",
      .words = METHODS "--type f32", .inputs = "suite:csr_adaptive:10", .evaluate = speed },
    { .name = "csr-adaptive-speed-f64", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 8; SC 2014",
      .title = "speed of CSR-Adaptive beside other methods, f64",
      .expected = "The averages of f32 are for both types; what f64 alone gains was not at hand.",
      .formula = "2 * nnz / t; the other method's time over that of csr_adaptive",
      .words = METHODS "--type f64", .inputs = "suite:csr_adaptive:10", .evaluate = speed },
    { .name = "csr-adaptive-switches", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 10",
      .title = "one optimisation after another switched on",
      .expected = "Each optimisation adds speed, and all together double that of SC 2014's method. "
                  "CSR-VectorL matters for matrices with very long rows.",
      .formula = "time with all off over the time with the first ones on",
      .words = "--method csr_adaptive --set csr_adaptive.num_rows_stream=1,3 "
               "--set csr_adaptive.scalar_rows=1,129 --set csr_adaptive.short_row=0,32 "
               "--set csr_adaptive.nnz_multiplier=0,3 --type f64 --seconds 0.1",
      .inputs = "suite:csr_adaptive:4 lookalike:dc2 lookalike:ins2",
      .evaluate = bench_csr_adaptive_switches },
    { .name = "csr-adaptive-csr5", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 11 to 13",
      .title = "speed of CSR-Adaptive over CSR5",
      .expected = "CSR-Adaptive is 36 % faster than CSR5 on average, regular and irregular "
                  "matrices together.",
      .formula = "time of csr5 over that of csr_adaptive",
      .words = "--method csr_adaptive --method csr5 --type f32,f64 --seconds 0.3",
      .inputs = "suite:csr5:10", .evaluate = speedup },
    { .name = "csr-adaptive-preparation", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 11 to 13",
      .title = "time to make a plan, in multiplications",
      .expected = "Making row blocks reads only row pointers, and costs less than converting to "
                  "another format.",
      .formula = "time to make the plan over t",
      .words = METHODS "--type f64", .inputs = "suite:csr_adaptive:10", .evaluate = preparation },
    { .name = "csr-adaptive-break-even", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 11 to 13",
      .title = "multiplications until a faster method has paid for its plan",
      .expected = "A format that must be converted to is ahead only after many multiplications, "
                  "if ever.",
      .formula = "(plan of the other - plan of csr_adaptive) / (t of csr_adaptive - t of the "
                 "other)",
      .words = METHODS "--type f64", .inputs = "suite:csr_adaptive:10", .evaluate = break_even },
    { .name = "csr-adaptive-beta", .paper = "CSR-Adaptive", .where = "HiPC, Fig. 14",
      .title = "speed without beta (beta-) and with it (beta+)",
      .expected = "The figure was not at hand. beta * y reads y once more, one value a row, so it "
                  "should cost little.",
      .formula = "t of y = A*x + 0.5*y over t of y = A*x",
      .words = "--method csr_adaptive --method csr5 --method csr_vector --type f64 --seconds 0.3",
      .second = "--beta 0.5", .inputs = "suite:csr_adaptive:10", .evaluate = beta },
    { .name = "csr-adaptive-storage", .paper = "CSR-Adaptive", .where = "HiPC, V-C",
      .title = "storage of each method beside the matrix in CSR",
      .expected = "Row blocks take a small share of CSR, usually far below one percent; other "
                  "formats are a second copy of the matrix.",
      .formula = "bytes that a plan allocates over bytes of values, columns and row pointers",
      .words = METHODS "--type f64", .inputs = "suite:csr_adaptive:10", .evaluate = storage },
};

const bench_experiments bench_experiments_csr_adaptive = {
    experiments, sizeof experiments / sizeof experiments[0]
};
