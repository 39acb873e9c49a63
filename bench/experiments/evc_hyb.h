/* evc_hyb.h: the functions behind the experiments of evc_hyb.c. Files are by what a figure shows:
 *
 *     evc_hyb_parts.c    Table 2: the ELL part and the vCSR part of each matrix
 *     evc_hyb_speed.c    Table 3, Fig. 3 to 5, 15 and 16: speeds beside other methods
 *     evc_hyb_balance.c  Fig. 10 and 11: alpha, code balance, roofline
 *     evc_hyb_times.c    Fig. 12 to 14: the times of A, x and y apart
 *     evc_hyb_bratu.c    Fig. 16: the Bratu problem, through PETSc
 */
#ifndef BENCH_EVC_HYB_H
#define BENCH_EVC_HYB_H

#include "bench/experiments/experiment.h"

#include "runtime/spmv.h"

/* Settings of evc_hyb: which vectors are in the order of the sort. */
typedef enum bench_evc_hyb_order {
    BENCH_EVC_HYB_NATURAL,       /* none: the default */
    BENCH_EVC_HYB_PERMUTED_Y,    /* y, as in the paper */
    BENCH_EVC_HYB_PERMUTED_BOTH
} bench_evc_hyb_order;

/* The order that a text of settings asks for. */
bench_evc_hyb_order bench_evc_hyb_order_of(const char *settings);

/* The first correct and timed result of evc_hyb with this order; NULL: none. */
const bench_record_result *bench_evc_hyb_result(const bench_records *records, size_t matrix,
                                                bench_evc_hyb_order order);

/* For bench_experiment.evaluate */
bool bench_evc_hyb_parts(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_gain(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_speed(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_bandwidth(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_orders(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_density(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_alpha(const bench_records *records, bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_roofline(const bench_records *records, bench_figure *figure, spmv_error *error);

/* For bench_experiment.measure */
bool bench_evc_hyb_times(const bench_options *options, const bench_inputs *inputs,
                         bench_figure *figure, spmv_error *error);
bool bench_evc_hyb_bratu(const bench_options *options, const bench_inputs *inputs,
                         bench_figure *figure, spmv_error *error);

#endif
