/* evc_hyb_parts.c: what evc_hyb makes of a matrix: its ELL part and its vCSR part. See evc_hyb.h.
 */
#include "bench/experiments/evc_hyb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "common/fail.h"

enum { LABEL_BYTES = 128 };

bench_evc_hyb_order bench_evc_hyb_order_of(const char *settings)
{
    return !strstr(settings, "permuted_y=1") ? BENCH_EVC_HYB_NATURAL
           : strstr(settings, "permuted_x=1") ? BENCH_EVC_HYB_PERMUTED_BOTH
           : BENCH_EVC_HYB_PERMUTED_Y;
}

const bench_record_result *bench_evc_hyb_result(const bench_records *records, size_t matrix,
                                                bench_evc_hyb_order order)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        const bool is_mixed = strstr(r->settings, "permuted_x=1") &&
                              !strstr(r->settings, "permuted_y=1");
        if (strcmp(r->method, "evc_hyb") == 0 && r->correct && r->seconds > 0 && !is_mixed &&
            bench_evc_hyb_order_of(r->settings) == order)
            return r;
    }
    return NULL;
}

/* Panels of bench_evc_hyb_parts. */
typedef struct parts {
    bench_figure *figure;
    size_t sizes, shares;
    size_t matrices, all_in_ell;
    double most_padding;
    char most_padded[LABEL_BYTES];
} parts;

/* Adds a number if the layout states it: pages of an older spmvgen do not state all. */
static void add_if_known(parts *p, size_t panel, const char *label, const char *series,
                         double number)
{
    if (!isnan(number))
        bench_figure_number(p->figure, panel, label, series, number);
}

static void add_parts(parts *p, const bench_record_matrix *m, const bench_record_result *r,
                      const char *label)
{
    const double rows = (double)m->rows / 100, nnz = (double)m->nnz / 100;
    const double vcsr_rows = bench_result_figure(r, "rows of the vCSR part");
    const double padding = bench_result_figure(r, "padding of the ELL part");

    bench_figure_number(p->figure, p->sizes, label, "rows", (double)m->rows);
    bench_figure_number(p->figure, p->sizes, label, "nonzeros", (double)m->nnz);
    bench_figure_number(p->figure, p->sizes, label, "mean of a row", m->average_row);
    bench_figure_number(p->figure, p->sizes, label, "longest row", (double)m->max_row);
    if (m->rows == 0 || m->nnz == 0)
        return;
    add_if_known(p, p->shares, label, "rows in ELL",
                 bench_result_figure(r, "rows of the ELL part") / rows);
    add_if_known(p, p->shares, label, "nonzeros in ELL",
                 bench_result_figure(r, "nonzeros of the ELL part") / nnz);
    add_if_known(p, p->shares, label, "rows in vCSR", vcsr_rows / rows);
    add_if_known(p, p->shares, label, "nonzeros in vCSR",
                 bench_result_figure(r, "nonzeros of the vCSR part") / nnz);
    add_if_known(p, p->shares, label, "padding of ELL", padding);
    add_if_known(p, p->shares, label, "padding of vCSR",
                 bench_result_figure(r, "padding of the vCSR part"));
    add_if_known(p, p->shares, label, "bytes over CSR",
                 bench_result_figure(r, "bytes, relative to CSR") - 100);
    p->matrices++;
    p->all_in_ell += vcsr_rows == 0;
    if (padding > p->most_padding) {
        p->most_padding = padding;
        snprintf(p->most_padded, sizeof p->most_padded, "%s", label);
    }
}

bool bench_evc_hyb_parts(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    parts p = { .figure = figure, .most_padding = -1 };

    p.sizes = bench_figure_panel(figure, BENCH_TABLE, "Matrices", "matrix", "counts");
    p.shares = bench_figure_panel(figure, BENCH_TABLE, "Parts of the matrices", "matrix", "%");
    for (size_t m = 0; m < records->matrix_count; m++) {
        const bench_record_result *r = bench_evc_hyb_result(records, m, BENCH_EVC_HYB_NATURAL);
        char label[LABEL_BYTES];
        if (r && !isnan(bench_result_figure(r, "rows of the ELL part")))
            add_parts(&p, &records->matrix[m], r,
                      bench_matrix_label(records, m, label, sizeof label));
    }
    if (p.matrices == 0)
        return sg_fail(error, "no correct result of evc_hyb says what its layout is made of: "
                       "kernels of your own need spmvgen --figures");
    bench_figure_found(figure, "%zu of %zu matrices are all in the ELL part", p.all_in_ell,
                       p.matrices);
    if (p.most_padding >= 0)
        bench_figure_found(figure, "most padding: %.3g %% of the ELL part's places (%s)",
                           p.most_padding, p.most_padded);
    return true;
}
