/* y_write.c: see y_write.h. */
#include "bench/yardsticks/y_write.h"

#include "runtime/core/threads/team.h"

/* Writes [first, last). The number differs in each place, so that no compiler calls memset, whose
 * stores may pass the caches. */
#define DEFINE_WRITE(type)                                                                         \
    static void write_##type(type *y, const int32_t *order, int64_t first, int64_t last)           \
    {                                                                                              \
        if (order)                                                                                 \
            for (int64_t k = first; k < last; k++)                                                 \
                y[order[k]] = (type)k;                                                             \
        else                                                                                       \
            for (int64_t k = first; k < last; k++)                                                 \
                y[k] = (type)k;                                                                    \
    }

DEFINE_WRITE(float)
DEFINE_WRITE(double)

static void write_part(void *context, int32_t part)
{
    const bench_y_write *w = context;
    const int threads = w->threads > 0 ? w->threads : 1;
    const int64_t first = (int64_t)((double)w->rows * part / threads);
    const int64_t last = (int64_t)((double)w->rows * (part + 1) / threads);

    if (w->value_type == SPMV_F32)
        write_float(w->y, w->order, first, last);
    else
        write_double(w->y, w->order, first, last);
}

int bench_y_write_run(void *context)
{
    const bench_y_write *w = context;
    const int threads = w->threads > 0 ? w->threads : 1;
    const spmv_threads team = { .count = threads };

    spmv_team_run(&team, threads, write_part, context);
    return 0;
}
