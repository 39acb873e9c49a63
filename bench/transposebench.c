/* transposebench.c: the product with the transpose, in three ways, beside that with the matrix.
 *
 *     transposebench THREADS SECONDS INPUT...     INPUT: SHAPE:SIZE or FILE.mtx
 *
 * Four plans of each matrix race in f64: A*x by the default method, A^T*x with the transpose made
 * first, A^T*x by csr_transposed, and A*x by csr_vector, which reads the same arrays. A line for
 * each matrix has their fastest times, the time of building in multiplications, and the bytes of
 * each way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/mtx/mtx.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"
#include "bench/race/timing.h"
#include "runtime/spmv.h"

enum { PLAIN, CONVERTED, IN_PLACE, VECTOR, WAYS };

static const spmv_plan_options ways[WAYS] = {
    [PLAIN] = { .struct_size = sizeof(spmv_plan_options) },
    [CONVERTED] = { .struct_size = sizeof(spmv_plan_options), .transposed = 1 },
    [IN_PLACE] = { .struct_size = sizeof(spmv_plan_options), .transposed = 1,
                   .method = "csr_transposed" },
    [VECTOR] = { .struct_size = sizeof(spmv_plan_options), .method = "csr_vector" },
};

typedef struct runner {
    spmv_plan *plan;
    const void *x;
    void *y;
    spmv_plan_info info;
    double transpose_seconds;
} runner;

static int multiply(void *context)
{
    const runner *r = context;

    return spmv_execute(r->plan, 1, r->x, 0, r->y, NULL) != SPMV_OK;
}

/* The plan that is built the second time, when the allocator has memory. */
static int make_plan(spmv_device *device, const spmv_csr *csr, const spmv_plan_options *options,
                     runner *r)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;

    for (int i = 0; i < 2; i++) {
        spmv_plan_destroy(r->plan);
        if (spmv_plan_create(device, csr, options, &r->plan, NULL))
            return 1;
    }
    r->info = (spmv_plan_info){ .struct_size = sizeof r->info };
    if (spmv_plan_query(r->plan, &r->info) || spmv_plan_build_profile(r->plan, time, &count))
        return 1;
    r->transpose_seconds =
        count > 0 && strcmp(time[0].name, "transpose") == 0 ? time[0].seconds : 0;
    return 0;
}

static void print(const char *name, const spmv_csr *csr, const runner *r, const bench_runner *b)
{
    const double nnz = (double)(csr->nnz > 0 ? csr->nnz : 1);
    const double csr_bytes = 12 * nnz + 4.0 * (double)(csr->rows + 1);

    printf("%-22.22s %9lld %5.1f  %-12s %8.1f %8.1f %8.1f %8.1f  %5.2f %5.2f %5.2f  %5.1f %5.1f "
           "%5.1f  %5.1f %5.1f %5.1f\n", name, (long long)csr->nnz, nnz / (double)csr->rows,
           r[CONVERTED].info.module->method, b[PLAIN].fastest * 1e6, b[CONVERTED].fastest * 1e6,
           b[IN_PLACE].fastest * 1e6, b[VECTOR].fastest * 1e6,
           b[CONVERTED].fastest / b[PLAIN].fastest, b[IN_PLACE].fastest / b[PLAIN].fastest,
           b[IN_PLACE].fastest / b[VECTOR].fastest,
           r[PLAIN].info.build_seconds / b[PLAIN].fastest,
           r[CONVERTED].transpose_seconds / b[PLAIN].fastest,
           r[CONVERTED].info.build_seconds / b[PLAIN].fastest,
           (double)(r[PLAIN].info.layout_bytes + 4 * (size_t)(csr->rows + 1)) / nnz,
           (double)r[CONVERTED].info.layout_bytes / nnz,
           (csr_bytes + (double)r[IN_PLACE].info.workspace_bytes) / nnz);
}

static int race(spmv_device *device, const char *name, const spmv_csr *csr, int threads,
                double seconds)
{
    const int64_t longest = csr->rows > csr->cols ? csr->rows : csr->cols;
    const bench_race rules = { .seconds = seconds };
    double *x = calloc((size_t)longest + 1, sizeof *x);
    double *y = calloc((size_t)longest + 1, sizeof *y);
    bench_random random = { 1 };
    bench_runner runners[WAYS];
    runner r[WAYS] = { 0 };
    int failed = !x || !y;

    if (!failed)
        bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, x, (size_t)longest);
    for (int i = 0; i < WAYS && !failed; i++) {
        spmv_plan_options options = ways[i];

        options.threads = threads;
        r[i].x = x;
        r[i].y = y;
        runners[i] = (bench_runner){ .run = multiply, .context = &r[i] };
        failed = make_plan(device, csr, &options, &r[i]);
    }
    failed = failed || bench_race_run(&rules, runners, WAYS);
    if (!failed)
        print(name, csr, r, runners);
    for (int i = 0; i < WAYS; i++)
        spmv_plan_destroy(r[i].plan);
    free(x);
    free(y);
    return failed;
}

/* Makes SHAPE:SIZE or reads a file, as f64 with 32-bit row pointers. */
static bench_matrix *make_matrix(const char *input)
{
    const char *colon = strchr(input, ':');
    bench_matrix *made = NULL, *matrix = NULL;
    char shape[64];
    mtx_matrix file;

    if (colon) {
        snprintf(shape, sizeof shape, "%.*s", (int)(colon - input), input);
        const bench_shape *known = bench_shape_find(shape);
        if (known && !bench_shape_build(known, atoll(colon + 1), 1, &made))
            bench_matrix_convert(&made->csr, 0, SPMV_I32, SPMV_F64, &matrix);
        bench_matrix_destroy(made);
    } else if (mtx_read(input, NULL, &file, NULL) == MTX_OK) {
        const spmv_csr csr = {
            .rows = file.rows, .cols = file.cols, .nnz = file.nnz, .row_ptr = file.row_ptr,
            .col_idx = file.col_idx, .val = file.val, .offset_type = SPMV_I64,
            .value_type = SPMV_F64,
        };
        bench_matrix_convert(&csr, 0, SPMV_I32, SPMV_F64, &matrix);
        mtx_free(&file);
    }
    return matrix;
}

int main(int argc, char **argv)
{
    spmv_device *device = NULL;
    int failed = argc < 4 || spmv_device_open(NULL, &device, NULL);

    if (failed) {
        fprintf(stderr, "usage: transposebench THREADS SECONDS INPUT...\n");
        return 2;
    }
    printf("%-22s %9s %5s  %-12s %8s %8s %8s %8s  %5s %5s %5s  %5s %5s %5s  %5s %5s %5s\n",
           "matrix", "nnz", "/row", "A^T x by", "A us", "A^T us", "place us", "vec us", "A^T/A",
           "pl/A", "pl/v", "bldA", "transp", "bldA^T", "B A", "B A^T", "B pl");
    for (int i = 3; i < argc; i++) {
        bench_matrix *matrix = make_matrix(argv[i]);
        const char *slash = strrchr(argv[i], '/');

        if (!matrix || race(device, slash ? slash + 1 : argv[i], &matrix->csr, atoi(argv[1]),
                            atof(argv[2]))) {
            fprintf(stderr, "transposebench: %s: no such matrix, or a plan failed\n", argv[i]);
            failed = 1;
        }
        bench_matrix_destroy(matrix);
    }
    spmv_device_close(device);
    return failed;
}
