/* speculative.c: the experiments of Liu & Vinter, "Speculative segmented sum for sparse
 * matrix-vector multiplication on heterogeneous processors", Parallel Computing 2015 (arXiv
 * 1504.06474). */
#include <math.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/experiments/evaluators.h"
#include "bench/experiments/experiment.h"
#include "common/fail.h"

/* Fig. 4 and 5: GFlop/s of every method, and how many times as fast speculative is. */
static bool speed(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    return bench_evaluate_speed(records, figure, error) &&
           bench_evaluate_speedup(records, "speculative", figure, error);
}

/* The bytes of a multiplication as the paper counts them: an x for each nonzero, as if no cache
 * kept any of them. */
static double counted_bytes(const bench_record_matrix *m)
{
    return bench_matrix_bytes(m) +
           ((double)m->nnz + (double)m->rows) * bench_record_value_bytes(m);
}

/* Fig. 6: that count over the time and the measured bandwidth. */
static bool bandwidth(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Bandwidth utilisation",
                                            "matrix", "%");
    bool memory = true;

    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        const bench_record_matrix *m = &records->matrix[r->matrix];
        const bool has_memory = m->dram_rate > 0;
        const double rate = has_memory ? m->dram_rate : m->read_rate;
        char label[128], name[192];
        if (!r->correct || !(r->seconds > 0) || !(rate > 0))
            continue;
        memory = memory && has_memory;
        bench_figure_number(figure, panel,
                            bench_matrix_label(records, r->matrix, label, sizeof label),
                            bench_result_label(records, r, name, sizeof name),
                            100 * counted_bytes(m) / (r->seconds * rate * 1e9));
    }
    if (panel >= figure->panels || figure->panel[panel].labels == 0)
        return sg_fail(error, "no rate of reading was measured: a race of at least 2 rounds "
                       "measures it");
    bench_describe_series(figure, panel, BENCH_ARITHMETIC, "");
    if (!memory)
        bench_figure_found(figure, "memory itself was not measured (--dram 0), so the rate is that "
                           "of reading an array as large as the matrix");
    return true;
}

/* Fig. 7 and 8: GFlop/s against W and against S. */
static bool by_workload(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    return bench_evaluate_sweep(records, "speculative.W", "speculative.S", figure, error);
}

static bool by_tiles(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    return bench_evaluate_sweep(records, "speculative.S", "speculative.W", figure, error);
}

#define CSR_METHODS "--method csr_scalar --method csr_vector --method csr_adaptive " \
                    "--method speculative --seconds 0.3 "
#define SWEEP "--method speculative --set speculative.W=4,8,16,32 " \
              "--set speculative.S=1,2,4,6 --seconds 0.1 "

static const bench_experiment experiments[] = {
    { .name = "speculative-speed-f32", .paper = "speculative", .where = "Fig. 4",
      .title = "speed of the methods on plain CSR, f32",
      .expected = "The speculative method beats the best other method on plain CSR, most where "
                  "rows are irregular: up to 16 times over row by row. On regular matrices it is "
                  "level with them.",
      .formula = "2 * nnz / t; harmonic mean over the suite",
      .words = CSR_METHODS "--type f32", .inputs = "suite:speculative:10", .evaluate = speed },
    { .name = "speculative-speed-f64", .paper = "speculative", .where = "Fig. 5",
      .title = "speed of the methods on plain CSR, f64",
      .expected = "The same on the AMD and NVIDIA devices; the driver of the Intel GPU had no f64. "
                  "Numbers of the figure were not at hand.",
      .formula = "2 * nnz / t; harmonic mean over the suite",
      .words = CSR_METHODS "--type f64", .inputs = "suite:speculative:10", .evaluate = speed },
    { .name = "speculative-bandwidth", .paper = "speculative", .where = "Fig. 6",
      .title = "bandwidth utilisation of the methods on plain CSR",
      .expected = "Numbers of the figure were not at hand; a method that is limited by memory has "
                  "the largest share. The count takes an x from memory for each nonzero, so caches "
                  "can lift it above 100 %.",
      .formula = "((m + 1 + nnz) * index bytes + (nnz + nnz + m) * value bytes) / (t * measured "
                 "bandwidth)",
      .words = CSR_METHODS "--type f32,f64", .inputs = "suite:speculative:10",
      .evaluate = bandwidth },
    { .name = "speculative-workload", .paper = "speculative", .where = "Fig. 7",
      .title = "speed against W, nonzeros of a tile for each work-item, for several S",
      .expected = "The paper's best W are 16 on its Intel GPU, 16 (f32) and 8 (f64) on AMD's, 8 "
                  "and 4 on NVIDIA's: the largest that leaves enough groups at once in local "
                  "memory.",
      .formula = "harmonic mean of 2 * nnz / t over the suite, for each W and S",
      .words = SWEEP "--type f32,f64", .inputs = "suite:speculative:3", .evaluate = by_workload },
    { .name = "speculative-tiles", .paper = "speculative", .where = "Fig. 8",
      .title = "speed against S, tiles of a bunch, for several W",
      .expected = "The paper's best S are 6 on its Intel GPU, 2 (f32) and 5 (f64) on AMD's, 7 on "
                  "NVIDIA's: more tiles save synchronisation, too many leave processors idle.",
      .formula = "harmonic mean of 2 * nnz / t over the suite, for each S and W",
      .words = SWEEP "--type f32,f64", .inputs = "suite:speculative:3", .evaluate = by_tiles },
};

const bench_experiments bench_experiments_speculative = {
    experiments, sizeof experiments / sizeof experiments[0]
};
