/* parallel.c: ranges of chunks as the parts of a team. Thread-safe. */
#include "runtime/core/threads/parallel.h"

#include <string.h>

typedef struct ranges {
    int64_t grid, parts;
    spmv_range_run *run;
    const void *context;
} ranges;

static void run_range(void *argument, int32_t part)
{
    const ranges *r = (const ranges *)argument;

    r->run(r->context, spmv_parallel_begin(r->grid, r->parts, part),
           spmv_parallel_begin(r->grid, r->parts, part + 1));
}

int32_t spmv_parallel_parts(const spmv_threads *threads, int64_t grid)
{
    const int32_t most = threads != NULL ? threads->count : 1;

    return grid < most ? (int32_t)grid : most;
}

void spmv_parallel_run(const spmv_threads *threads, int64_t grid, spmv_range_run *run,
                       const void *context)
{
    const int32_t parts = spmv_parallel_parts(threads, grid);
    ranges r = {grid, parts, run, context};

    if (parts > 1)
        spmv_team_run(threads, parts, run_range, &r);
    else if (grid > 0)
        run(context, 0, grid);
}

/* ---- copies -------------------------------------------------------------------------------- */

enum { COPY_AT_ONCE = 1 << 20 };   /* bytes */

typedef struct copy_areas {
    char *target;
    const char *source;          /* NULL: zeros */
    size_t bytes;
} copy_areas;

static void copy_chunks(const void *context, int64_t first, int64_t last)
{
    const copy_areas *areas = (const copy_areas *)context;
    const size_t begin = (size_t)first * COPY_AT_ONCE;
    const size_t left = areas->bytes - begin;
    const size_t wanted = (size_t)(last - first) * COPY_AT_ONCE;
    const size_t bytes = wanted < left ? wanted : left;

    if (areas->source != NULL)
        memcpy(areas->target + begin, areas->source + begin, bytes);
    else
        memset(areas->target + begin, 0, bytes);
}

static void run_copy(const spmv_threads *threads, const copy_areas *areas)
{
    const size_t chunks = areas->bytes / COPY_AT_ONCE + (areas->bytes % COPY_AT_ONCE != 0);

    spmv_parallel_run(threads, (int64_t)chunks, copy_chunks, areas);
}

void spmv_parallel_copy(const spmv_threads *threads, void *target, const void *source,
                        size_t bytes)
{
    const copy_areas areas = {(char *)target, (const char *)source, bytes};

    if (target != source)
        run_copy(threads, &areas);
}

void spmv_parallel_zero(const spmv_threads *threads, void *target, size_t bytes)
{
    const copy_areas areas = {(char *)target, NULL, bytes};

    run_copy(threads, &areas);
}
