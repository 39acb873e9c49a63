/* footprint.c: see footprint.h. */
#include "bench/race/footprint.h"

#include <inttypes.h>
#include <string.h>

#include "bench/yardsticks/machine.h"
#include "bench/race/reference.h"
#include "common/fail.h"

/* Computes in double, since products of sizes may overflow integers. */
/* A lower bound for the bytes in use at once, without the methods' layouts. --statistics needs no
 * vectors. */
static double footprint(const bench_options *options, int64_t rows, int64_t cols, int64_t nnz,
                        bench_making making)
{
    const double value = strcmp(options->type, "f32") == 0 ? 4 : 8;
    const bool wide = options->offset ? strcmp(options->offset, "i64") == 0 : nnz > INT32_MAX;
    const double matrix = (double)nnz * (4 + value) + (double)rows * (wide ? 8 : 4);
    /* A narrow and a wide copy of rounded values. */
    const double rounded = !options->values ? 0
        : (double)nnz * (value + (strcmp(options->values, "f32") == 0 ? 4 : 2));
    const double first = making == BENCH_CONVERTED ? (double)nnz * 12 + (double)rows * 8
                                                   : (double)rows * 4;
    /* The initial y, y and the checked result; the reference */
    const double output = 3 * value + (double)bench_reference_row_bytes();
    const double columns = options->columns > 1 ? (double)options->columns : 1;
    const double plain = (double)cols * value + (double)rows * output;
    const double transposed = (double)rows * value + (double)cols * output;
    /* A x is raced beside products with the transpose, and one vector beside several. */
    const double of_one = options->columns <= 1 ? 0 : options->transposed ? transposed : plain;
    /* --details asks plans for the columns and the values. */
    const double restored = options->details ? (double)nnz * (4 + value) : 0;
    const double vectors = options->statistics ? 0
        : columns * (plain + (options->transposed ? transposed : 0)) + of_one +
              (options->values ? columns * (options->transposed ? transposed : plain) : 0) +
              rounded + restored;

    return matrix + (first > vectors ? first : vectors);
}

bool bench_footprint_fits(const bench_options *options, const char *name, int64_t rows,
                          int64_t cols, int64_t nnz, bench_making making, spmv_error *error)
{
    const double needed = footprint(options, rows, cols, nnz, making);
    const double available = bench_available_bytes();

    if (options->force || available <= 0 || needed <= available)
        return true;
    return sg_fail(error, "%s: needs at least %.1f GB for A%s, but %.1f GB of memory are free; "
                   "choose a smaller matrix or a larger machine, or try all the same with --force",
                   name, needed * 1e-9, options->statistics ? "" : ", x, y and the reference",
                   available * 1e-9);
}
