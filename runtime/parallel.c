/* parallel.c: OpenMP where the compiler has it. Nothing is shared; everything may run at once. */
#include "parallel.h"

#include <string.h>

#ifdef _OPENMP
#include <fenv.h>
#include <omp.h>
#endif

int32_t spmv_parallel_threads(int32_t wanted)
{
#ifdef _OPENMP
    const int32_t given = wanted > 0 ? wanted : omp_get_max_threads();
    return given < SPMV_MAX_THREADS ? given : SPMV_MAX_THREADS;
#else
    (void)wanted;
    return 1;
#endif
}

#ifdef _OPENMP

/* The range of `member`, of a team of `members`: the first grid % members take one chunk more. */
static void run_share(int64_t member, int64_t members, int64_t grid, spmv_range_run *run,
                      const void *context)
{
    const int64_t share = grid / members;
    const int64_t left = grid % members;
    const int64_t first = member * share + (member < left ? member : left);
    const int64_t last = first + share + (member < left);

    if (first < last)
        run(context, first, last);
}

/* A member's share, in the floating-point environment of the thread that called: a pooled thread
 * keeps the rounding mode and the treatment of subnormal numbers that it was born with, and the
 * result would depend on which thread computes a row. */
static void run_member(const fenv_t *environment, int64_t grid, spmv_range_run *run,
                       const void *context)
{
    const int member = omp_get_thread_num();
    fenv_t own;

    if (member > 0) {
        fegetenv(&own);
        fesetenv(environment);
    }
    run_share(member, omp_get_num_threads(), grid, run, context);
    if (member > 0)
        fesetenv(&own);
}

static void run_team(int32_t members, int64_t grid, spmv_range_run *run, const void *context)
{
    fenv_t environment;

    fegetenv(&environment);
    /* The team may be smaller than asked for: nested in another region, or by OMP_DYNAMIC. */
#pragma omp parallel num_threads(members)
    run_member(&environment, grid, run, context);
}

#endif

void spmv_parallel_run(int32_t threads, int64_t grid, spmv_range_run *run, const void *context)
{
    const int64_t members = threads < grid ? threads : grid;

    if (grid <= 0)
        return;
#ifdef _OPENMP
    if (members > 1) {
        run_team((int32_t)members, grid, run, context);
        return;
    }
#else
    (void)members;
#endif
    run(context, 0, grid);
}

/* ---- copies -------------------------------------------------------------------------------- */

enum { COPY_CHUNK = 1 << 20 };   /* bytes */

typedef struct copy_areas {
    char *target;
    const char *source;          /* NULL: zeros */
    size_t bytes;
} copy_areas;

static void copy_chunks(const void *context, int64_t first, int64_t last)
{
    const copy_areas *areas = (const copy_areas *)context;
    const size_t begin = (size_t)first * COPY_CHUNK;
    const size_t left = areas->bytes - begin;
    const size_t wanted = (size_t)(last - first) * COPY_CHUNK;
    const size_t bytes = wanted < left ? wanted : left;

    if (areas->source != NULL)
        memcpy(areas->target + begin, areas->source + begin, bytes);
    else
        memset(areas->target + begin, 0, bytes);
}

static void run_copy(int32_t threads, const copy_areas *areas)
{
    const size_t chunks = areas->bytes / COPY_CHUNK + (areas->bytes % COPY_CHUNK != 0);

    spmv_parallel_run(threads, (int64_t)chunks, copy_chunks, areas);
}

void spmv_parallel_copy(int32_t threads, void *target, const void *source, size_t bytes)
{
    const copy_areas areas = {(char *)target, (const char *)source, bytes};

    if (target != source)
        run_copy(threads, &areas);
}

void spmv_parallel_zero(int32_t threads, void *target, size_t bytes)
{
    const copy_areas areas = {(char *)target, NULL, bytes};

    run_copy(threads, &areas);
}
