/* evc_hyb_balance.c: alpha, code balance and roofline of evc_hyb. See evc_hyb.h.
 *
 * Code balance is bytes per operation, as in Kreutzer et al., "A unified sparse matrix data
 * format for efficient general sparse matrix-vector multiply on modern processors with wide SIMD
 * units", SISC 2014:
 *
 *     B(alpha) = (bytes of the layout + alpha * s * nnz + bytes of y) / (2 * nnz)
 *
 * s: bytes of a value; y is written, and with beta also read. alpha is the share of a value of x
 * that comes from memory for each nonzero: cols / nnz if each entry of x comes once, 1 if each
 * nonzero loads its own. So each entry of x is loaded alpha * nnz / cols times on average. */
#include "bench/experiments/evc_hyb.h"

#include <math.h>
#include <stdio.h>

#include "bench/experiments/contenders.h"
#include "common/fail.h"

enum { LABEL_BYTES = 128 };

/* Of one multiplication. */
typedef struct balance {
    double nnz, cols, value_bytes;
    double fixed_bytes;          /* the layout and y */
    double rate;                 /* of reading, in 10^9 bytes a second */
    double least;                /* alpha if each entry of x comes once */
    double model;                /* alpha by the cache model of x_traffic.h, at least `least` */
    double of_time;              /* alpha that explains the time at that rate; may be negative */
} balance;

/* False: the records lack something. */
static bool make_balance(const bench_record_matrix *m, const bench_record_result *r, balance *out)
{
    const double value = bench_record_value_bytes(m);
    const double nnz = (double)m->nnz, cols = (double)m->cols;
    const double y_bytes = value * (double)m->rows * (fabs(m->beta) > 0 ? 2 : 1);

    if (m->nnz <= 0 || !(m->read_rate > 0) || r->layout_bytes < 0)
        return false;
    *out = (balance){ .nnz = nnz, .cols = cols, .value_bytes = value,
                      .fixed_bytes = (double)r->layout_bytes + y_bytes, .rate = m->read_rate,
                      .least = cols / nnz, .model = NAN };
    if (m->x_line_bytes >= 0)
        out->model = fmax((double)m->x_line_bytes / (value * nnz), out->least);
    out->of_time = (1e9 * out->rate * r->seconds - out->fixed_bytes) / (value * nnz);
    return true;
}

static double code_balance(const balance *b, double alpha)
{
    return (b->fixed_bytes + alpha * b->value_bytes * b->nnz) / (2 * b->nnz);
}

/* A figure over matrices, each with its balance. */
typedef void add_balance(bench_figure *figure, const size_t *panel, const char *label,
                         const balance *b, const bench_record_result *r);

static bool for_each(const bench_records *records, bench_figure *figure, const size_t *panel,
                     add_balance *add, spmv_error *error)
{
    bool any = false, other_device = false;

    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *r = bench_evc_hyb_result(records, m, BENCH_EVC_HYB_NATURAL);
        balance b;
        char label[LABEL_BYTES];
        if (!r || !make_balance(&records->matrix[m], r, &b))
            continue;
        add(figure, panel, bench_matrix_label(records, m, label, sizeof label), &b, r);
        any = true;
        other_device |= !isnan(r->kernels_seconds);
    }
    if (!any)
        return sg_fail(error, "no correct result of evc_hyb has a time, the bytes of its layout "
                       "and the rate of reading");
    if (other_device)
        bench_figure_found(figure, "evc_hyb ran on a device, but the rate of reading and the cache "
                           "model are this CPU's: compare them only if the device is this CPU");
    return true;
}

/* ---- alpha --------------------------------------------------------------------------------- */

static void add_alpha(bench_figure *figure, const size_t *panel, const char *label,
                      const balance *b, const bench_record_result *r)
{
    const double loads = b->nnz / b->cols;

    (void)r;
    bench_figure_number(figure, panel[0], label, "least", b->least);
    bench_figure_number(figure, panel[0], label, "cache model", b->model);
    bench_figure_number(figure, panel[0], label, "of the time", b->of_time);
    bench_figure_number(figure, panel[1], label, "cache model", b->model * loads);
    bench_figure_number(figure, panel[1], label, "of the time", b->of_time * loads);
}

bool bench_evc_hyb_alpha(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    size_t panel[2];

    panel[0] = bench_figure_panel(figure, BENCH_BARS, "alpha: values of x that come for each "
                                  "nonzero", "matrix", "values");
    panel[1] = bench_figure_panel(figure, BENCH_TABLE, "Loads of each entry of x", "matrix",
                                  "loads");
    if (!for_each(records, figure, panel, add_alpha, error))
        return false;
    if (panel[1] < figure->panels) {
        const bench_panel *loads = &figure->panel[panel[1]];
        bench_figure_found(figure, "each entry of x is loaded %.3g times by the cache model, and "
                           "%.3g times would explain the time (geometric means of those above 0)",
                           bench_panel_geometric_mean(loads, "cache model"),
                           bench_panel_geometric_mean(loads, "of the time"));
    }
    return true;
}

/* ---- roofline ------------------------------------------------------------------------------ */

static void add_roofline(bench_figure *figure, const size_t *panel, const char *label,
                         const balance *b, const bench_record_result *r)
{
    const double least = code_balance(b, b->least), model = code_balance(b, b->model);

    bench_figure_number(figure, panel[0], label, "x once", least);
    bench_figure_number(figure, panel[0], label, "cache model", model);
    bench_figure_number(figure, panel[0], label, "x for each nonzero", code_balance(b, 1));
    bench_figure_number(figure, panel[0], label, "of the time", code_balance(b, b->of_time));
    bench_figure_number(figure, panel[1], label, "bound, x once", b->rate / least);
    bench_figure_number(figure, panel[1], label, "bound, cache model", b->rate / model);
    bench_figure_number(figure, panel[1], label, "evc_hyb", r->gflops);
    bench_figure_number(figure, panel[2], label, "of the bound, x once",
                        100 * r->gflops * least / b->rate);
    bench_figure_number(figure, panel[2], label, "of the bound, cache model",
                        100 * r->gflops * model / b->rate);
}

bool bench_evc_hyb_roofline(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    size_t panel[3];

    panel[0] = bench_figure_panel(figure, BENCH_TABLE, "Code balance", "matrix",
                                  "bytes per operation");
    panel[1] = bench_figure_panel(figure, BENCH_BARS, "Speed beside its bounds", "matrix",
                                  "GFlop/s");
    panel[2] = bench_figure_panel(figure, BENCH_TABLE, "Share of the bounds", "matrix", "%");
    if (!for_each(records, figure, panel, add_roofline, error))
        return false;
    for (size_t s = 0; panel[2] < figure->panels && s < figure->panel[panel[2]].series_count; s++)
        bench_figure_found(figure, "%.3g %% %s (geometric mean)",
                           bench_panel_geometric_mean(&figure->panel[panel[2]],
                                                      figure->panel[panel[2]].series[s]),
                           figure->panel[panel[2]].series[s]);
    return true;
}
