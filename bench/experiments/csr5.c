/* csr5.c: the experiments of Liu & Vinter, "CSR5: An Efficient Storage Format for Cross-Platform
 * Sparse Matrix-Vector Multiplication", ICS 2015. */
#include "bench/experiments/experiment.h"

#include "bench/experiments/contenders.h"

/* Fig. 7 and 8: GFlop/s of every method. */
static bool speed(const bench_records *records, bench_figure *figure, char *message,
                  size_t message_bytes)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "Speed of a multiplication",
                                            "matrix", "GFlop/s");

    (void)message, (void)message_bytes;
    for (size_t m = 0; m < records->matrix_count; m++) {
        size_t count;
        const size_t first = bench_records_first_result(records, m, &count);
        char label[128], name[160];
        bench_matrix_label(records, m, label, sizeof label);
        for (size_t i = first; i < first + count; i++)
            if (records->result[i].correct)
                bench_figure_number(figure, panel, label,
                                    bench_result_name(&records->result[i], name, sizeof name),
                                    records->result[i].gflops);
    }
    for (size_t s = 0; panel < figure->panels && s < figure->panel[panel].series_count; s++) {
        const char *series = figure->panel[panel].series[s];
        bench_figure_found(figure, "%s: %.3g GFlop/s (harmonic mean)", series,
                           bench_panel_harmonic_mean(&figure->panel[panel], series));
    }
    return true;
}

static const bench_experiment experiments[] = {
    { .name = "csr5-speed", .paper = "CSR5", .where = "Fig. 7 and 8",
      .title = "speed of CSR5 beside other methods, regular and irregular matrices",
      .expected = "CSR5 keeps its speed on irregular matrices, where row-based methods lose it; on "
                  "regular ones it is level with the best.",
      .formula = "2 * nnz / t; harmonic mean over the suite",
      .words = "--method csr5 --method csr_vector --method csr_scalar --method csr_adaptive "
               "--seconds 0.5",
      .inputs = "suite:csr5:10", .evaluate = speed },
};

const bench_experiments bench_experiments_csr5 = { experiments,
                                                   sizeof experiments / sizeof experiments[0] };
