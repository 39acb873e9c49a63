/* copies.c: see copies.h. */
#include "bench/yardsticks/copies.h"

#include <stdint.h>
#include <stdlib.h>

#include "runtime/core/threads/team.h"

/* Loops compute whole numbers, so that results can be compared exactly. */
enum { A = 1, B = 2, SCALAR = 3 };

static const double expected[BENCH_COPY_KINDS] = {
    [BENCH_COPY] = A, [BENCH_SCALE] = SCALAR * A, [BENCH_ADD] = A + B,
    [BENCH_TRIAD] = B + SCALAR * A,
};

static size_t part_begin(const bench_copies *arrays, int32_t part)
{
    return (size_t)((double)arrays->count * part / arrays->threads);
}

static void fill_part(void *context, int32_t part)
{
    const bench_copies *arrays = context;

    for (size_t i = part_begin(arrays, part); i < part_begin(arrays, part + 1); i++) {
        arrays->a[i] = A;
        arrays->b[i] = B;
        arrays->c[i] = 0;
    }
}

int bench_copies_create(size_t bytes, int threads, bench_copies *out)
{
    const size_t count = (bytes / (3 * sizeof(double)) / 8 + (bytes < 192)) * 8;

    *out = (bench_copies){ .count = count, .threads = threads > 0 ? threads : 1,
                           .a = aligned_alloc(64, count * sizeof(double)),
                           .b = aligned_alloc(64, count * sizeof(double)),
                           .c = aligned_alloc(64, count * sizeof(double)) };
    if (!out->a || !out->b || !out->c) {
        bench_copies_destroy(out);
        return 0;
    }
    const spmv_threads team = { .count = out->threads };
    spmv_team_run(&team, out->threads, fill_part, out);
    return 1;
}

void bench_copies_destroy(bench_copies *copies)
{
    free(copies->a);
    free(copies->b);
    free(copies->c);
    *copies = (bench_copies){ .count = 0 };
}

double bench_copy_bytes(const bench_copy_loop *loop)
{
    const int arrays = loop->kind == BENCH_ADD || loop->kind == BENCH_TRIAD ? 3 : 2;

    return (double)arrays * (double)loop->arrays->count * sizeof(double);
}

static void run_part(void *context, int32_t part)
{
    const bench_copy_loop *loop = context;
    const double *restrict a = loop->arrays->a, *restrict b = loop->arrays->b;
    double *restrict c = loop->arrays->c;
    const size_t first = part_begin(loop->arrays, part);
    const size_t last = part_begin(loop->arrays, part + 1);

    switch (loop->kind) {
    case BENCH_COPY:
        for (size_t i = first; i < last; i++)
            c[i] = a[i];
        break;
    case BENCH_SCALE:
        for (size_t i = first; i < last; i++)
            c[i] = (double)SCALAR * a[i];
        break;
    case BENCH_ADD:
        for (size_t i = first; i < last; i++)
            c[i] = a[i] + b[i];
        break;
    default:
        for (size_t i = first; i < last; i++)
            c[i] = b[i] + (double)SCALAR * a[i];
    }
}

int bench_copy_run(void *context)
{
    const bench_copy_loop *loop = context;
    const bench_copies *arrays = loop->arrays;
    const spmv_threads team = { .count = arrays->threads };
    const double *c = arrays->c;

    spmv_team_run(&team, arrays->threads, run_part, context);
    return c[0] != expected[loop->kind] || c[arrays->count - 1] != expected[loop->kind];
}
