/* evc_hyb.c: the experiments of Guo, Gropp & Olson, "A hybrid format for better performance of
 * sparse matrix-vector multiplication on a GPU", IJHPCA 30(1), 2016. evc_hyb.h says where their
 * figures are made. docs/papers.md says what could not be found out about the paper's figures. */
#include "bench/experiments/evc_hyb.h"

#include "bench/experiments/evaluators.h"

/* ---- sweeps: Fig. 6 to 9 ------------------------------------------------------------------- */

static bool boundary(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const bench_parameter sweep = { "evc_hyb.boundary", "128" };

    return bench_evaluate_parameter(records, sweep, figure, error);
}

static bool alignment(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const bench_parameter sweep = { "evc_hyb.alignment", "32" };

    return bench_evaluate_parameter(records, sweep, figure, error);
}

static bool rows_per_item(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const bench_parameter sweep = { "evc_hyb.rows_per_item", NULL };

    return bench_evaluate_parameter(records, sweep, figure, error);
}

static bool items_per_row(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const bench_parameter sweep = { "evc_hyb.items_per_row", NULL };

    return bench_evaluate_parameter(records, sweep, figure, error);
}

static bool sort_window(const bench_records *records, bench_figure *figure, spmv_error *error)
{
    const bench_parameter sweep = { "evc_hyb.sort_window", "0" };

    return bench_evaluate_parameter(records, sweep, figure, error);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define BESIDE_OTHERS "--method evc_hyb --method csr_vector --method csr_scalar " \
                      "--method csr_adaptive --method csr5 --seconds 0.3"
/* The abstract; and where no more is known of a figure. */
#define ABSTRACT "A notable improvement over a wide range of structures (abstract; the figure's " \
                 "numbers were not at hand)."
#define UNKNOWN "The figure's numbers were not at hand. To be expected: "

static const bench_experiment experiments[] = {
    { .name = "evc-hyb-matrices", .paper = "EVC-HYB", .where = "Table 2",
      .title = "the ELL part and the vCSR part of each matrix, and the padding",
      .expected = UNKNOWN "most rows are short enough for the ELL part (at most 128 nonzeros), and "
                  "sorted rows need nearly no padding.",
      .formula = "rows and nonzeros of a part / those of the matrix; padding / places of the part; "
                 "bytes of the layout / bytes of CSR - 1",
      .words = "--method evc_hyb --seconds 0.02 --dram 0", .inputs = "suite:evc_hyb:10",
      .evaluate = bench_evc_hyb_parts },
    { .name = "evc-hyb-gain", .paper = "EVC-HYB", .where = "Table 3",
      .title = "speed over a plain CSR loop, and the cost of preparation",
      .expected = ABSTRACT,
      .formula = "t of the plain CSR loop / t in the same rounds; geometric mean over the suite",
      .words = BESIDE_OTHERS, .inputs = "suite:evc_hyb:10", .evaluate = bench_evc_hyb_gain },
    { .name = "evc-hyb-speed", .paper = "EVC-HYB", .where = "Fig. 3",
      .title = "speed beside other methods",
      .expected = ABSTRACT " The paper compares with cuSPARSE's CSR and HYB on a K20X.",
      .formula = "2 * nnz / t; harmonic mean over the suite",
      .words = BESIDE_OTHERS, .inputs = "suite:evc_hyb:10", .evaluate = bench_evc_hyb_speed },
    { .name = "evc-hyb-order", .paper = "EVC-HYB", .where = "Fig. 4",
      .title = "the effect of sorting rows, and of vectors that stay in that order",
      .expected = "The paper leaves y in the order of the sort. " UNKNOWN "y is then written in "
                  "order, but neighbouring rows may read x farther apart than before.",
      .formula = "2 * nnz / t; t with y scattered / t",
      .words = "--method evc_hyb --method csr_vector --setting permuted_y=0,1 "
               "--setting permuted_x=0,1 --seconds 0.3",
      .inputs = "suite:evc_hyb:10", .evaluate = bench_evc_hyb_orders },
    { .name = "evc-hyb-sort-window", .paper = "EVC-HYB", .where = "Fig. 4",
      .title = "speed by the number of rows that are sorted together, on GPUs and PoCL",
      .expected = "The paper sorts all rows (0). A window keeps rows near each other in x and y.",
      .formula = "2 * nnz / t; its share of that of each matrix's fastest value",
      .words = "--method evc_hyb --set evc_hyb.sort_window=0,1024,4096,16384,65536 --seconds 0.3",
      .inputs = "suite:evc_hyb:3", .evaluate = sort_window },
    { .name = "evc-hyb-bandwidth", .paper = "EVC-HYB", .where = "Fig. 5",
      .title = "bandwidth of a multiplication beside the rate of reading",
      .expected = UNKNOWN "memory bounds a multiplication, so the nearer to the rate of reading, "
                  "the better.",
      .formula = "bytes of A in CSR, x and y / t",
      .words = BESIDE_OTHERS, .inputs = "suite:evc_hyb:10", .evaluate = bench_evc_hyb_bandwidth },
    { .name = "evc-hyb-boundary", .paper = "EVC-HYB", .where = "Fig. 6 to 9",
      .title = "speed by the longest row of the ELL part",
      .expected = "The paper takes 128.",
      .formula = "2 * nnz / t; its share of that of each matrix's fastest value",
      .words = "--method evc_hyb --set evc_hyb.boundary=8,16,32,64,128,256,512 --seconds 0.3",
      .inputs = "suite:evc_hyb:3", .evaluate = boundary },
    { .name = "evc-hyb-alignment", .paper = "EVC-HYB", .where = "Fig. 6 to 9",
      .title = "speed by the rows of a slice of the ELL part",
      .expected = "The paper takes 32, a warp.",
      .formula = "2 * nnz / t; its share of that of each matrix's fastest value",
      .words = "--method evc_hyb --set evc_hyb.alignment=8,16,32,64 --seconds 0.3",
      .inputs = "suite:evc_hyb:3", .evaluate = alignment },
    { .name = "evc-hyb-rows-per-item", .paper = "EVC-HYB", .where = "Fig. 6 to 9",
      .title = "speed by the most short rows that a work-item adds",
      .expected = "The paper gives more rows to a work-item the shorter they are.",
      .formula = "2 * nnz / t; its share of that of each matrix's fastest value",
      .words = "--method evc_hyb --set evc_hyb.rows_per_item=1,2,4,8,16 --seconds 0.3",
      .inputs = "suite:evc_hyb:3", .evaluate = rows_per_item },
    { .name = "evc-hyb-items-per-row", .paper = "EVC-HYB", .where = "Fig. 6 to 9",
      .title = "speed by the most work-items that share a long row",
      .expected = "The paper gives a row 16 to 256 threads, a power of two, up to 8 nonzeros for "
                  "each.",
      .formula = "2 * nnz / t; its share of that of each matrix's fastest value",
      .words = "--method evc_hyb --set evc_hyb.items_per_row=4,8,16,32,64,128,256 --seconds 0.3",
      .inputs = "lookalike:pdb1HYS lookalike:raefsky3 lookalike:rma10 lookalike:dc1 "
                "lookalike:torso1",
      .evaluate = items_per_row },
    { .name = "evc-hyb-alpha", .paper = "EVC-HYB", .where = "Fig. 10",
      .title = "alpha: how often an entry of x is loaded",
      .expected = "alpha lies between cols / nnz, each entry of x once, and 1, one for each "
                  "nonzero (Kreutzer et al., SISC 2014).",
      .formula = "alpha = bytes of x that come / (s * nnz), by a cache model; and the alpha that "
                 "explains the time: (rate * t - bytes of the layout and y) / (s * nnz)",
      .words = "--method evc_hyb --seconds 0.3", .inputs = "suite:evc_hyb:10",
      .evaluate = bench_evc_hyb_alpha },
    { .name = "evc-hyb-roofline", .paper = "EVC-HYB", .where = "Fig. 11",
      .title = "code balance, and speed beside the bound that it sets",
      .expected = "Bandwidth / code balance bounds the speed (Kreutzer et al., SISC 2014).",
      .formula = "code balance = (bytes of the layout + alpha * s * nnz + bytes of y) / (2 * nnz); "
                 "bound = rate of reading / code balance",
      .words = "--method evc_hyb --seconds 0.3", .inputs = "suite:evc_hyb:10",
      .evaluate = bench_evc_hyb_roofline },
    { .name = "evc-hyb-times", .paper = "EVC-HYB", .where = "Fig. 12 to 14",
      .title = "the times of loading A, reading x and writing y, apart and beside the whole",
      .expected = UNKNOWN "T_A is the largest, T_X grows with the distance of columns, and T_Y is "
                  "small where rows are long.",
      .formula = "T_A: bytes of the layout, read; T_X: x at the columns, and the columns; T_Y: y, "
                 "scattered; each timed alone by a yardstick of this CPU",
      .words = "--method evc_hyb --setting permuted_y=0,1 --seconds 0.3",
      .inputs = "suite:evc_hyb:10", .measure = bench_evc_hyb_times },
    { .name = "evc-hyb-density", .paper = "EVC-HYB", .where = "Fig. 15",
      .title = "speed by density: random matrices from one nonzero a row to 5 %",
      .expected = UNKNOWN "speed grows with the nonzeros of a row.",
      .formula = "2 * nnz / t, by nonzeros a row",
      /* One thread: to start others takes longer than to multiply the sparsest matrices. */
      .words = "--method evc_hyb --method csr_vector --method csr_scalar --method csr_adaptive "
               "--seconds 0.3 --threads 1",
      .inputs = "model:random:10000:1 model:random:10000:2 model:random:10000:5 "
                "model:random:10000:10 model:random:10000:20 model:random:10000:50 "
                "model:random:10000:100 model:random:10000:200 model:random:10000:500",
      .evaluate = bench_evc_hyb_density },
    { .name = "evc-hyb-bratu", .paper = "EVC-HYB", .where = "Fig. 16",
      .title = "MatMult of the Bratu problem's Jacobian, in PETSc",
      .expected = ABSTRACT,
      .formula = "2 * nnz / t of MatMult, median of rounds in which the types take turns",
      .words = "", .inputs = "model:poisson5:256 model:poisson5:1000 model:poisson7:40 "
                             "model:poisson7:100",
      .measure = bench_evc_hyb_bratu },
    { .name = "evc-hyb-bratu-matrix", .paper = "EVC-HYB", .where = "Fig. 16",
      .title = "products with matrices of the Bratu problem's stencils, without PETSc",
      .expected = ABSTRACT,
      .formula = "2 * nnz / t; harmonic mean over the sizes",
      .words = BESIDE_OTHERS, .inputs = "model:poisson5:256 model:poisson5:1000 model:poisson7:40 "
                                        "model:poisson7:100",
      .evaluate = bench_evc_hyb_speed },
};

const bench_experiments bench_experiments_evc_hyb = { experiments,
                                                      sizeof experiments / sizeof experiments[0] };
