/* teambench.c: times a multiplication with the threads of OpenMP, of libspmv's own pool, and of the
 * program (options.parallel_for).
 *
 *     teambench NNZ THREADS SECONDS
 *
 * races three teams on a banded matrix with 16 nonzeros in a row: one thread, the library's own
 * team, and a parallel_for that is an OpenMP loop. It prints a line for each: the team, then the
 * median and the fastest sample in microseconds. The library's own team is fixed when it is built;
 * bench/teams.py runs both builds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"
#include "bench/race/timing.h"
#include "runtime/spmv.h"

#ifdef SPMV_PTHREADS
#define OWN_WAY "pthreads"
#else
#define OWN_WAY "openmp"
#endif

enum { ROW = 16 };               /* nonzeros of a row */

typedef struct runner {
    spmv_plan *plan;
    const void *x;
    void *y;
} runner;

static int multiply(void *context)
{
    const runner *r = context;

    return spmv_execute(r->plan, 1, r->x, 0, r->y, NULL) != SPMV_OK;
}

#ifdef _OPENMP

static void share_out(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    (void)context;
#pragma omp parallel for schedule(static, 1) num_threads(count)
    for (int32_t i = 0; i < count; i++)
        run(argument, i);
}

#endif

static const struct {
    const char *name;
    spmv_parallel_for *parallel_for;
} ways[] = {
    { "one", NULL },
    { OWN_WAY, NULL },
#ifdef _OPENMP
    { "parallel_for", share_out },
#endif
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static int race(spmv_device *device, const spmv_csr *csr, int threads, double seconds)
{
    bench_runner runners[WAYS];
    runner r[WAYS] = { 0 };
    const bench_race rules = { .seconds = seconds };
    double *x = calloc((size_t)csr->cols + 1, sizeof *x);
    double *y = calloc((size_t)csr->rows + 1, sizeof *y);
    bench_random random = { 1 };
    int failed = !x || !y;

    if (!failed)
        bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, x, (size_t)csr->cols);
    for (int i = 0; i < WAYS && !failed; i++) {
        const spmv_plan_options options = { .struct_size = sizeof options,
                                            .threads = i == 0 ? 1 : threads,
                                            .parallel_for = ways[i].parallel_for };

        r[i].x = x;
        r[i].y = y;
        runners[i] = (bench_runner){ .run = multiply, .context = &r[i] };
        failed = spmv_plan_create(device, csr, &options, &r[i].plan, NULL) != SPMV_OK;
    }
    failed = failed || bench_race_run(&rules, runners, WAYS);
    for (int i = 0; i < WAYS; i++) {
        if (!failed)
            printf("%s %.4g %.4g\n", ways[i].name, runners[i].time.median * 1e6,
                   runners[i].fastest * 1e6);
        spmv_plan_destroy(r[i].plan);
    }
    free(x);
    free(y);
    return failed;
}

int main(int argc, char **argv)
{
    const long long nnz = argc == 4 ? atoll(argv[1]) : 0;
    const int threads = argc == 4 ? atoi(argv[2]) : 0;
    bench_matrix *wide = NULL, *matrix = NULL;
    spmv_device *device = NULL;
    int failed = 1;

    if (nnz < ROW || threads < 1) {
        fprintf(stderr, "usage: teambench NNZ THREADS SECONDS\n");
        return 2;
    }
    if (!bench_shape_build(bench_shape_find("banded"), nnz / ROW, 1, &wide) &&
        !bench_matrix_convert(&wide->csr, 0, SPMV_I32, SPMV_F64, &matrix) &&
        !spmv_device_open(NULL, &device, NULL))
        failed = race(device, &matrix->csr, threads, atof(argv[3]));
    spmv_device_close(device);
    bench_matrix_destroy(matrix);
    bench_matrix_destroy(wide);
    if (failed)
        fprintf(stderr, "teambench: no memory, no device, or a multiplication failed\n");
    return failed;
}
